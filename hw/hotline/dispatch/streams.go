package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// requestPort asks dma.Read for data.
type requestPort struct {
	Req hw.Stream[dma.Request] `hw:"out"`
}

// rowPorts ask dma.Read for rows, and tell the reducer what to do with them.
type rowPorts struct {
	Req hw.Stream[dma.Request] `hw:"out"`
	Op  hw.Stream[reduce.Op]   `hw:"out"`
}

// writePorts give dma.Write packets.
type writePorts struct {
	Packet hw.Stream[dma.Packet]   `hw:"out"`
	Data   hw.Stream[dma.DataBeat] `hw:"out"`
}

// streamPorts are the streams of the dispatcher, and the status of a command.
type streamPorts struct {
	Command hw.Stream[Command]      `hw:"in"`
	Status  hw.Enum[arch.Status]    `hw:"out"`
	LoadReq hw.Stream[dma.Request]  `hw:"out"`
	RowReq  hw.Stream[dma.Request]  `hw:"out"`
	Op      hw.Stream[reduce.Op]    `hw:"out"`
	Packet  hw.Stream[dma.Packet]   `hw:"out"`
	Data    hw.Stream[dma.DataBeat] `hw:"out"`
}
