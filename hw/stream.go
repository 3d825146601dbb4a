package hw

// Stream is a ready/valid channel of values of type T: Data moves in a cycle in which
// Valid and Ready are both 1. Valid must not depend on Ready, and once it is 1 Valid and
// Data stay until the transfer (AXI4-Stream handshake).
type Stream[T any] struct {
	Valid Bits
	Ready Bits `hw:"back"`
	Data  T    `hw:"inline"`
}

// Fire is 1 when data moves.
func (s Stream[T]) Fire() Bits { return s.Valid.And(s.Ready) }

// Connect makes s the receiver of what from sends.
func (s Stream[T]) Connect(from Stream[T]) { Connect(s, from) }

// Sink declares the receiving end of a stream: inputs name_valid and
// name_data, output name_ready.
func (m *Module) Sink(name string, width int) Stream[Bits] {
	return m.grouped(name, Stream[Bits]{Valid: m.In(name+"_valid", 1), Ready: m.Out(name+"_ready", 1), Data: m.In(name+"_data", width)})
}

// Source declares the sending end of a stream.
func (m *Module) Source(name string, width int) Stream[Bits] {
	return m.grouped(name, Stream[Bits]{Valid: m.Out(name+"_valid", 1), Ready: m.In(name+"_ready", 1), Data: m.Out(name+"_data", width)})
}

// Channel declares the wires of a stream inside a module.
func (m *Module) Channel(name string, width int) Stream[Bits] {
	return m.grouped(name, Stream[Bits]{Valid: m.Wire(name+"_valid", 1), Ready: m.Wire(name+"_ready", 1), Data: m.Wire(name+"_data", width)})
}

// grouped is s, whose signals stand below its name.
func (m *Module) grouped(name string, s Stream[Bits]) Stream[Bits] {
	for _, x := range []Bits{s.Valid, s.Ready, s.Data} {
		x.e.Sig.Group = m.under + name
	}
	return s
}

// Valids are the valid bits of streams side by side.
func Valids[T any](streams Array[Stream[T]]) Vec {
	return streams.Vec(func(s Stream[T]) Bits { return s.Valid })
}

// Readies are the ready bits of streams side by side.
func Readies[T any](streams Array[Stream[T]]) Vec {
	return streams.Vec(func(s Stream[T]) Bits { return s.Ready })
}
