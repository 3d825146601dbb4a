package sim

import "fmt"

// Framed is a Simulator that transfers all inputs, or all outputs, in one call. Frames follow the
// Format of its ports.
type Framed interface {
	// SetFrame sets the inputs and the reset.
	SetFrame(in []uint64)
	// GetFrame evaluates the combinational logic and copies the outputs into out.
	GetFrame(out []uint64)
}

// Wires holds the ports of a Simulator as words in memory, for benches with many cycles. Drive and
// Settle transfer them to and from the engine, in one call if it is Framed.
type Wires struct {
	driver
	in, out []uint64
}

// NewWires returns the wires of s, all inputs zero. Only the wires may set its inputs from then on.
func NewWires(s Simulator) *Wires {
	f := NewFormat(s.Ports())
	return &Wires{newDriver(s, f), make([]uint64, f.InWords), make([]uint64, f.OutWords)}
}

// SetReset sets the rst that the next Drive transfers.
func (w *Wires) SetReset(on bool) {
	w.in[0] = 0
	if on {
		w.in[0] = 1
	}
}

// Drive transfers the inputs to the engine.
func (w *Wires) Drive() { w.apply(w.in) }

// Settle evaluates the combinational logic with the inputs of the last Drive and reads the outputs.
func (w *Wires) Settle() { w.read(w.out) }

// Find returns the named port. It panics if there is none.
func (w *Wires) Find(name string) Wire {
	x, ok := w.Lookup(name)
	if !ok {
		panic("sim: no port " + name)
	}
	return x
}

// Lookup returns the named port, and reports whether there is one.
func (w *Wires) Lookup(name string) (Wire, bool) {
	for _, side := range []struct {
		fields []Field
		frame  []uint64
	}{{w.f.In, w.in}, {w.f.Out, w.out}} {
		for _, x := range side.fields {
			if p := w.f.Ports[x.Port]; p.Name == name {
				return Wire{x.Of(side.frame), uint(p.Type.Bits()), name}, true
			}
		}
	}
	return Wire{}, false
}

// Wire is a port of Wires. A value wider than the port is a bug in the bench, so Set panics.
type Wire struct {
	words []uint64
	bits  uint
	name  string
}

// Bits returns the width of the port.
func (w Wire) Bits() int { return int(w.bits) }

// Set sets the low 64 bits to v and all higher bits to zero.
func (w Wire) Set(v uint64) {
	if v>>w.bits != 0 {
		w.refuse(v)
	}
	w.words[0] = v
	if len(w.words) > 1 {
		clear(w.words[1:])
	}
}

func (w Wire) refuse(v uint64) {
	panic(fmt.Sprintf("sim: %#x does not fit in port %s of %d bits", v, w.name, w.bits))
}

// SetBool sets a one-bit port.
func (w Wire) SetBool(v bool) {
	var x uint64
	if v {
		x = 1
	}
	w.words[0] = x
}

// Get returns the low 64 bits.
func (w Wire) Get() uint64 { return w.words[0] }

// Bool reports whether the low 64 bits of the port are nonzero.
func (w Wire) Bool() bool { return w.words[0] != 0 }

// Words returns the whole value in little-endian words. The result aliases the port: writing to it
// changes the port, and bits above the width must remain zero.
func (w Wire) Words() []uint64 { return w.words }
