package interp

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// direct maps operators whose instruction requires only the operands' slots and at most one
// parameter.
var direct = map[ir.Op]opcode{
	ir.Not: opNot, ir.RedAnd: opRedAnd, ir.RedXor: opRedXor,
	ir.Add: opAdd, ir.Sub: opSub, ir.Mul: opMul, ir.DivU: opDivU, ir.ModU: opModU, ir.And: opAnd, ir.Xor: opXor,
	ir.Eq: opEq, ir.Ne: opNe, ir.LtU: opLtU, ir.LeU: opLeU, ir.LtS: opLtS,
	ir.Shl: opShl, ir.ShrU: opShrU, ir.ShrS: opShrS, ir.Mux: opMux, ir.SExt: opSExt,
	ir.Lowest: opLowest, ir.Encode: opEncode, ir.PopCount: opPopCount,
}

// listed maps operators with a leading operand and a list of elements.
var listed = map[ir.Op]opcode{ir.Elem: opElem, ir.EqLanes: opEqLanes, ir.Select: opSelect, ir.Update: opUpdate, ir.Route: opRoute}

// instruction compiles op to instruction i.
func (c *compiler) instruction(i int, op *netlist.Op) {
	in := &c.code[i]
	in.out = c.slots[op.Out]
	c.use(operations, i, op.Args...)
	if op.Code == ir.MemRead {
		c.mems[op.Lo].readers = append(c.mems[op.Lo].readers, reader{c.slots[op.Args[0]], uint32(c.words(op.Args[0])), int32(i), op.Out})
	}
	if !c.narrow(op) {
		in.op, in.imm = opWide, uint64(len(c.wide))
		c.wide = append(c.wide, c.wideOp(op))
		return
	}
	c.operands(in, op)
	switch code, ok := direct[op.Code]; {
	case ok:
		in.op = code
		c.parameters(in, op)
	case op.Code == ir.Slice:
		c.slice(in, op)
	default:
		c.listed(in, op)
	}
}

// operands sets up to three operands.
func (c *compiler) operands(in *instr, op *netlist.Op) {
	for k, to := range []*uint32{&in.a, &in.b, &in.c} {
		if k < len(op.Args) {
			*to = c.slots[op.Args[k]]
		}
	}
}

// narrow reports whether op has an instruction on single words.
func (c *compiler) narrow(op *netlist.Op) bool {
	if c.width(op.Out) > 64 {
		return false
	}
	if op.Code == ir.Slice {
		return true
	}
	for _, a := range op.Args {
		if c.width(a) > 64 {
			return false
		}
	}
	return true
}

func ones(width int) uint64 { return ^uint64(0) >> (64 - width) }

// parameters sets mask and shift of a direct operator.
func (c *compiler) parameters(in *instr, op *netlist.Op) {
	w, v := c.width(op.Out), c.width(op.Args[0])
	in.imm = ones(w)
	switch op.Code {
	case ir.RedAnd:
		in.imm = ones(v)
	case ir.LtS, ir.SExt:
		in.sh = uint8(64 - v)
	case ir.ShrS:
		in.sh = uint8(64 - w)
	}
}

// slice compiles a slice, which reads one or two words of its operand.
func (c *compiler) slice(in *instr, op *netlist.Op) {
	w, lo := c.width(op.Out), int(op.Lo)
	in.op, in.imm = opSlice, ones(w)
	in.a += uint32(lo / 64)
	in.sh = uint8(lo % 64)
	if lo%64+w > 64 {
		in.op = opSlice2
	}
}

// listed compiles an operator whose operands are in args.
func (c *compiler) listed(in *instr, op *netlist.Op) {
	switch op.Code {
	case ir.Or:
		switch len(op.Args) {
		case 1:
			in.op = opCopy
		case 2:
			in.op = opOr
		default:
			in.op = opOrN
			in.b, in.c = c.list(op.Args)
		}
	case ir.Concat:
		if len(op.Args) == 2 {
			in.op, in.sh = opConcat, uint8(c.width(op.Args[1]))
			return
		}
		in.op = opConcatN
		in.b, in.c = c.shiftedList(op.Args)
	case ir.MemRead:
		in.op, in.b = opMemRead, uint32(op.Lo)
	case ir.Elem, ir.EqLanes, ir.Select, ir.Update, ir.Route:
		in.op, in.imm = listed[op.Code], uint64(op.NOut)
		in.b, in.c = c.list(op.Args[1:])
	default:
		panic(fmt.Sprintf("interp: operator %s in a flat design", op.Code))
	}
}

// list appends the slots of nets to args.
func (c *compiler) list(nets []netlist.Net) (lo, hi uint32) {
	lo = uint32(len(c.args))
	for _, n := range nets {
		c.args = append(c.args, c.slots[n])
	}
	return lo, uint32(len(c.args))
}

// shiftedList appends pairs of a slot and its position in the result to args.
func (c *compiler) shiftedList(nets []netlist.Net) (lo, hi uint32) {
	lo = uint32(len(c.args))
	at := 0
	for k := len(nets) - 1; k >= 0; k-- {
		c.args = append(c.args, c.slots[nets[k]], uint32(at))
		at += c.width(nets[k])
	}
	return lo, uint32(len(c.args))
}
