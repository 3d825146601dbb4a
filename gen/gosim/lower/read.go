package lower

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Word returns an operand of more than one bit.
func (lo *Builder) Word(o plan.Operand) kernel.Value {
	switch {
	case o.Width > lo.Kernel.Size:
		return lo.Fail("an operand of %d bits in words of %d", o.Width, lo.Kernel.Size)
	case o.K != nil:
		return lo.Kernel.Const(o.K[0])
	case o.Ks != nil:
		return lo.Kernel.Table(firsts(o.Ks))
	case o.V.Port != "":
		return lo.Fail("port %s", o.V.Port)
	}
	if x, ok := lo.Local[o.V]; ok && o.Same(lo.Kernel.Lanes) {
		return lo.Kernel.Resize(x)
	}
	if at, ok := lo.Places[o.V]; ok {
		return lo.Kernel.Load(at)
	}
	at := PlaceOf(o.V)
	if o.V.Lanes == 1 {
		at.Size = lo.Kernel.Size
	}
	bytes := lo.lanesOf(o)
	for l := range bytes {
		bytes[l] *= o.V.Stride() / 8
	}
	return lo.Kernel.Pick(at, bytes)
}

// firsts returns the first words of constants.
func firsts(ks [][]uint64) []int {
	out := make([]int, len(ks))
	for l, k := range ks {
		out[l] = int(k[0])
	}
	return out
}

// Mask returns an operand of one bit.
func (lo *Builder) Mask(o plan.Operand) kernel.Value {
	k := lo.Kernel
	switch {
	case o.K != nil && o.K[0] == 0:
		return k.Do(kernel.NotEqual, k.Const(0), k.Const(0))
	case o.K != nil:
		return k.Do(kernel.Equal, k.Const(0), k.Const(0))
	case o.Ks != nil:
		return k.Test(k.Table(firsts(o.Ks)), 1)
	case o.V.Port != "":
		return lo.Fail("port %s", o.V.Port)
	}
	if x, ok := lo.Local[o.V]; ok && o.Same(lo.Kernel.Lanes) {
		return x
	}
	if at, ok := lo.Places[o.V]; ok && at.Size > 0 {
		return lo.flag(at)
	} else if ok {
		return k.LoadMask(at)
	}
	at := PlaceOf(o.V)
	at.Size = 0
	numbers := lo.lanesOf(o)
	if o.V.Lanes == 1 {
		clear(numbers)
	}
	return k.PickMask(at, numbers)
}

// flag returns a mask that memory stores as words. It reads only these words.
func (lo *Builder) flag(at kernel.Place) kernel.Value {
	size := lo.Kernel.Size
	defer func() { lo.Kernel.Size = size }()
	lo.Kernel.Size = at.Size
	return lo.Kernel.Test(lo.Kernel.Load(at), 1)
}

// Whole returns any operand as words.
func (lo *Builder) Whole(o plan.Operand) kernel.Value {
	if o.Width > 1 || o.K != nil {
		return lo.Word(o)
	}
	return lo.Kernel.Keep(lo.Mask(o), lo.Kernel.Const(1))
}

// fewSources is the maximum number of values from which a gather takes lanes.
const fewSources = 4

// gathered returns lanes of several values, and constants.
func (lo *Builder) gathered(n *plan.Node) kernel.Value {
	k := lo.Kernel
	var from []*plan.Value
	constants := make([]int, n.Lanes)
	for l, r := range n.Moves {
		switch {
		case r.V == nil:
			constants[l] = int(r.K[0])
		case r.V.Port != "" || r.V.Of != nil:
			return lo.Fail("a port, or bits of words")
		case !slices.Contains(from, r.V):
			from = append(from, r.V)
		}
	}
	if len(from) == 0 || len(from) > fewSources {
		return lo.Fail("lanes of %d values", len(from))
	}
	x := k.Table(constants)
	for i, v := range from {
		lanes, in := make([]int, n.Lanes), make([]int, n.Lanes)
		first := slices.IndexFunc(n.Moves, func(r plan.Ref) bool { return r.V == v })
		for l, r := range n.Moves {
			lanes[l] = n.Moves[first].Lane // any lane serves where it is not used
			if r.V == v {
				lanes[l], in[l] = r.Lane, 1
			}
		}
		y := lo.Word(plan.Operand{V: v, Table: lanes, Width: n.Width})
		if i == 0 && !slices.Contains(in, 0) {
			return y
		}
		x = k.Do(kernel.Blend, k.Test(k.Table(in), 1), y, x)
	}
	return x
}

// read returns a word of a memory.
func (lo *Builder) read(n *plan.Node) kernel.Value {
	k, m := lo.Kernel, n.Mem
	if !n.Vectorable() {
		return lo.Fail("a memory of words of %d bits", m.Width)
	}
	x := lo.Whole(n.Args[0])
	use := lo.Mask(plan.Always)
	if !plan.Bounded(n.Args[0].Width, m.Room) {
		use = k.Do(kernel.Less, x, k.Const(uint64(m.Room)))
	}
	if lo.Use != kernel.None {
		use = k.Do(kernel.MaskAnd, use, lo.Use)
	}
	return k.Gather(PlaceOfMemory(m), lo.Address(m, x, n.MemAt), use)
}

// joined returns memory reinterpreted as words of width bits.
func (lo *Builder) joined(v *plan.Value, width int) kernel.Value {
	if !slices.Contains([]int{8, 16, 32, 64}, width) || v.Port != "" {
		return lo.Fail("words of %d bits", width)
	}
	at := PlaceOf(v)
	at.Size = width
	return lo.Kernel.Load(at)
}

// slice returns a part of a word, or of memory.
func (lo *Builder) slice(n *plan.Node) kernel.Value {
	k, a := lo.Kernel, n.Args[0]
	_, here := lo.Local[a.V]
	here = here && a.Same(n.Lanes)
	if a.K != nil || a.Ks != nil || a.Width == 1 {
		return lo.Fail("a constant or a bit, cut")
	}
	if here || a.Width <= k.Size && a.Table == nil && n.Lo.Constant() && a.V.Lanes > 1 {
		return lo.part(lo.Word(a), n)
	}
	if words := lo.wide[a.V]; words != nil && !a.V.Stored { // the value is not in memory
		return lo.cut(words, n)
	}
	if a.V.Port != "" {
		return lo.Fail("port %s", a.V.Port)
	}
	bits := lo.lanesOf(a)
	for l := range bits {
		bits[l] = bits[l]*a.V.Stride() + n.Lo.At(l)
	}
	return lo.field(a.V, bits, n.Width)
}

// cut returns the bits of words, a value of the same lanes, that the slice n extracts.
func (lo *Builder) cut(words []kernel.Value, n *plan.Node) kernel.Value {
	if !n.Args[0].Same(n.Lanes) || !n.Lo.Constant() {
		return lo.Fail("bits of another lane, or others in each lane, of %d", n.Args[0].Width)
	}
	x := lo.trimmed(lo.down(words, n.Lo.Add), n.Width)[0]
	if n.Width == 1 {
		return lo.Kernel.Test(x, 1)
	}
	return x
}

// field returns width bits of the storage of v, starting at a bit given for each lane.
func (lo *Builder) field(v *plan.Value, bits []int, width int) kernel.Value {
	k := lo.Kernel
	bytes, shifts := make([]int, len(bits)), make([]int, len(bits))
	for l, b := range bits {
		bytes[l], shifts[l] = b/8, b%8
	}
	if slices.Max(shifts)+width > k.Size {
		return lo.Fail("%d bits behind bit %d", width, slices.Max(shifts))
	}
	at, ok := lo.Places[v]
	if !ok {
		at = PlaceOf(v)
	}
	at.Size = k.Size
	x := k.Pick(at, bytes)
	if slices.Min(shifts) == slices.Max(shifts) {
		if width == 1 {
			return k.Test(x, 1<<shifts[0])
		}
		return k.And(k.Shift(x, -shifts[0]), plan.Ones(width))
	}
	return lo.moved(x, shifts, width)
}

// moved returns width bits of x, starting at a bit that differs by lane.
func (lo *Builder) moved(x kernel.Value, by []int, width int) kernel.Value {
	if lo.Kernel.Size == 8 {
		return lo.Fail("bytes moved by lane")
	}
	x = lo.Kernel.Do(kernel.ShrBy, x, lo.Kernel.Table(by))
	if width == 1 {
		return lo.Kernel.Test(x, 1)
	}
	return lo.Kernel.And(x, plan.Ones(width))
}

// part returns the bits of x that the slice n extracts.
func (lo *Builder) part(x kernel.Value, n *plan.Node) kernel.Value {
	k := lo.Kernel
	if !n.Lo.Constant() {
		shifts := make([]int, n.Lanes)
		for l := range shifts {
			shifts[l] = n.Lo.At(l)
		}
		return lo.moved(x, shifts, n.Width)
	}
	if n.Width == 1 {
		return k.Test(x, 1<<n.Lo.Add)
	}
	x = k.Shift(x, -n.Lo.Add)
	if n.Lo.Add+n.Width == n.Args[0].Width {
		return x
	}
	return k.And(x, plan.Ones(n.Width))
}
