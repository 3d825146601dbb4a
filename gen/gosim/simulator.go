package gosim

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// simulator prints the methods of sim.Simulator that access ports.
func (g *generator) simulator() {
	g.f("var ports = []sim.Port{\n")
	for _, x := range g.D.Ports {
		p := x.Sig
		g.f("{Name: %q, Input: %t, Type: ir.Type{Width: %d, Len: %d}},\n", p.Name, p.Kind == ir.Input, p.Type.Width, p.Type.Len)
	}
	g.f("}\n\n// Ports implements sim.Simulator.\nfunc (s *Model) Ports() []sim.Port { return ports }\n\n")
	g.f("// SetReset implements sim.Simulator.\nfunc (s *Model) SetReset(on bool) { s.Reset = on }\n\n")
	g.f("// Close implements sim.Simulator.\nfunc (s *Model) Close() error { return nil }\n\n")
	g.f("// Set implements sim.Simulator. It panics on an output.\nfunc (s *Model) Set(port int, value []uint64) {\nswitch port {\n")
	for i, v := range g.Inputs {
		if v != nil {
			g.f("case %d:\n", i)
			g.print(func(b *code.Builder) { g.setPort(b, i, storage.ValueV, 0) })
		}
	}
	g.f("default:\npanic(%q + ports[port].Name)\n}\n}\n\n", g.pkg+": Set of output ")
	g.f("// Get implements sim.Simulator.\nfunc (s *Model) Get(port int, value []uint64) {\ns.Eval()\nswitch port {\n")
	for i := range g.D.Ports {
		g.f("case %d:\n", i)
		g.print(func(b *code.Builder) { g.getPort(b, i, storage.ValueV, 0) })
	}
	g.f("}\n}\n\n")
	g.frames()
}

// frames prints the methods of sim.Framed.
func (g *generator) frames() {
	inputs, length := g.frame(ir.Input, 1) // after the word of the reset
	g.f("// SetFrame implements sim.Framed.\nfunc (s *Model) SetFrame(in []uint64) {\n_ = in[%d]\ns.Reset = in[0]&1 != 0\n", length-1)
	for _, x := range inputs {
		g.print(func(b *code.Builder) { g.setPort(b, x.port, code.Name("in"), x.word) })
	}
	outputs, length := g.frame(ir.Output, 0)
	g.f("}\n\n// GetFrame implements sim.Framed.\nfunc (s *Model) GetFrame(out []uint64) {\ns.Eval()\n")
	if length > 0 {
		g.f("_ = out[%d]\n", length-1)
	}
	for _, x := range outputs {
		g.print(func(b *code.Builder) { g.getPort(b, x.port, code.Name("out"), x.word) })
	}
	g.f("}\n")
}

// framed is a port and the first word of its value in a frame.
type framed struct{ port, word int }

// frame lays out the ports of a kind like sim.Format: in order, each in whole words. It returns the
// fields and the length of the frame.
func (g *generator) frame(kind ir.Kind, first int) (fields []framed, length int) {
	length = first
	for i, x := range g.D.Ports {
		if x.Sig.Kind == kind {
			fields = append(fields, framed{i, length})
			length += ir.Words(x.Sig.Type.Bits())
		}
	}
	return fields, length
}

// setPort sets input i from an array, starting at a word.
func (g *generator) setPort(b *code.Builder, i int, array *code.Expr, word int) {
	t, port := g.D.Ports[i].Sig.Type, code.Name("s.In.%s", g.Names[i])
	src := make([]*code.Expr, ir.Words(t.Width))
	if t.IsVec() {
		for k := range src {
			src[k] = code.Call("bitsAt", array, storage.LaneL.Mul(code.Int(t.Width)).Add(code.Int(64*(word+k))), code.Int(min(64, t.Width-64*k)))
		}
		b.Times(storage.LaneL, t.Len, func() { b.Do(storage.PutPort(port.Index(storage.LaneL), t.Width, src)...) })
		return
	}
	for k := range src {
		src[k] = array.At(word + k).Low(min(64, t.Width-64*k))
	}
	b.Do(storage.PutPort(port, t.Width, src)...)
}

// getPort copies port i to an array, starting at a word.
func (g *generator) getPort(b *code.Builder, i int, array *code.Expr, word int) {
	t, port := g.D.Ports[i].Sig.Type, code.Name("s.Out.%s", g.Names[i])
	if g.Inputs[i] != nil {
		port = code.Name("s.In.%s", g.Names[i])
	}
	if !t.IsVec() {
		for k, w := range storage.PortWords(port, t.Width) {
			b.Put(array.At(word+k), w)
		}
		return
	}
	b.Do(&code.Do{X: code.Call("clear", array.Part(word, word+ir.Words(t.Bits())))})
	b.Times(storage.LaneL, t.Len, func() {
		for k, w := range storage.PortWords(port.Index(storage.LaneL), t.Width) {
			at := storage.LaneL.Mul(code.Int(t.Width)).Add(code.Int(64 * (word + k)))
			b.Do(&code.Do{X: code.Call("putBits", array, at, code.Int(min(64, t.Width-64*k)), w)})
		}
	})
}
