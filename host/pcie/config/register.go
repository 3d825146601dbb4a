package config

// Kind is what can happen to a bit.
type Kind uint8

// The kinds of bits.
const (
	Fixed   Kind = iota // writes do nothing
	Live                // the function sets it, writes do nothing
	Written             // holds what was written
	Cleared             // the function sets it, writing 1 clears it
	Pulse               // reads 0, writing 1 does something
)

// String is the abbreviation of the specification (7.4), but that what the
// function sets is not told from what is fixed there.
func (k Kind) String() string { return [...]string{"RO", "RO, live", "RW", "RW1C", "pulse"}[k] }

// Field is some bits of a register that belong together.
type Field struct {
	Name      string
	Low, Bits int // the lowest bit, and how many there are
	Kind      Kind
	Init      uint64 // after power-up
	// Keeps says that the field survives a function-level reset (6.6.2).
	Keeps bool
	About string
}

// Register is a register of the space. Bits that no field has are reserved: they
// read 0 and writes do nothing.
type Register struct {
	Name   string
	Offset int // in bytes
	Size   int // in bytes, 1, 2 or 4
	Fields []Field
}

// flag is a field of one bit that can be written.
func flag(bit int, name, about string) Field {
	return Field{Name: name, Low: bit, Bits: 1, Kind: Written, About: about}
}

// event is a field of one bit that the function sets and a 1 clears.
func event(bit int, name, about string) Field {
	return Field{Name: name, Low: bit, Bits: 1, Kind: Cleared, About: about}
}

// fixed is a field that never changes.
func fixed(low, bits int, name string, v uint64, about string) Field {
	return Field{Name: name, Low: low, Bits: bits, Init: v, About: about}
}

// keeps marks fields that survive a function-level reset.
func keeps(fields ...Field) []Field {
	for i := range fields {
		fields[i].Keeps = true
	}
	return fields
}

// header is the DW in front of a capability: its id and the offset of the next.
func header(name string, at, id, next int, above ...Field) Register {
	return Register{name, at, 4, append([]Field{
		fixed(0, 8, "Capability ID", uint64(id), ""), fixed(8, 8, "Next", uint64(next), ""),
	}, above...)}
}

// extended is the DW in front of an extended capability.
func extended(name string, at, id, version, next int) Register {
	return Register{name, at, 4, []Field{
		fixed(0, 16, "Capability ID", uint64(id), ""), fixed(16, 4, "Version", uint64(version), ""), fixed(20, 12, "Next", uint64(next), ""),
	}}
}
