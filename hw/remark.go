package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Doc documents the purpose of a port, wire or register. The Verilog prints the text after the
// declaration. Fields of records use a tag instead: doc:"the rows that are left".
func (a Bits) Doc(text string) Bits { return Bits{a.value.doc(text, ir.Caller(0))} }

// Doc documents the purpose of a vector.
func (v Vec) Doc(text string) Vec { return Vec{v.value.doc(text, ir.Caller(0))} }

// Doc documents the words of a memory. The layout of the words is appended.
func (mem Mem[T]) Doc(text string) Mem[T] {
	mem.g.doc(text, ir.Caller(0))
	return mem
}

func (g *memory) doc(text string, pos ir.Pos) {
	if !g.declared(use{pos: pos}) || g.m.statement(pos).broken {
		return
	}
	if layout := g.of.layout(); layout != "" {
		text += " " + layout
	}
	g.ir.Doc = text
}

func (v *value) doc(text string, pos ir.Pos) *value {
	if v == nil || v.m == nil {
		refuse(begin(pos, v), "only a signal can have a Doc")
		return v
	}
	u := v.m.statement(pos, v)
	switch {
	case u.broken:
	case v.e.Op != ir.Ref || v.e.Sig.Pin != nil:
		u.errorf("direction", "only a signal that the module declares can have a Doc; name the value with As")
	default:
		v.e.Sig.Doc = text
	}
	return v
}
