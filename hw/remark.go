package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Doc documents the purpose of a port, wire or register. The Verilog prints the text after the
// declaration. Fields of records use a tag instead: doc:"the rows that are left".
func (a Bits) Doc(text string) Bits { return Bits{a.value.doc(text, ir.Caller(0))} }

// Doc documents the purpose of a vector.
func (v Vec) Doc(text string) Vec { return Vec{v.value.doc(text, ir.Caller(0))} }

// Doc documents the words of a memory. The layout of the words is appended.
func (mem Mem[T]) Doc(text string) Mem[T] {
	if pos := ir.Caller(0); !mem.declared(use{pos: pos}) || mem.m.statement(pos).broken {
		return mem
	}
	if layout := mem.of.layout(); layout != "" {
		text += " " + layout
	}
	mem.ir.Doc = text
	return mem
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
