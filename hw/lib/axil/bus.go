package axil

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/enum"
)

// DataWidth is the width of the data channels.
const DataWidth = 32

// Response is the result of a transfer: bresp and rresp.
type Response uint8

// The responses that a Slave returns.
const (
	OKAY   Response = 0
	SLVERR Response = 2
)

var responses = enum.New("resp", map[Response]string{OKAY: "okay", SLVERR: "slverr"})

// Enum implements enum.Value.
func (Response) Enum() enum.Set { return responses }

// Bus contains the five channels as seen from the master, with byte addresses of AddrWidth bits.
// Its ports have the names of the specification: awvalid, awready, awaddr.
type Bus struct {
	AW hw.Stream[Address]   `hw:"abut"`
	W  hw.Stream[WriteData] `hw:"abut"`
	B  hw.Stream[Answer]    `hw:"abut,back"`
	AR hw.Stream[Address]   `hw:"abut"`
	R  hw.Stream[ReadData]  `hw:"abut,back"`
}

// Address is the payload of the channels AW and AR.
type Address struct {
	Addr hw.Bits `hw:"AddrWidth"`
	Prot hw.Bits `hw:"3"`
}

// WriteData is the payload of the channel W.
type WriteData struct {
	Data hw.Bits `hw:"32"`
	Strb hw.Bits `hw:"4"`
}

// Answer is the payload of the channel B.
type Answer struct{ Resp hw.Enum[Response] }

// ReadData is the payload of the channel R.
type ReadData struct {
	Data hw.Bits `hw:"32"`
	Resp hw.Enum[Response]
}
