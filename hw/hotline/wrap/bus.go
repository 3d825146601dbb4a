package wrap

import "github.com/hotline-rtl/hotline/hw"

// Bus contains the five channels of AXI4, from the perspective of the master. Its ports have the
// names of the specification: awvalid, awready, awid.
type Bus struct {
	AW hw.Stream[Address]   `hw:"abut"`
	W  hw.Stream[WriteData] `hw:"abut"`
	B  hw.Stream[Answer]    `hw:"abut,back"`
	AR hw.Stream[Address]   `hw:"abut"`
	R  hw.Stream[ReadData]  `hw:"abut,back"`
}

// Address is the payload of channels AW and AR.
type Address struct {
	ID    hw.Bits `hw:"ReadTagBits" doc:"tag of the descriptor"`
	Addr  hw.Bits `hw:"64" doc:"of the first byte"`
	Len   hw.Bits `hw:"8" doc:"beats less one"`
	Size  hw.Bits `hw:"3" doc:"log2 of the bytes of a beat"`
	Burst hw.Bits `hw:"2" doc:"incrementing"`
	Cache hw.Bits `hw:"4" doc:"normal memory, bufferable"`
	Prot  hw.Bits `hw:"3" doc:"constant 0"`
}

// Constant fields of an Address.
const (
	incrementing = 1      // Burst
	bufferable   = 0b0011 // Cache: normal memory, not cached by others
)

// WriteData is the payload of channel W.
type WriteData struct {
	Data hw.Bits `hw:"StreamBits" doc:"the beat"`
	Strb hw.Bits `hw:"StreamBytes" doc:"bytes to write"`
	Last hw.Bits `doc:"of the burst"`
}

// Answer is the payload of channel B.
type Answer struct {
	ID   hw.Bits `hw:"ReadTagBits" doc:"tag of the descriptor"`
	Resp hw.Bits `hw:"2" doc:"OKAY, SLVERR or DECERR"`
}

// ReadData is the payload of channel R.
type ReadData struct {
	ID   hw.Bits `hw:"ReadTagBits" doc:"tag of the descriptor"`
	Data hw.Bits `hw:"StreamBits" doc:"the beat"`
	Resp hw.Bits `hw:"2" doc:"OKAY, SLVERR or DECERR"`
	Last hw.Bits `doc:"of the burst"`
}
