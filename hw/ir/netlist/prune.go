package netlist

// Prune removes the operations whose results are not needed.
func (d *Design) Prune() {
	needed := make([]bool, len(d.Width))
	need := func(nets ...Net) {
		for _, n := range nets {
			if n != None {
				needed[n] = true
			}
		}
	}
	for _, p := range d.Ports {
		need(p.Nets...)
	}
	for _, v := range d.Vars {
		need(v.Nets...)
	}
	for _, r := range d.Regs {
		need(r.D, r.Clear)
	}
	for _, w := range d.Writes {
		need(w.Enable, w.Addr, w.Data)
	}
	for _, c := range d.Checks {
		need(c.Enable, c.Cond)
	}
	kept := len(d.Ops)
	for i := len(d.Ops) - 1; i >= 0; i-- {
		if op := d.Ops[i]; op.needed(needed) {
			need(op.Args...)
			kept--
			d.Ops[kept] = op
		}
	}
	d.Ops = d.Ops[kept:]
}

// needed reports whether any result of o is needed.
func (o Op) needed(nets []bool) bool {
	for k := range Net(o.NOut) {
		if nets[o.Out+k] {
			return true
		}
	}
	return false
}
