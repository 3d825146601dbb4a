// Command asm generates the amd64 assembly of package kernel, for AVX2 with FMA and for AVX-512. It
// is a separate module, so that the project does not depend on avo.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	lanes     = 32        // kernel.Lanes
	rowBytes  = 4 * lanes // bytes of a feature in a panel
	pairBytes = 8         // bytes of a float64
)

func main() {
	ConstraintExpr("amd64")
	for _, m := range []machine{avx2, avx512} {
		linear(m, m.rows)
		linear(m, 1)
		products(m)
		sums(m)
		rectify(m)
		rectifyBack(m)
		dots(m)
		mulRows(m)
		maxAbs(m)
		axpy(m)
	}
	pack("pack", false)
	pack("packOdd", true)
	addOdd()
	Generate()
}

// machine is an instruction set.
type machine struct {
	name    string
	bytes   int // bytes per vector
	vector  func() reg.VecVirtual
	rows    int // rows of a tile of linear
	groups  int // groups of lanes that a tile of linear processes sequentially
	outputs int // rows of a tile of products
	inputs  int // vectors per row of a tile of products
}

var (
	avx2   = machine{name: "AVX2", bytes: 32, vector: YMM, rows: 4, groups: 2, outputs: 4, inputs: 3}
	avx512 = machine{name: "AVX512", bytes: 64, vector: ZMM, rows: 8, groups: 1, outputs: 8, inputs: 3}
)

func (m machine) vectors(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = m.vector()
	}
	return v
}

func (m machine) function(name, signature, doc string) {
	TEXT(name+m.name, NOSPLIT, "func"+signature)
	Pragma("noescape")
	Doc(name + m.name + " " + doc)
}

// zero clears a vector.
func (m machine) zero(v reg.VecVirtual) {
	if m.bytes == 64 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
}

// loop runs body n times; n may be 0.
func loop(name string, n reg.GPVirtual, body func()) {
	Label(name)
	TESTQ(n, n)
	JZ(LabelRef(name + "_end"))
	body()
	DECQ(n)
	JMP(LabelRef(name))
	Label(name + "_end")
}

func load(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// linear computes a tile of y = init + w*x. Each product is rounded before it is added.
func linear(m machine, rows int) {
	name := "linearTile"
	if rows == 1 {
		name = "linearRow"
	}
	m.function(name, "(y, init, w, x *float32, initStep, rowStep, termStep, terms int)",
		"computes rows of a panel, y[r] = init[r] + w[r][0]*x[0] + w[r][1]*x[1] + .... Steps are in bytes.")
	y, x := load("y"), load("x")
	rowStep, termStep := load("rowStep"), load("termStep")
	groups := m.groups
	perGroup := lanes / (m.bytes / 4) / groups
	for g := range groups {
		at := GP64()
		Load(Param("init"), at)
		initStep := load("initStep")
		acc := make([][]reg.VecVirtual, rows)
		for r := range acc {
			acc[r] = m.vectors(perGroup)
			VBROADCASTSS(Mem{Base: at}, acc[r][0])
			for _, v := range acc[r][1:] {
				VMOVAPS(acc[r][0], v)
			}
			if r < rows-1 {
				ADDQ(initStep, at)
			}
		}
		w, term, left := GP64(), GP64(), GP64()
		Load(Param("w"), w)
		Load(Param("terms"), left)
		MOVQ(x, term)
		row3, step3 := GP64(), GP64()
		if rows > 1 {
			LEAQ(Mem{Base: rowStep, Index: rowStep, Scale: 2}, step3)
			if rows > 4 {
				LEAQ(Mem{Base: w, Index: step3, Scale: 1}, row3)
			}
		}
		element := func(r int) Mem {
			switch r {
			case 0:
				return Mem{Base: w}
			case 1, 2, 4:
				return Mem{Base: w, Index: rowStep, Scale: uint8(r)}
			case 3:
				return Mem{Base: w, Index: step3, Scale: 1}
			case 6:
				return Mem{Base: w, Index: step3, Scale: 2}
			}
			return Mem{Base: row3, Index: rowStep, Scale: uint8(r - 3)} // 5, 7
		}
		loop("terms"+string(rune('0'+g)), left, func() {
			in := m.vectors(perGroup)
			for v := range in {
				VMOVUPS(Mem{Base: term, Disp: (g*perGroup + v) * m.bytes}, in[v])
			}
			for r := range rows {
				factor := m.vector()
				VBROADCASTSS(element(r), factor)
				for v := range in {
					product := m.vector()
					VMULPS(in[v], factor, product)
					VADDPS(product, acc[r][v], acc[r][v])
				}
			}
			ADDQ(U32(rowBytes), term)
			ADDQ(termStep, w)
			if rows > 4 {
				ADDQ(termStep, row3)
			}
		})
		for r := range rows {
			for v := range acc[r] {
				VMOVUPS(acc[r][v], Mem{Base: y, Disp: r*rowBytes + (g*perGroup+v)*m.bytes})
			}
		}
	}
	VZEROUPPER()
	RET()
}

// products adds products to a tile of accumulators.
func products(m machine) {
	m.function("productsTile", "(s, y, x *float64, rowStep, terms int)",
		"adds y[t][i]*x[t][j], for each term t, to s[i][j], each by one fused multiply-add. rowStep is in bytes; y and x are contiguous.")
	s, y, x := load("s"), load("y"), load("x")
	rowStep, left := load("rowStep"), load("terms")
	acc := make([][]reg.VecVirtual, m.outputs)
	row := GP64()
	each := func(f func(v reg.VecVirtual, at Mem)) {
		MOVQ(s, row)
		for i := range acc {
			for j := range acc[i] {
				f(acc[i][j], Mem{Base: row, Disp: j * m.bytes})
			}
			if i < len(acc)-1 {
				ADDQ(rowStep, row)
			}
		}
	}
	for i := range acc {
		acc[i] = m.vectors(m.inputs)
	}
	each(func(v reg.VecVirtual, at Mem) { VMOVUPD(at, v) })
	loop("terms", left, func() {
		in := m.vectors(m.inputs)
		for j := range in {
			VMOVUPD(Mem{Base: x, Disp: j * m.bytes}, in[j])
		}
		for i := range acc {
			factor := m.vector()
			VBROADCASTSD(Mem{Base: y, Disp: i * pairBytes}, factor)
			for j := range in {
				VFMADD231PD(in[j], factor, acc[i][j])
			}
		}
		ADDQ(U32(m.inputs*m.bytes), x)
		ADDQ(U32(m.outputs*pairBytes), y)
	})
	each(func(v reg.VecVirtual, at Mem) { VMOVUPD(v, at) })
	VZEROUPPER()
	RET()
}

// sums adds the terms of a tile's rows.
func sums(m machine) {
	m.function("sumsTile", "(s, y *float64, terms int)", "adds y[t][i], for each term t, to s[i]; y is contiguous.")
	s, y, left := load("s"), load("y"), load("terms")
	acc := m.vector()
	VMOVUPD(Mem{Base: s}, acc)
	loop("terms", left, func() {
		VADDPD(Mem{Base: y}, acc, acc)
		ADDQ(U32(m.bytes), y)
	})
	VMOVUPD(acc, Mem{Base: s})
	VZEROUPPER()
	RET()
}

// pack writes 4 features of inputs as float64, input by input, for 4 inputs at a time. Wider
// vectors would not be faster: a float64 needs twice the space, and the transposition dominates the
// time.
func pack(name string, odd bool) {
	avx2.function(name, "(dst *float64, x *float32, step, quads int)",
		"writes 4 rows of a panel as columns, for quads of 4 lanes each; columns are step bytes apart.")
	dst, x, step, left := load("dst"), load("x"), load("step"), load("quads")
	step3 := GP64()
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
	var o oddness
	if odd {
		o = newOddness()
	}
	loop("quads", left, func() {
		row, mixed := [4]reg.VecVirtual{}, [4]reg.VecVirtual{}
		for i := range row {
			row[i], mixed[i] = XMM(), XMM()
			VMOVUPS(Mem{Base: x, Disp: i * rowBytes}, row[i])
		}
		VUNPCKLPS(row[1], row[0], mixed[0]) // lanes 0 and 1 of rows 0 and 1
		VUNPCKLPS(row[3], row[2], mixed[1])
		VUNPCKHPS(row[1], row[0], mixed[2]) // lanes 2 and 3
		VUNPCKHPS(row[3], row[2], mixed[3])
		VMOVLHPS(mixed[1], mixed[0], row[0])
		VMOVHLPS(mixed[0], mixed[1], row[1])
		VMOVLHPS(mixed[3], mixed[2], row[2])
		VMOVHLPS(mixed[2], mixed[3], row[3])
		at := []Mem{{Base: dst}, {Base: dst, Index: step, Scale: 1}, {Base: dst, Index: step, Scale: 2}, {Base: dst, Index: step3, Scale: 1}}
		for i := range row {
			column := YMM()
			VCVTPS2PD(row[i], column)
			if odd {
				o.set(column)
			}
			VMOVUPD(column, at[i])
		}
		ADDQ(U32(16), x)
		LEAQ(Mem{Base: dst, Index: step, Scale: 4}, dst)
	})
	VZEROUPPER()
	RET()
}

// oddness contains the constants for setting the last bit of non-zero numbers.
type oddness struct{ one, zero reg.VecVirtual }

func newOddness() oddness {
	o := oddness{YMM(), YMM()}
	bit, low := GP64(), XMM()
	MOVQ(U32(1), bit)
	VMOVQ(bit, low)
	VPBROADCASTQ(low, o.one)
	VXORPD(o.zero, o.zero, o.zero)
	return o
}

func (o oddness) set(v reg.VecVirtual) {
	const notEqual = 4
	last := YMM()
	VCMPPD(U8(notEqual), o.zero, v, last)
	VANDPD(o.one, last, last)
	VORPD(last, v, v)
}

// addOdd adds numbers with their last bit set.
func addOdd() {
	avx2.function("addOdd", "(s *float64, x *float32, quads int)", "adds x, as float64 with the last bit set, to s, in quads of 4 values.")
	s, x, left := load("s"), load("x"), load("quads")
	o := newOddness()
	loop("quads", left, func() {
		v := YMM()
		VCVTPS2PD(Mem{Base: x}, v)
		o.set(v)
		VADDPD(Mem{Base: s}, v, v)
		VMOVUPD(v, Mem{Base: s})
		ADDQ(U32(16), x)
		ADDQ(U32(32), s)
	})
	VZEROUPPER()
	RET()
}

// positive masks v: it keeps the elements for which x is above zero or NaN, and clears the others.
func (m machine) positive(x, v reg.VecVirtual) {
	const notLessOrEqual = 6 // true for unordered operands
	zero := m.vector()
	m.zero(zero)
	if m.bytes == 64 {
		k := K()
		VCMPPS(U8(notLessOrEqual), zero, x, k)
		VMOVAPS_Z(v, k, v)
		return
	}
	mask := m.vector()
	VCMPPS(U8(notLessOrEqual), zero, x, mask)
	VANDPS(mask, v, v)
}

func rectify(m machine) {
	m.function("rectify", "(x *float32, rows int)", "replaces what is at most 0 by 0, in rows of a panel.")
	x, rows := load("x"), load("rows")
	loop("rows", rows, func() {
		for d := 0; d < rowBytes; d += m.bytes {
			v := m.vector()
			VMOVUPS(Mem{Base: x, Disp: d}, v)
			m.positive(v, v)
			VMOVUPS(v, Mem{Base: x, Disp: d})
		}
		ADDQ(U32(rowBytes), x)
	})
	VZEROUPPER()
	RET()
}

func rectifyBack(m machine) {
	m.function("rectifyBack", "(dx, x *float32, rows int)", "replaces dx by 0 where x is at most 0, in rows of a panel.")
	dx, x, rows := load("dx"), load("x"), load("rows")
	loop("rows", rows, func() {
		for d := 0; d < rowBytes; d += m.bytes {
			v, dv := m.vector(), m.vector()
			VMOVUPS(Mem{Base: x, Disp: d}, v)
			VMOVUPS(Mem{Base: dx, Disp: d}, dv)
			m.positive(v, dv)
			VMOVUPS(dv, Mem{Base: dx, Disp: d})
		}
		ADDQ(U32(rowBytes), x)
		ADDQ(U32(rowBytes), dx)
	})
	VZEROUPPER()
	RET()
}

// dots multiplies one vector with several vectors.
func dots(m machine) {
	m.function("dots", "(z, a, b *float32, dim, count int)",
		"computes z[c] = a[0]*b[c][0] + a[1]*b[c][1] + ..., a row of a panel for each of count vectors of dim rows.")
	z, b, dim, count := load("z"), load("b"), load("dim"), load("count")
	n := rowBytes / m.bytes
	loop("vectors", count, func() {
		sum := m.vectors(n)
		for _, v := range sum {
			m.zero(v)
		}
		a, left := load("a"), GP64()
		MOVQ(dim, left)
		loop("rows", left, func() {
			for i, v := range sum {
				product := m.vector()
				VMOVUPS(Mem{Base: a, Disp: i * m.bytes}, product)
				VMULPS(Mem{Base: b, Disp: i * m.bytes}, product, product)
				VADDPS(product, v, v)
			}
			ADDQ(U32(rowBytes), a)
			ADDQ(U32(rowBytes), b)
		})
		for i, v := range sum {
			VMOVUPS(v, Mem{Base: z, Disp: i * m.bytes})
		}
		ADDQ(U32(rowBytes), z)
	})
	VZEROUPPER()
	RET()
}

func mulRows(m machine) {
	m.function("mulRows", "(y, a, x *float32, rows int)", "adds a*x[r] to y[r], for rows of a panel; a is one row.")
	y, a, x, rows := load("y"), load("a"), load("x"), load("rows")
	factor := m.vectors(rowBytes / m.bytes)
	for i, v := range factor {
		VMOVUPS(Mem{Base: a, Disp: i * m.bytes}, v)
	}
	loop("rows", rows, func() {
		for i, f := range factor {
			product := m.vector()
			VMULPS(Mem{Base: x, Disp: i * m.bytes}, f, product)
			VADDPS(Mem{Base: y, Disp: i * m.bytes}, product, product)
			VMOVUPS(product, Mem{Base: y, Disp: i * m.bytes})
		}
		ADDQ(U32(rowBytes), x)
		ADDQ(U32(rowBytes), y)
	})
	VZEROUPPER()
	RET()
}

func maxAbs(m machine) {
	m.function("maxAbs", "(top *uint32, x *float32, rows int)",
		"raises top to the largest bits of |x|, for each lane of rows of a panel.")
	top, x, rows := load("top"), load("x"), load("rows")
	largest := m.vectors(rowBytes / m.bytes)
	for i, v := range largest {
		VMOVUPS(Mem{Base: top, Disp: i * m.bytes}, v)
	}
	magnitude := m.vector()
	bits := GP32()
	MOVL(U32(1<<31-1), bits)
	low := XMM()
	VMOVD(bits, low)
	VPBROADCASTD(low, magnitude)
	loop("rows", rows, func() {
		for i, v := range largest {
			abs := m.vector()
			VMOVUPS(Mem{Base: x, Disp: i * m.bytes}, abs)
			if m.bytes == 64 {
				VPANDD(magnitude, abs, abs)
			} else {
				VPAND(magnitude, abs, abs)
			}
			VPMAXUD(abs, v, v)
		}
		ADDQ(U32(rowBytes), x)
	})
	for i, v := range largest {
		VMOVUPS(v, Mem{Base: top, Disp: i * m.bytes})
	}
	VZEROUPPER()
	RET()
}

func axpy(m machine) {
	m.function("axpy", "(y, x *float32, a float32, blocks int)", "adds a*x to y, in blocks of 16 values.")
	y, x, blocks := load("y"), load("x"), load("blocks")
	scalar, factor := XMM(), m.vector()
	Load(Param("a"), scalar)
	VBROADCASTSS(scalar, factor)
	loop("blocks", blocks, func() {
		for d := 0; d < 64; d += m.bytes {
			product := m.vector()
			VMULPS(Mem{Base: x, Disp: d}, factor, product)
			VADDPS(Mem{Base: y, Disp: d}, product, product)
			VMOVUPS(product, Mem{Base: y, Disp: d})
		}
		ADDQ(U32(64), x)
		ADDQ(U32(64), y)
	})
	VZEROUPPER()
	RET()
}
