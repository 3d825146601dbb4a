package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
)

// ealQueue accepts the requests of the engines and queues them, separately for each bank and group
// of engines, until the bank serves them. It consists of one crossbar to the even banks and one to
// the odd banks.
type ealQueue struct {
	Engines    int `doc:"lookup engines"`
	Banks      int `doc:"EAL banks"`
	TagBits    int `doc:"tag of a block" unit:"bits"`
	SetBits    int `doc:"set of a bank" unit:"bits"`
	TicketBits int `doc:"place of a lookup in its window" unit:"bits"`
	Depth      int `doc:"entries of each of the two request queues of a bank"`
}

type queuePorts struct {
	Request hw.Array[hw.Stream[Request]] `hw:"in,len=Ports" doc:"of each engine, by the low bit of the key"`
	Access  hw.Array[hw.Stream[access]]  `hw:"out,len=Banks" doc:"by bank"`
}

// Ports returns the maximum number of requests per cycle.
func (p ealQueue) Ports() int { return RequestQueues * p.Engines }

// EngineBits returns the width of an engine's number.
func (p ealQueue) EngineBits() int { return arch.Log2(p.Engines) }

// BankBits returns the width of a bank number.
func (p ealQueue) BankBits() int { return arch.Log2(p.Banks) }

// KeyBits returns the width of a key.
func (p ealQueue) KeyBits() int { return p.TagBits + p.SetBits + p.BankBits() }

// Build describes the queue.
func (p ealQueue) Build(m *hw.Module) queuePorts {
	m.Doc("Queue of the embedding access logger: schedules the requests of the engines to the banks.")
	io := hw.Ports[queuePorts](m)
	half, banks := p.Engines/EngineGroups, p.Banks/RequestQueues
	switched := xbar.Xbar[access]{Of: hw.Of[access](p), Sources: p.Engines, Dests: banks, Groups: EngineGroups, Depth: p.Depth}
	m.For("parity", RequestQueues, func(q hw.Index) {
		net := hw.Inst(m, "xbar", switched)
		m.For("engine_group", EngineGroups, func(g hw.Index) {
			m.For("source", half, func(j hw.Index) {
				engine, source := j.Times(EngineGroups).Add(g), g.Times(half).Add(j)
				from, to := io.Request.At(engine.Times(RequestQueues).Add(q)), net.In.At(source)
				at := hw.Unpack[place](m, from.Data.Key)
				net.Dest.At(source).Set(at.Bank)
				hw.Connect(to, hw.Stream[access]{Valid: from.Valid, Ready: from.Ready,
					Data: access{Engine: engine.Bits(p.EngineBits()), Tag: at.Tag, Set: at.Set, Ticket: from.Data.Ticket}})
			})
		})
		m.For("dest", banks, func(j hw.Index) {
			hw.Connect(io.Access.At(j.Times(RequestQueues).Add(q)), net.Out.At(j))
		})
	})
	return io
}
