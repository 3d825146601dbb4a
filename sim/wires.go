package sim

import "fmt"

// Framed is a Simulator that takes all inputs, and gives all outputs, in one
// call, as frames of the Format of its ports.
type Framed interface {
	// SetFrame sets the inputs and the reset.
	SetFrame(in []uint64)
	// GetFrame writes the outputs, settled, into out.
	GetFrame(out []uint64)
}

// Wires are the ports of a Simulator as words in memory, for benches that run
// long: Drive and Settle carry them from and to the engine, all at once if it is
// Framed.
type Wires struct {
	driver
	in, out []uint64
}

// NewWires makes the wires of s, all inputs zero. Nobody else may set its inputs.
func NewWires(s Simulator) *Wires {
	f := NewFormat(s.Ports())
	return &Wires{newDriver(s, f), make([]uint64, f.InWords), make([]uint64, f.OutWords)}
}

// SetReset is the rst that Drive gives.
func (w *Wires) SetReset(on bool) {
	w.in[0] = 0
	if on {
		w.in[0] = 1
	}
}

// Drive gives the inputs to the engine.
func (w *Wires) Drive() { w.apply(w.in) }

// Settle reads the outputs, settled with the inputs of the last Drive.
func (w *Wires) Settle() { w.read(w.out) }

// Find is the port of that name; it panics if there is none.
func (w *Wires) Find(name string) Wire {
	for _, side := range []struct {
		fields []Field
		frame  []uint64
	}{{w.f.In, w.in}, {w.f.Out, w.out}} {
		for _, x := range side.fields {
			if p := w.f.Ports[x.Port]; p.Name == name {
				return Wire{x.Of(side.frame), uint(p.Type.Bits()), name}
			}
		}
	}
	panic("sim: no port " + name)
}

// Wire is a port of Wires. A value that it has no room for is a mistake in the
// bench: Set panics.
type Wire struct {
	words []uint64
	bits  uint
	name  string
}

// Bits is the width of the port.
func (w Wire) Bits() int { return int(w.bits) }

// Set is the low 64 bits, the rest zeros.
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

// SetBool sets a port of one bit.
func (w Wire) SetBool(v bool) {
	var x uint64
	if v {
		x = 1
	}
	w.words[0] = x
}

// Get is the low 64 bits.
func (w Wire) Get() uint64 { return w.words[0] }

// Bool tells whether the port is not zero in its low 64 bits.
func (w Wire) Bool() bool { return w.words[0] != 0 }

// Words is the whole value, little-endian words; to write them changes it, and
// bits above its width must stay zero.
func (w Wire) Words() []uint64 { return w.words }
