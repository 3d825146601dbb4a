package sim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Port is a port of the simulated top module. A vector port is one value of
// Type.Bits() bits, element 0 least significant.
type Port struct {
	Name  string
	Input bool
	Type  ir.Type
}

// Simulator is a running design. A cycle is: Set inputs, Get outputs (settled
// with these inputs and the present state), Step. All state starts at zero, or random if
// PowerUp made it so before; a reset gives registers that have one their value.
type Simulator interface {
	// Ports are the ports of the top module in its order, without its own clock and
	// reset. A port that is a clock is an input: 1 if it has an edge in the next Step.
	Ports() []Port
	// Set gives input port i a value: little-endian words, ir.Words(bits) of them.
	Set(port int, value []uint64)
	// Get writes the value of port i into value.
	Get(port int, value []uint64)
	// SetReset drives rst.
	SetReset(on bool)
	// Step is an edge of the design's own clock, or of the clocks whose ports are 1. The error is a failed assertion of the design, or
	// the engine's own.
	Step() error
	// Cycle is the number of steps so far.
	Cycle() uint64
	// Quiet tells whether a Step with the present inputs would change nothing.
	Quiet() bool
	// Close frees what the engine holds outside the process.
	Close() error
}

// Skipper is a Simulator that can let cycles pass in which nothing changes: n
// edges while Quiet holds. They count as cycles and appear in waveforms.
type Skipper interface{ Skip(n uint64) }

// Pin is a port of a Simulator by name, for benches. A value that the port has
// no room for is a mistake in the bench, whatever the engine: Set panics.
type Pin struct {
	s    Simulator
	port int
	bits int
	buf  []uint64
}

// Bind is the record of the ports of a design that s runs; T is what its module declares
// with hw.Ports, params are the parameters of that module.
func Bind[T any](s Simulator, params any) T {
	return hw.Bind[T](params, func(port string) hw.Pin { return Find(s, port) })
}

// Find is the port of that name; it panics if there is none.
func Find(s Simulator, name string) Pin {
	for i, p := range s.Ports() {
		if p.Name == name {
			return Pin{s, i, p.Type.Bits(), make([]uint64, ir.Words(p.Type.Bits()))}
		}
	}
	panic("sim: no port " + name)
}

// Set drives the low 64 bits, the rest with zeros.
func (p Pin) Set(v uint64) {
	if v>>p.bits != 0 {
		p.refuse(v)
	}
	clear(p.buf)
	p.buf[0] = v
	p.s.Set(p.port, p.buf)
}

// refuse panics for a value, in a word or several, that does not fit.
func (p Pin) refuse(v any) {
	panic(fmt.Sprintf("sim: %#x does not fit in port %s of %d bits", v, p.s.Ports()[p.port].Name, p.bits))
}

// SetBool drives a one-bit port.
func (p Pin) SetBool(v bool) {
	if v {
		p.Set(1)
	} else {
		p.Set(0)
	}
}

// SetWords drives the whole port, with as many words as it has.
func (p Pin) SetWords(v []uint64) {
	if last := len(p.buf) - 1; len(v) != len(p.buf) || v[last]>>(p.bits-64*last) != 0 {
		p.refuse(v)
	}
	p.s.Set(p.port, v)
}

// Get is the low 64 bits.
func (p Pin) Get() uint64 {
	p.s.Get(p.port, p.buf)
	return p.buf[0]
}

// Bool tells whether the port is not zero in its low 64 bits.
func (p Pin) Bool() bool { return p.Get() != 0 }

// Words is the whole value; it is overwritten by the next call.
func (p Pin) Words() []uint64 {
	p.s.Get(p.port, p.buf)
	return p.buf
}
