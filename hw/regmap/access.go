package regmap

import "github.com/hotline-rtl/hotline/hw/enum"

// Access is what reading and writing a field does.
type Access uint8

// The kinds of access. Where nothing else is said a field reads its value and ignores
// what is written; hardware may set all that is stored.
const (
	ReadWrite Access = iota // rw: a write stores
	ReadOnly                // ro: hardware shows a value, nothing is stored
	WriteOnly               // wo: a write stores, reads 0
	Count                   // count: stored, and set by hardware alone
	ReadClear               // rc: stored; set by hardware, cleared by a read
	OneClears               // w1c: ones that are written clear bits
	OneSets                 // w1s: ones that are written set bits
	Pulse                   // pulse: ones that are written are seen for a cycle, reads 0
)

var accesses = enum.Sequence[Access]("access", "rw", "ro", "wo", "count", "rc", "w1c", "w1s", "pulse")

// Enum implements enum.Value.
func (Access) Enum() enum.Set { return accesses }

// String is the word of a tag.
func (a Access) String() string { return accesses.Text(uint64(a)) }

// Reads tells whether a read gives the value.
func (a Access) Reads() bool { return a != WriteOnly && a != Pulse }

// Writes tells whether a write does something.
func (a Access) Writes() bool { return a != ReadOnly && a != Count && a != ReadClear }

// Stores tells whether there is a register behind it.
func (a Access) Stores() bool { return a != ReadOnly && a != Pulse }

// live tells whether hardware changes the value as it goes.
func (a Access) live() bool { return a == ReadOnly || a == Count }
