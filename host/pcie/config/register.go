package config

// Kind defines how a bit can change.
type Kind uint8

// The kinds of bits.
const (
	Fixed   Kind = iota // writes have no effect
	Live                // set by the function; writes have no effect
	Written             // holds the written value
	Cleared             // set by the function; writing 1 clears it
	Pulse               // reads 0; writing 1 triggers an action
)

// String returns the abbreviation of the specification (7.4). The specification does not
// distinguish bits that the function sets from fixed bits.
func (k Kind) String() string { return [...]string{"RO", "RO, live", "RW", "RW1C", "pulse"}[k] }

// Field is a group of bits of a register.
type Field struct {
	Name      string
	Low, Bits int // the lowest bit, and the number of bits
	Kind      Kind
	Init      uint64 // after power-up
	// Keeps indicates that the field survives a function-level reset (6.6.2).
	Keeps bool
	About string
}

// Register is a register of the space. Bits without a field are reserved: they read 0, and writes
// have no effect.
type Register struct {
	Name   string
	Offset int // in bytes
	Size   int // in bytes, 1, 2 or 4
	Fields []Field
}

// flag returns a writable one-bit field.
func flag(bit int, name, about string) Field {
	return Field{Name: name, Low: bit, Bits: 1, Kind: Written, About: about}
}

// event returns a one-bit field that the function sets and writing 1 clears.
func event(bit int, name, about string) Field {
	return Field{Name: name, Low: bit, Bits: 1, Kind: Cleared, About: about}
}

// fixed returns a constant field.
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

// header returns the first DW of a capability: its ID and the offset of the next capability.
func header(name string, at, id, next int, above ...Field) Register {
	return Register{name, at, 4, append([]Field{
		fixed(0, 8, "Capability ID", uint64(id), ""), fixed(8, 8, "Next", uint64(next), ""),
	}, above...)}
}

// extended returns the first DW of an extended capability.
func extended(name string, at, id, version, next int) Register {
	return Register{name, at, 4, []Field{
		fixed(0, 16, "Capability ID", uint64(id), ""), fixed(16, 4, "Version", uint64(version), ""), fixed(20, 12, "Next", uint64(next), ""),
	}}
}
