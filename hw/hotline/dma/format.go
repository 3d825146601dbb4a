package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Kind says where the data of a read goes.
type Kind uint8

const (
	Row  Kind = 0 // to the row stream, in request order
	Load Kind = 1 // to the input eDRAM, by the load port
)

var kinds = enum.Sequence[Kind]("read", "row", "load")

// Enum implements enum.Value.
func (Kind) Enum() enum.Set { return kinds }

// MaxBytes is the length of the longest descriptor.
const MaxBytes = 4096

// LenBits is the width of a length in bytes.
const LenBits = 13

// Request asks Read for Len bytes, 4 to 4096, from Addr, in host memory or, if
// Peer is 1, behind the address of a GPU. A Row is no longer than the vector
// buffer. Dest is where the first beat goes on the load port.
type Request struct {
	Peer hw.Bits
	Addr hw.Bits `hw:"64"`
	Len  hw.Bits `hw:"13"`
	Kind hw.Enum[Kind]
	Dest hw.Bits `hw:"24"`
}

// CommandTags is how many reads of commands can be under way.
const CommandTags = 4

// CommandRead asks Read for the command at Addr in host memory. Tag tells it
// from others that are under way.
type CommandRead struct {
	Tag  hw.Bits `hw:"2"`
	Addr hw.Bits `hw:"64"`
}

// Event brings a T in each cycle in which Valid is 1; nothing can delay it.
type Event[T any] struct {
	Valid hw.Bits
	Data  T `hw:"inline"`
}

// Registered is e one cycle later.
func (e Event[T]) Registered(m *hw.Module, name string) Event[T] {
	late := Event[T]{Valid: m.Reg(name+"_valid", 1, 0), Data: hw.Data[T](m, name)}
	late.Valid.Set(e.Valid)
	m.When(e.Valid, func() { hw.Set(late.Data, e.Data) })
	return late
}

// Loaded is a beat of a Load or, if Command is 1, of a command. Dest is that of
// the request plus the number of the beat, or that number behind the tag of a
// command.
type Loaded struct {
	Command hw.Bits
	Dest    hw.Bits `hw:"24"`
	Data    hw.Bits `hw:"StreamBits"`
}

// Ended tells that the read of the command Tag has ended, with its last beat Loaded
// or later. Failed tells that not all of it came, or not intact.
type Ended struct {
	Tag    hw.Bits `hw:"2"`
	Failed hw.Bits
}

// RowBeat is a beat of the row stream of Read. Error is that of a row whose
// read failed, in all its beats.
type RowBeat struct {
	Error hw.Enum[arch.DMAError]
	Last  hw.Bits
	Data  hw.Bits `hw:"StreamBits"`
}

// Packet announces Len bytes, 4 to 4096, for Addr to Write.
type Packet struct {
	Addr hw.Bits `hw:"64"`
	Len  hw.Bits `hw:"13"`
}

// DataBeat is a beat of the data of a Packet. Keep counts in the last beat
// only; all bytes of the others are written.
type DataBeat struct {
	Last hw.Bits
	Keep hw.Bits `hw:"StreamBytes"`
	Data hw.Bits `hw:"StreamBits"`
}
