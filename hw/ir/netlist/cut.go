package netlist

import "github.com/hotline-rtl/hotline/hw/ir"

// cut is the position of a net in the net that it is a Slice of.
type cut struct {
	of Net
	lo int
}

// slice returns width bits of x from bit lo on. If x is a Slice or a concatenation, it slices the
// source, or the single piece that contains the bits.
func (b *builder) slice(from origin, x Net, lo, width int) Net {
	if int(b.d.Width[x]) == width {
		return x
	}
	if val, ok := b.fixed[x]; ok {
		return b.constNet(width, part(val, lo, width))
	}
	if c, ok := b.cuts[x]; ok {
		return b.slice(from, c.of, c.lo+lo, width)
	}
	end := int(b.d.Width[x])
	for _, piece := range b.joins[x] { // the most significant first
		end -= int(b.d.Width[piece])
		if end <= lo {
			if lo+width > end+int(b.d.Width[piece]) {
				break
			}
			return b.slice(from, piece, lo-end, width)
		}
	}
	n := b.one(from, ir.Slice, width, lo, x)
	b.cuts[n] = cut{x, lo}
	return n
}

// join concatenates nets, the first most significant. Adjacent nets that are neighbouring parts of
// one net become a single Slice, so that splitting and reassembling a value costs nothing.
func (b *builder) join(from origin, width int, args []Net) Net {
	var out []Net
	for i := 0; i < len(args); {
		n := 1 + b.neighbours(args[i:])
		if n > 1 {
			last, run := b.cuts[args[i+n-1]], 0
			for _, x := range args[i : i+n] {
				run += int(b.d.Width[x])
			}
			out = append(out, b.slice(from, last.of, last.lo, run))
		} else {
			out = append(out, args[i])
		}
		i += n
	}
	if len(out) == 1 {
		return out[0]
	}
	n := b.one(from, ir.Concat, width, 0, out...)
	b.joins[n] = out
	return n
}

// part returns width bits of x from bit lo on.
func part(x []uint64, lo, width int) []uint64 {
	out := make([]uint64, ir.Words(width))
	for i := range out {
		at := lo/64 + i
		out[i] = x[at] >> (lo % 64)
		if at+1 < len(x) && lo%64 > 0 {
			out[i] |= x[at+1] << (64 - lo%64)
		}
	}
	if width%64 > 0 {
		out[len(out)-1] &= 1<<(width%64) - 1
	}
	return out
}

// neighbours returns the number of nets after the first that continue the same source net.
func (b *builder) neighbours(args []Net) (n int) {
	for ; n+1 < len(args); n++ {
		high, ok := b.cuts[args[n]]
		low, too := b.cuts[args[n+1]]
		if !ok || !too || high.of != low.of || high.lo != low.lo+int(b.d.Width[args[n+1]]) {
			break
		}
	}
	return n
}
