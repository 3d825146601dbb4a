package hw

// Stream is a ready/valid channel of values of type T. Data is transferred in each cycle in which
// Valid and Ready are both 1. Valid must not depend on Ready. Once Valid is 1, Valid and Data must
// stay unchanged until the transfer (AXI4-Stream handshake).
type Stream[T any] struct {
	Valid Bits
	Ready Bits `hw:"back"`
	Data  T    `hw:"inline"`
}

// Fire returns 1 in cycles that transfer data.
func (s Stream[T]) Fire() Bits { return s.Valid.And(s.Ready) }

// Connect makes s the receiver of the values that from sends.
func (s Stream[T]) Connect(from Stream[T]) { Connect(s, from) }

// Sink declares the receiving end of a stream: inputs name_valid and name_data, output name_ready.
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

// grouped groups the signals of s under name and returns s.
func (m *Module) grouped(name string, s Stream[Bits]) Stream[Bits] {
	for _, x := range []Bits{s.Valid, s.Ready, s.Data} {
		x.e.Sig.Group = m.under + name
	}
	return s
}

// Valids returns the valid bits of streams as a vector.
func Valids[T any](streams Array[Stream[T]]) Vec {
	return streams.Vec(func(s Stream[T]) Bits { return s.Valid })
}

// Readies returns the ready bits of streams as a vector.
func Readies[T any](streams Array[Stream[T]]) Vec {
	return streams.Vec(func(s Stream[T]) Bits { return s.Ready })
}
