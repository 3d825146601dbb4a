package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Kind is the destination of the data of a read.
type Kind uint8

const (
	Row  Kind = 0 // to the row stream, in request order
	Load Kind = 1 // to the input eDRAM, by the load port
)

var kinds = enum.Sequence[Kind]("read", "row", "load")

// Enum implements enum.Value.
func (Kind) Enum() enum.Set { return kinds }

// MaxBytes is the maximum length of a descriptor, in bytes.
const MaxBytes = 4096

// LenBits is the width of a length in bytes.
const LenBits = 13

// Request asks Read for Len bytes, 4 to 4096, at Addr in host memory or, if Peer is 1, at an
// address of a GPU. A Row is at most as long as the vector buffer. Dest is the destination of the
// first beat on the load port.
type Request struct {
	Peer hw.Bits       `doc:"addr is of a GPU, else of host memory"`
	Addr hw.Bits       `hw:"64" doc:"of the first byte"`
	Len  hw.Bits       `hw:"13" doc:"bytes, 4 to 4096"`
	Kind hw.Enum[Kind] `doc:"where the data go"`
	Dest hw.Bits       `hw:"24" doc:"of the first beat of a load"`
}

// CommandTags is the maximum number of reads of commands in flight.
const CommandTags = 4

// CommandRead asks Read for the command at Addr in host memory. Tag distinguishes it from the other
// reads of commands in flight.
type CommandRead struct {
	Tag  hw.Bits `hw:"2" doc:"of the read"`
	Addr hw.Bits `hw:"64" doc:"of the command"`
}

// Event delivers a T in each cycle in which Valid is 1. The receiver cannot delay it.
type Event[T any] struct {
	Valid hw.Bits
	Data  T `hw:"inline"`
}

// Registered returns e one cycle later.
func (e Event[T]) Registered(m *hw.Module, name string) Event[T] {
	late := Event[T]{Valid: m.Reg(name+"_valid", 1, 0), Data: hw.Data[T](m, name)}
	late.Valid.Set(e.Valid)
	m.When(e.Valid, func() { hw.Set(late.Data, e.Data) })
	return late
}

// Loaded is a beat of a Load or, if Command is 1, of a command. For a Load, Dest is the Dest of the
// request plus the beat number. For a command, it is the tag followed by the beat number.
type Loaded struct {
	Command hw.Bits `doc:"a beat of a command, else of a load"`
	Dest    hw.Bits `hw:"24" doc:"of the request, plus the number of the beat; or tag and number"`
	Data    hw.Bits `hw:"StreamBits" doc:"the beat"`
}

// Ended reports that the read of the command Tag has ended. Its last beat is Loaded in the same
// cycle or earlier. Failed reports that data is missing or damaged.
type Ended struct {
	Tag    hw.Bits `hw:"2" doc:"of the read"`
	Failed hw.Bits `doc:"data are missing or damaged"`
}

// RowBeat is a beat of the row stream of Read. If the read of a row failed, all its beats have the
// Error.
type RowBeat struct {
	Error hw.Enum[arch.DMAError] `doc:"of the row, in all its beats"`
	Last  hw.Bits                `doc:"of the row"`
	Data  hw.Bits                `hw:"StreamBits" doc:"the beat"`
}

// Packet announces Len bytes, 4 to 4096, for Addr to Write.
type Packet struct {
	Addr hw.Bits `hw:"64" doc:"of the first byte"`
	Len  hw.Bits `hw:"13" doc:"bytes, 4 to 4096"`
}

// DataBeat is a beat of the data of a Packet. Keep is used in the last beat only; all bytes of the
// other beats are written.
type DataBeat struct {
	Last hw.Bits `doc:"of the packet"`
	Keep hw.Bits `hw:"StreamBytes" doc:"bytes to write, in the last beat"`
	Data hw.Bits `hw:"StreamBits" doc:"the beat"`
}
