package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Kind says where the data of a read goes.
type Kind uint8

const (
	Row  Kind = 0 // to the row stream, in request order
	Load Kind = 1 // to the input eDRAM, by the load port
)

// Error codes of a descriptor besides those that the boundary reports, which
// are the DMA_ERROR numbers of verilog-pcie. ErrShort is none of them.
const (
	ErrPoisoned = 9  // a beat was poisoned
	ErrShort    = 12 // finished without an error, but with data missing
)

// LenBits is the width of a length in bytes.
const LenBits = 13

const (
	addrBits = 64
	kindBits = 1
	destBits = 24
)

// Request asks Read for Len bytes, 4 to 4096, from Addr, in host memory or, if
// Peer is 1, behind the address of a GPU. A Row is no longer than the vector
// buffer. Dest is where the first beat goes on the load port.
type Request struct{ Peer, Addr, Len, Kind, Dest hw.Bits }

// RequestBits is the width of a packed Request.
const RequestBits = 1 + addrBits + LenBits + kindBits + destBits

// Pack is {peer 1, addr 64, len 13, kind 1, dest 24}, most significant first.
func (r Request) Pack() hw.Bits { return hw.Cat(r.Peer, r.Addr, r.Len, r.Kind, r.Dest) }

// Bits is k as the Kind of a Request.
func (k Kind) Bits() hw.Bits { return hw.Lit(kindBits, uint64(k)) }

// UnpackRequest takes apart what Request.Pack made.
func UnpackRequest(x hw.Bits) Request {
	f := fields{x}
	return Request{Dest: f.take(destBits), Kind: f.take(kindBits), Len: f.take(LenBits), Addr: f.take(addrBits), Peer: f.take(1)}
}

// CommandTags is how many reads of commands can be under way.
const CommandTags = 4

const commandTagBits = 2

// CommandRead asks Read for the command at Addr in host memory. Tag tells it
// from others that are under way.
type CommandRead struct{ Tag, Addr hw.Bits }

// CommandReadBits is the width of a packed CommandRead.
const CommandReadBits = commandTagBits + addrBits

// Pack is {tag 2, addr 64}, most significant first.
func (r CommandRead) Pack() hw.Bits { return hw.Cat(r.Tag, r.Addr) }

// UnpackCommandRead takes apart what CommandRead.Pack made.
func UnpackCommandRead(x hw.Bits) CommandRead {
	f := fields{x}
	return CommandRead{Addr: f.take(addrBits), Tag: f.take(commandTagBits)}
}

// RowBeat is a beat of the row stream of Read. Error is the code of a row whose
// read failed, in all its beats.
type RowBeat struct{ Error, Last, Data hw.Bits }

// ErrorBits is the width of an error code.
const ErrorBits = 4

// RowBits is the width of a packed RowBeat.
func RowBits(p arch.Params) int { return ErrorBits + 1 + p.StreamBits }

// Pack is {error 4, last 1, data W}.
func (b RowBeat) Pack() hw.Bits { return hw.Cat(b.Error, b.Last, b.Data) }

// UnpackRow takes apart what RowBeat.Pack made.
func UnpackRow(x hw.Bits) RowBeat {
	f := fields{x}
	return RowBeat{Data: f.take(x.Width() - 1 - ErrorBits), Last: f.take(1), Error: f.take(ErrorBits)}
}

// Packet announces Len bytes, 4 to 4096, for Addr to Write.
type Packet struct{ Addr, Len hw.Bits }

// PacketBits is the width of a packed Packet.
const PacketBits = addrBits + LenBits

// Pack is {addr 64, len 13}.
func (p Packet) Pack() hw.Bits { return hw.Cat(p.Addr, p.Len) }

// UnpackPacket takes apart what Packet.Pack made.
func UnpackPacket(x hw.Bits) Packet {
	f := fields{x}
	return Packet{Len: f.take(LenBits), Addr: f.take(addrBits)}
}

// DataBeat is a beat of the data of a Packet. Keep counts in the last beat
// only; all bytes of the others are written.
type DataBeat struct{ Last, Keep, Data hw.Bits }

// DataBits is the width of a packed DataBeat.
func DataBits(p arch.Params) int { return 1 + p.StreamBytes() + p.StreamBits }

// Pack is {last 1, keep W/8, data W}.
func (b DataBeat) Pack() hw.Bits { return hw.Cat(b.Last, b.Keep, b.Data) }

// UnpackData takes apart what DataBeat.Pack made.
func UnpackData(x hw.Bits) DataBeat {
	bytes := (x.Width() - 1) / 9
	f := fields{x}
	return DataBeat{Data: f.take(8 * bytes), Keep: f.take(bytes), Last: f.take(1)}
}

// fields takes a packed word apart from its low end.
type fields struct{ rest hw.Bits }

func (f *fields) take(width int) hw.Bits {
	x := f.rest.Trunc(width)
	if n := f.rest.Width(); n > width {
		f.rest = f.rest.Slice(n-1, width)
	}
	return x
}

// MaxBytes is the length of the longest descriptor.
const MaxBytes = 4096

// rowBeats is the number of beats of the longest row.
func rowBeats(p arch.Params) int { return p.VectorValues * 32 / p.StreamBits }

// beatBits is the width of the number of a beat of a descriptor.
func beatBits(p arch.Params) int { return hw.IndexWidth(MaxBytes / p.StreamBytes()) }
