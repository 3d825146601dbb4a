package regmap

import "github.com/hotline-rtl/hotline/hw/enum"

// Access determines the effect of reads and writes of a field.
type Access uint8

// The kinds of access. By default a read returns the value and a write is ignored. Hardware can
// change every stored value.
const (
	ReadWrite Access = iota // rw: a write stores
	ReadOnly                // ro: a read returns a signal of the hardware, nothing is stored
	WriteOnly               // wo: a write stores, a read returns 0
	Count                   // count: stored, changed by hardware only
	ReadClear               // rc: stored, set by hardware, cleared by a read
	OneClears               // w1c: written ones clear bits
	OneSets                 // w1s: written ones set bits
	Pulse                   // pulse: written ones are visible for one cycle, a read returns 0
)

var accesses = enum.Sequence[Access]("access", "rw", "ro", "wo", "count", "rc", "w1c", "w1s", "pulse")

// Enum implements enum.Value.
func (Access) Enum() enum.Set { return accesses }

// String returns the word used in tags.
func (a Access) String() string { return accesses.Text(uint64(a)) }

// Reads reports whether a read returns the value.
func (a Access) Reads() bool { return a != WriteOnly && a != Pulse }

// Writes reports whether a write has an effect.
func (a Access) Writes() bool { return a != ReadOnly && a != Count && a != ReadClear }

// Stores reports whether the field is stored in a register.
func (a Access) Stores() bool { return a != ReadOnly && a != Pulse }

// live reports whether hardware changes the value at any time.
func (a Access) live() bool { return a == ReadOnly || a == Count }
