package funcs

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// PrintEdge prints the functions that perform a clock edge.
func (e *Printer) PrintEdge() {
	if e.p.Immediate { // its unit executes the edge
		return
	}
	e.commitFunctions()
	e.writeFunctions()
	e.clearFunctions()
}

func (e *Printer) commitFunctions() {
	committed := e.p.Committed()
	e.f("// commit sets registers to their next values.\nfunc (s *Model) commit() {\n")
	e.eachMarked("commits", len(committed), func(i int) string { return names.Commit(i, committed[i]) })
	e.f("}\n\n")
	for i, list := range committed {
		e.function(names.Commit(i, list)+"()", &plan.Unit{Lanes: 1}, func() {
			for n, l := range vectorsOf(list) {
				e.either(func() ([]*kernel.Kernel, error) {
					return lower.Registers(fmt.Sprintf("vector%d_%s", n, names.Commit(i, l)), l, e.group)
				}, func() { e.copies(l) })
			}
		})
	}
}

// copies stores the next values of registers.
func (e *Printer) copies(list []*plan.Regs) {
	for _, l := range byMask(list) {
		if l[0].Mask != nil {
			e.copyMasked(l)
		} else {
			e.copyLanes(l[0].Q, storage.Field(l[0].D.V))
		}
	}
}

// mostCopies is the maximum number of registers of a kernel.
const mostCopies = 8

// vectorsOf groups registers that one kernel can copy, and registers that no kernel can.
func vectorsOf(list []*plan.Regs) [][]*plan.Regs {
	var out [][]*plan.Regs
	at := map[[2]int]int{}
	for _, r := range list {
		kind := [2]int{r.Q.Lanes, r.Q.LaneBits()}
		if r.Q.LaneBits() == 0 || r.Mask != nil && r.Mask.Lanes != r.Q.Lanes {
			kind = [2]int{}
		}
		i, ok := at[kind]
		if !ok || kind != [2]int{} && len(out[i]) == mostCopies {
			i = len(out)
			at[kind] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// byMask groups registers with the same mask.
func byMask(list []*plan.Regs) [][]*plan.Regs {
	var out [][]*plan.Regs
	at := map[*plan.Value]int{}
	for _, r := range list {
		if i, ok := at[r.Mask]; ok && r.Mask != nil {
			out[i] = append(out[i], r)
			continue
		}
		at[r.Mask] = len(out)
		out = append(out, []*plan.Regs{r})
	}
	return out
}

// copyMasked stores the next values of registers in the lanes of their mask, in several lanes at a
// time if the lanes are small.
func (e *Printer) copyMasked(list []*plan.Regs) {
	mask := list[0].Mask
	if list[0].Q.Lanes == 1 { // the next value usually differs
		e.maskLoop(mask, func() {
			for _, r := range list {
				e.note(e.p.Readers[r.Q], code.Int(1))
				e.Put(storage.Field(r.Q), storage.Field(r.D.V))
			}
		})
		return
	}
	bySize := map[int][]*plan.Regs{}
	for _, r := range list {
		size := r.Q.LaneBits()
		if size > 16 || r.Q.Lanes*size%64 != 0 {
			size = 0
		}
		bySize[size] = append(bySize[size], r)
	}
	for _, size := range []int{8, 16} {
		if len(bySize[size]) > 0 {
			e.copyPacked(bySize[size], size)
		}
	}
	if len(bySize[0]) == 0 {
		return
	}
	e.maskLoop(mask, func() {
		for _, r := range bySize[0] {
			e.storeLane(r.Q, storage.LaneL, storage.Lane(r.D.V, storage.LaneL))
		}
	})
}

// copyPacked does the work of copyMasked for registers of lanes of size bits.
func (e *Printer) copyPacked(list []*plan.Regs, size int) {
	mask, each, all := list[0].Mask, 64/size, code.Name("all")
	words := e.Within(func() {
		e.Do(&code.Define{Name: storage.MaskM, X: code.Call(fmt.Sprintf("model.Spread%d", size), code.Op(">>", all, storage.BitNumber(storage.WordI.Mul(code.Int(each)))))})
		for _, r := range list {
			p := e.Number(storage.WordIn(r.Q, storage.WordI))
			d := e.Set(p.Pointed().Xor(storage.WordIn(r.D.V, storage.WordI).Pointed()).And(storage.MaskM))
			e.note(e.p.Readers[r.Q], d)
			e.Do(&code.Assign{To: p.Pointed(), Operator: "^=", X: d})
		}
	})
	if mask.Lanes <= 64 {
		e.Do(&code.If{Init: &code.Define{Name: all, X: storage.Field(mask)}, Cond: all.Differs(code.Zero),
			Then: []code.Stmt{&code.Range{Index: storage.WordI, N: code.Int(mask.Lanes / each), Body: words}}})
		return
	}
	first := storage.WordW.Mul(code.Int(size))
	e.Do(&code.Range{Index: storage.WordW, Elem: all, N: storage.Field(mask), Body: []code.Stmt{
		&code.If{Cond: all.Differs(code.Zero), Then: []code.Stmt{
			&code.Count{Index: storage.WordI, From: first, To: first.Add(code.Int(size)), Step: 1, Body: words}}}}})
}

// copyLanes copies the whole array src to v, which has the same type.
func (e *Printer) copyLanes(v *plan.Value, src *code.Expr) {
	switch {
	case v.Bits() && v.Lanes > 64:
		e.copyWords(v, src, v.BitWords())
	case v.Bits(), v.Lanes == 1 && v.Width <= 64:
		e.store(v, storage.Field(v), src)
	case v.Lanes > 1: // several lanes at a time
		e.copyLanesOf(v, src)
	case v.Words() > fewWords:
		e.copyWords(v, src, v.Words())
	case v.Width > 64:
		e.storeLane(v, storage.Lane0, storage.Elements(src, v.Words()))
	}
}

// copyWords copies n words of an array to v.
func (e *Printer) copyWords(v *plan.Value, src *code.Expr, n int) {
	e.Times(storage.WordI, n, func() { e.store(v, storage.Field(v).Index(storage.WordI), src.Index(storage.WordI)) })
}
