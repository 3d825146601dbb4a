package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// place puts each instance and loop before the first item that reads what it drives. Their own
// order stays.
func (p *planner) place() {
	items := p.s.Items
	reader := map[*ir.Signal]int{} // the first
	for k := len(items) - 1; k >= 0; k-- {
		for _, x := range stmtReads(items[k].Stmts) {
			if s, ok := x.(*ir.Signal); ok {
				reader[s] = k
			}
		}
	}
	first := func(drives signalSet) int {
		at := len(items)
		for s, on := range drives {
			if k, ok := reader[s]; ok && on {
				at = min(at, k)
			}
		}
		return at
	}
	var extra []Item
	var pos []int
	for _, in := range p.s.IR.Insts {
		drives := signalSet{}
		for _, pin := range in.Pins {
			drives[pin] = pin.Pin.Port.Kind == ir.Output
		}
		extra = append(extra, Item{Kind: Instance, Inst: in})
		pos = append(pos, first(drives))
	}
	for _, in := range p.s.Inner {
		drives := signalSet{}
		in.Walk(func(s *Scope) {
			for _, it := range s.Items {
				for _, l := range it.Drives {
					drives[l.Sig] = true
				}
			}
		})
		extra = append(extra, Item{Kind: Loop, Inner: in})
		pos = append(pos, first(drives))
	}
	for i := len(pos) - 2; i >= 0; i-- {
		pos[i] = min(pos[i], pos[i+1])
	}
	var out []Item
	e := 0
	for k := 0; k <= len(items); k++ {
		for e < len(extra) && pos[e] <= k {
			out = append(out, extra[e])
			e++
		}
		if k < len(items) {
			out = append(out, items[k])
		}
	}
	p.s.Items = out
}
