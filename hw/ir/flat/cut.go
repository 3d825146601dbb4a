package flat

import "github.com/hotline-rtl/hotline/hw/ir"

// cut is where a net lies in another that it is a Slice of.
type cut struct {
	of Net
	lo int
}

// slice is width bits of x from bit lo: of what x is a Slice of, or of the one piece
// of x in which they lie.
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

// join is the nets side by side, the first most significant; neighbours that are parts
// of one net are one Slice of it, so that what is taken apart and put together again
// costs nothing.
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

// part is width bits of x from bit lo.
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

// extend is x in width bits, with zeros above.
func (b *builder) extend(from origin, width int, x Net) Net {
	more := width - int(b.d.Width[x])
	if more == 0 {
		return x
	}
	n := b.one(from, ir.ZExt, width, 0, x)
	b.joins[n] = []Net{b.zeros(more), x}
	return n
}

func (b *builder) zeros(width int) Net { return b.constNet(width, make([]uint64, ir.Words(width))) }

// shift is a shift by a constant: a part of x at another place.
func (b *builder) shift(from origin, code ir.Op, x Net, amount []uint64) Net {
	w, k := int(b.d.Width[x]), clampedTo(amount, int(b.d.Width[x]))
	switch {
	case k == 0:
		return x
	case code == ir.ShrS:
		k = min(k, w-1)
		return b.one(from, ir.SExt, w, 0, b.slice(from, x, k, w-k))
	case k == w:
		return b.zeros(w)
	case code == ir.ShrU:
		return b.extend(from, w, b.slice(from, x, k, w-k))
	}
	return b.join(from, w, []Net{b.slice(from, x, 0, w-k), b.zeros(k)})
}

// clampedTo is a number, or most if it is greater.
func clampedTo(words []uint64, most int) int {
	for _, high := range words[1:] {
		if high != 0 {
			return most
		}
	}
	return int(min(words[0], uint64(most)))
}

// neighbours is how many nets behind the first go on with the net that it is part of.
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

// prune drops the operations whose results nothing needs.
func (d *Design) prune() {
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

// needed tells whether any result is.
func (o Op) needed(nets []bool) bool {
	for k := range Net(o.NOut) {
		if nets[o.Out+k] {
			return true
		}
	}
	return false
}
