package lower

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Unit returns the kernels of u. It returns none for a unit that is not a loop over lanes of words.
// The error says which operation kernels do not support. group returns the group of changes of a
// value.
func Unit(u *plan.Unit, group func(*plan.Value) int) (out []*kernel.Kernel, err error) {
	if u.Kind == plan.Scalar || u.Kind == plan.Words {
		return nil, nil
	}
	if routes(u) {
		return routed(u, group)
	}
	parts := bySize(u)
	for i, part := range parts {
		k, err := lowered(part, group)
		if err != nil {
			return nil, err
		}
		if len(parts) > 1 {
			k.Name += fmt.Sprintf("_%d", i)
		}
		out = append(out, k)
	}
	return out, nil
}

// lowered builds the only kernel of u.
func lowered(u *plan.Unit, group func(*plan.Value) int) (*kernel.Kernel, error) {
	switch {
	case u.Kind == plan.Loop, u.Kind == plan.Packed:
	case u.Kind == plan.Alone && u.Nodes[0].Moves != nil && u.Nodes[0].Width <= 64 && !u.Nodes[0].Out.Bits():
	default:
		return nil, fmt.Errorf("%s: not a unit of kernels", u.Nodes[0].Code)
	}
	lo := New(kernel.New("vector_"+names.Unit(u), u.Lanes, sizeOf(u)))
	lo.Kernel.Doc = fmt.Sprintf("%s: %s", lo.Kernel.Name, u.Describe())
	if u.Mask != nil {
		lo.Kernel.Mask, lo.Kernel.Masked = PlaceOf(u.Mask), true
		lo.Use = lo.Mask(plan.Operand{V: u.Mask, At: plan.Identity, Width: 1})
	}
	if copied(u) {
		lo.copying(u.Nodes[0], group(u.Nodes[0].Out))
		return lo.Kernel, lo.Err
	}
	for _, n := range u.Nodes {
		lo.result(n, group)
		if lo.Err != nil {
			return nil, fmt.Errorf("%s: %w", n.Code, lo.Err)
		}
	}
	lo.Kernel.Simplify()
	return lo.Kernel, nil
}

// result computes n and stores the result if necessary.
func (lo *Builder) result(n *plan.Node, group func(*plan.Value) int) {
	if n.Width > 64 {
		words := lo.woven(n)
		lo.wide[n.Out] = words
		if n.Out.Stored && lo.Err == nil {
			lo.Kernel.StoreWords(PlaceOf(n.Out), words, lo.Use, group(n.Out))
		}
		return
	}
	x := lo.Node(n)
	lo.Local[n.Out] = x
	if n.Out.Stored && lo.Err == nil {
		lo.Kernel.Store(PlaceOf(n.Out), x, lo.Use, group(n.Out))
	}
}
