package lower

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// routes reports whether u consists of a single Route.
func routes(u *plan.Unit) bool { return u.Kind == plan.Alone && u.Nodes[0].Code == ir.Route }

// routed builds the kernels of such a unit, one for each of its lanes. A lane of a kernel is an
// element. The elements that go to a destination form a mask, which is a whole lane of the result.
func routed(u *plan.Unit, group func(*plan.Value) int) (out []*kernel.Kernel, err error) {
	n := u.Nodes[0]
	valid, to := n.Args[0], n.List.V
	switch {
	case n.Width > 64 || n.Width%8 > 0 || n.Width*to.LaneBits() < 128:
		return nil, fmt.Errorf("routing of %d elements of %d bits", n.Width, to.LaneBits())
	case valid.V == nil || valid.V.Port != "" || valid.V.Of != nil || valid.Width != valid.V.Width:
		return nil, fmt.Errorf("routing of elements that are valid by a constant, a port or bits of words")
	}
	for l := range n.Lanes {
		k := kernel.New(fmt.Sprintf("vector_%s_%d", names.Unit(u), l), n.Width, to.LaneBits())
		k.Doc = fmt.Sprintf("%s: %s, lane %d", k.Name, u.Describe(), l)
		lo := New(k)
		mask := k.LoadMask(kernel.Place{Field: PlaceOf(valid.V).Field, Bytes: valid.Ref(l).Lane * valid.V.Stride() / 8})
		element := func(e int) int { return n.List.Base.At(l) + e*n.List.Stride }
		base, ok := plan.Fit(n.Width, element)
		if !ok {
			return nil, fmt.Errorf("routing of irregular elements")
		}
		dest := lo.Word(plan.Operand{V: to, At: base, Width: to.Width})
		for d := range n.Nout {
			at := kernel.Place{Field: PlaceOf(n.Out).Field, Bytes: (l*n.Nout + d) * n.Out.Stride() / 8}
			k.Store(at, k.Do(kernel.MaskAnd, mask, k.Do(kernel.Equal, dest, k.Const(uint64(d)))), kernel.None, group(n.Out))
		}
		if lo.Err != nil {
			return nil, fmt.Errorf("routing of elements: %w", lo.Err)
		}
		out = append(out, k)
	}
	return out, nil
}
