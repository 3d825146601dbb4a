package sim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Port is a port of the simulated top module. The value of a vector port has Type.Bits() bits with
// element 0 least significant.
type Port struct {
	Name  string
	Input bool
	Type  ir.Type
}

// Simulator is a running design. A cycle consists of Set for inputs, Get for outputs and Step. Get
// evaluates the combinational logic with the current inputs and state. All state is initially zero,
// unless PowerUp randomizes it. A reset sets the registers that have a reset value.
type Simulator interface {
	// Ports returns the ports of the top module in declaration order, without its own clock and
	// reset. A clock port appears as an input: 1 means that it has an edge in the next Step.
	Ports() []Port
	// Set drives input port i. The value has ir.Words(bits) little-endian words.
	Set(port int, value []uint64)
	// Get copies the value of port i into value.
	Get(port int, value []uint64)
	// SetReset drives rst.
	SetReset(on bool)
	// Step applies an edge of the design's own clock, or of the clock ports that are 1. The error
	// is an *AssertionError or an engine's own error.
	Step() error
	// Cycle returns the number of steps so far.
	Cycle() uint64
	// Quiet reports whether the design is idle: a Step with the current inputs would change
	// nothing.
	Quiet() bool
	// Close releases the resources that the engine holds outside the process.
	Close() error
}

// Skipper is a Simulator that can skip idle cycles. Skip advances by n clock edges and requires
// that Quiet holds. Skipped cycles count as cycles and appear in waveforms.
type Skipper interface{ Skip(n uint64) }

// Pin accesses a port of a Simulator by name, for benches. A value wider than the port is a bug in
// the bench, so Set panics on every engine.
type Pin struct {
	s    Simulator
	port int
	bits int
	buf  []uint64
}

// Bind returns the port record of a design that s runs. T is the type that its module declares with
// hw.Ports; params are the module's parameters.
func Bind[T any](s Simulator, params any) T {
	return hw.Bind[T](params, func(port string) hw.Pin { return Find(s, port) })
}

// Find returns the named port. It panics if there is none.
func Find(s Simulator, name string) Pin {
	for i, p := range s.Ports() {
		if p.Name == name {
			return Pin{s, i, p.Type.Bits(), make([]uint64, ir.Words(p.Type.Bits()))}
		}
	}
	panic("sim: no port " + name)
}

// Set drives the low 64 bits with v and all higher bits with zeros.
func (p Pin) Set(v uint64) {
	if v>>p.bits != 0 {
		p.refuse(v)
	}
	clear(p.buf)
	p.buf[0] = v
	p.s.Set(p.port, p.buf)
}

// refuse panics because the value, one word or several, does not fit.
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

// SetWords drives the whole port. The slice must have exactly the port's number of words.
func (p Pin) SetWords(v []uint64) {
	if last := len(p.buf) - 1; len(v) != len(p.buf) || v[last]>>(p.bits-64*last) != 0 {
		p.refuse(v)
	}
	p.s.Set(p.port, v)
}

// Get returns the low 64 bits.
func (p Pin) Get() uint64 {
	p.s.Get(p.port, p.buf)
	return p.buf[0]
}

// Bool reports whether the low 64 bits of the port are nonzero.
func (p Pin) Bool() bool { return p.Get() != 0 }

// Words returns the whole value. The next call overwrites it.
func (p Pin) Words() []uint64 {
	p.s.Get(p.port, p.buf)
	return p.buf
}
