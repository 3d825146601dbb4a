package eal

import "github.com/hotline-rtl/hotline/hw"

// Each engine has RequestQueues request ports, selected by the low bits of the bank. It has
// AnswerGroups answer ports, one for each group of banks, also selected by the low bits. Request
// port q of engine e is element RequestQueues·e + q; answer port g is element AnswerGroups·e + g.
const (
	RequestQueues = 2
	AnswerGroups  = 4
)

// EngineGroups is the number of groups of engines for which a bank has separate queues.
const EngineGroups = 2

// Request asks for a key. Like the other records of this file, it takes its widths from parameters
// with fields or methods of these names.
type Request struct {
	Key    hw.Bits `hw:"KeyBits-1" doc:"without the low bit, which is that of the port"`
	Ticket hw.Bits `hw:"TicketBits" doc:"the lookup's place in the engine's window"`
}

// Result is the result of a lookup.
type Result struct {
	Hit hw.Bits `doc:"the EAL has the row"`
	Way hw.Bits `hw:"WayBits" doc:"of its block"`
}

// Answer is the answer to the request with the ticket.
type Answer struct {
	Ticket hw.Bits `hw:"TicketBits"`
	Result
}

// Reply is an optional answer. The engine cannot delay it.
type Reply struct {
	Valid hw.Bits
	Answer
}

// Block is a block of a set in hardware.
type Block struct {
	Valid hw.Bits
	RRPV  hw.Enum[RRPV]
	Tag   hw.Bits `hw:"TagBits"`
}

// Scan reads a set of every bank, and then shows the changed sets one after the other.
type Scan struct {
	Valid   hw.Bits         `doc:"reads a set of every bank; not in two successive cycles"`
	Set     hw.Bits         `hw:"SetBits" doc:"its number in the bank; stays for another cycle"`
	Changed hw.Bits         `hw:"back,Banks" doc:"of each bank: a row has entered its set in this epoch; a cycle after scan_valid"`
	Show    hw.Bits         `doc:"shows the set of a bank that was read"`
	Bank    hw.Bits         `hw:"BankBits" doc:"bank to show"`
	Blocks  hw.Array[Block] `hw:"back,len=Ways" doc:"the set, a cycle after scan_show and until the next"`
}

// set is a word of a bank's memory: the packed blocks, and the epoch in which a row was last
// inserted.
type set struct {
	Changed hw.Bits // in this epoch or the previous one
	Stretch hw.Bits // number of that epoch modulo 2, if Changed
	Blocks  hw.Vec  `hw:"inline,BlockBits,len=Ways"`
}

// ways is a set with unpacked blocks.
type ways struct {
	Blocks hw.Array[Block] `hw:"inline,len=Ways"`
}

// connect drives to with the unpacked blocks of the set.
func (s set) connect(m *hw.Module, loop string, to hw.Array[Block]) {
	m.For(loop, to.Len(), func(w hw.Index) {
		hw.Set(to.At(w), hw.Unpack[Block](m, s.Blocks.At(w)))
	})
}

// place is a key without its low bit.
type place struct {
	Tag  hw.Bits `hw:"TagBits"`
	Set  hw.Bits `hw:"SetBits"`
	Bank hw.Bits `hw:"BankBits-1"`
}

// access is a request at the port of a bank.
type access struct {
	Engine hw.Bits `hw:"EngineBits" doc:"number of the lookup engine"`
	Tag    hw.Bits `hw:"TagBits" doc:"of the row"`
	Set    hw.Bits `hw:"SetBits" doc:"of the bank"`
	Ticket hw.Bits `hw:"TicketBits" doc:"the lookup's place in the engine's window"`
}

// addressed is an answer with its engine.
type addressed struct {
	Engine hw.Bits `hw:"EngineBits-1" doc:"without the low bit, which selects the group"`
	Answer
}
