package gosim

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// copiedPorts prints a structure of ports: arrays indexed by instance.
func (g *generator) copiedPorts(name, what string, kind ir.Kind) {
	c := g.copies
	g.f("// %s are the %s: [i] at the end is copy i, and before it is the element of a vector, and the\n// word of what is wider than 64 bits, the first least significant. Unused high bits %s zero.\ntype %s struct {\n",
		name, what, map[ir.Kind]string{ir.Input: "must be", ir.Output: "are"}[kind], name)
	for i, x := range c.of.Ports {
		p := x.Sig
		if p.Kind != kind {
			continue
		}
		doc := ""
		if p.Doc != "" {
			doc = ", " + strings.ReplaceAll(p.Doc, "\n", " ")
		}
		g.f("%s %s // %s: %s%s\n", c.names[i], c.portType(p.Type), p.Name, bitsText(p.Type), doc)
	}
	if r := c.split.Reset; r >= 0 && kind == ir.Input {
		g.f("%s [Copies]bool // rst of each\n", g.Names[r])
	}
	if g.blocks != nil && kind == ir.Input {
		g.f("_ [%d]byte // kernels read whole vectors\n", kernel.Beyond)
	}
	g.f("}\n\n")
}

// portType returns the Go type of a port of all instances.
func (c *copies) portType(t ir.Type) string {
	elem := storage.ElemType(t.Width)
	if t.Width == 1 {
		elem = "bool"
	}
	text := ""
	if t.IsVec() {
		text = fmt.Sprintf("[%d]", t.Len)
	}
	if t.Width > 64 {
		text += fmt.Sprintf("[%d]", ir.Words(t.Width))
	}
	return text + "[Copies]" + elem
}

// view prints the access to single instances.
func (g *generator) view() {
	c := g.copies
	g.f(`// Copies is the number of instances in a Model.
const Copies = %d

// Copy is a view of the ports and the state of one instance. It implements sim.Copy.
type Copy struct {
	s *Model
	i int
}

// Copy returns instance i of s.
func (s *Model) Copy(i int) sim.Copy {
	if i < 0 || i >= Copies {
		panic("%s: no such copy")
	}
	return Copy{s, i}
}

// Copies returns the number of instances.
func (s *Model) Copies() int { return Copies }

// ofCopy lists the states of an instance, when a model exists.
var ofCopy = sync.OnceValue(func() []sim.State { return sim.StatesOfCopy(states.List, Copies) })

var portsOfCopy = []sim.Port{
`, c.n, g.pkg)
	for _, x := range c.of.Ports {
		g.f("{Name: %q, Input: %t, Type: ir.Type{Width: %d, Len: %d}},\n", x.Sig.Name, x.Sig.Kind == ir.Input, x.Sig.Type.Width, x.Sig.Type.Len)
	}
	reset := ""
	if r := c.split.Reset; r >= 0 {
		reset = fmt.Sprintf("c.s.In.%s[c.i] = on\n", g.Names[r])
	}
	g.f(`}

// Ports returns the ports of the design.
func (c Copy) Ports() []sim.Port { return portsOfCopy }

// State lists the registers and memories of the design.
func (c Copy) State() []sim.State { return ofCopy() }

// Read implements sim.Copy.
func (c Copy) Read(i, word int) []uint64 { return c.s.Read(i*Copies+c.i, word) }

// Write implements sim.Copy.
func (c Copy) Write(i, word int, value []uint64) { c.s.Write(i*Copies+c.i, word, value) }

// Peek returns the current value of the register with this path as little-endian words,
// valid until the next call, and whether it exists.
func (c Copy) Peek(path string) ([]uint64, bool) { return c.s.Peek(sim.PathOfCopy(c.i, path)) }

// PeekMem returns the current value of a word of the memory with this path, and whether
// the word exists.
func (c Copy) PeekMem(path string, word int) ([]uint64, bool) {
	return c.s.PeekMem(sim.PathOfCopy(c.i, path), word)
}

// Poke sets the register with this path to little-endian words. It reports whether the
// register exists.
func (c Copy) Poke(path string, value []uint64) bool {
	return c.s.Poke(sim.PathOfCopy(c.i, path), value)
}

// PokeMem sets a word of the memory with this path to little-endian words. It reports
// whether the word exists.
func (c Copy) PokeMem(path string, word int, value []uint64) bool {
	return c.s.PokeMem(sim.PathOfCopy(c.i, path), word, value)
}

// SetReset sets the reset of the instance, in addition to the reset of all.
func (c Copy) SetReset(on bool) {
	%s}

// Set sets an input of the instance. It panics on an output.
func (c Copy) Set(port int, value []uint64) {
	in, l := c.s.In, c.i
	_, _, _ = in, l, value
	switch port {
`, reset)
	for i, x := range c.of.Ports {
		if x.Sig.Kind == ir.Input {
			g.f("case %d:\n", i)
			c.transfer(g, i, "in", true)
		}
	}
	g.f("default:\npanic(%q + portsOfCopy[port].Name)\n}\n}\n\n", g.pkg+": Set of output ")
	g.f("// Get gives the value of a port of the copy.\nfunc (c Copy) Get(port int, value []uint64) {\nc.s.Eval()\nin, out, l := c.s.In, &c.s.Out, c.i\n_, _, _ = in, out, l\nswitch port {\n")
	for i, x := range c.of.Ports {
		g.f("case %d:\n", i)
		from := "out"
		if x.Sig.Kind == ir.Input {
			from = "in"
		}
		c.transfer(g, i, from, false)
	}
	g.f("}\n}\n")
}

// transfer prints how port i of an instance takes or returns a value.
func (c *copies) transfer(g *generator, i int, side string, set bool) {
	t := c.of.Ports[i].Sig.Type
	port := code.Name("%s.%s", side, c.names[i])
	g.print(func(b *code.Builder) {
		if !t.IsVec() {
			transfer(b, port, t, nil, set)
			return
		}
		if !set {
			b.Do(&code.Do{X: code.Call("clear", storage.ValueV.Part(0, ir.Words(t.Bits())))})
		}
		b.Times(storage.ElemK, t.Len, func() { transfer(b, port.Index(storage.ElemK), t, storage.ElemK, set) })
	})
}

// transfer moves an element of a port of type t to or from the words of a value. If k is not nil,
// the element is number k of a vector.
func transfer(b *code.Builder, port *code.Expr, t ir.Type, k *code.Expr, set bool) {
	size := min(64, t.Width)
	for w := range ir.Words(t.Width) {
		at, bits := port, min(64, t.Width-64*w)
		if t.Width > 64 {
			at = at.At(w)
		}
		at = at.Index(storage.LaneL)
		value, x := storage.ValueV.At(w), storage.PortWords(at, size)[0]
		switch {
		case k == nil && set:
			b.Do(storage.PutPort(at, size, []*code.Expr{value.Low(bits)})...)
		case k == nil:
			b.Put(value, x)
		default:
			place := k.Mul(code.Int(t.Width)).Add(code.Int(64 * w))
			if set {
				b.Do(storage.PutPort(at, size, []*code.Expr{code.Call("bitsAt", storage.ValueV, place, code.Int(bits))})...)
			} else {
				b.Do(&code.Do{X: code.Call("putBits", storage.ValueV, place, code.Int(bits), x)})
			}
		}
	}
}
