package eal

import "github.com/hotline-rtl/hotline/hw"

// Each engine has RequestQueues ports for requests, chosen by the low bits of
// the bank, and AnswerGroups ports for answers, one for each group of banks,
// again by the low bits. Port q of engine e is element RequestQueues·e + q, port
// g element AnswerGroups·e + g.
const (
	RequestQueues = 2
	AnswerGroups  = 4
)

// EngineGroups is the number of groups of engines that a bank queues apart.
const EngineGroups = 2

// Request asks for a key. Like the other records of this file it takes its widths
// from parameters with those fields or methods.
type Request struct {
	Key    hw.Bits `hw:"KeyBits-1" doc:"without the low bit, which is that of the port"`
	Ticket hw.Bits `hw:"TicketBits" doc:"the lookup's place in the engine's window"`
}

// Result of a lookup.
type Result struct {
	Hit hw.Bits
	Way hw.Bits `hw:"WayBits"`
}

// Answer to the request with a ticket.
type Answer struct {
	Ticket hw.Bits `hw:"TicketBits"`
	Result
}

// Reply is an answer that may come in a cycle. It cannot wait.
type Reply struct {
	Valid hw.Bits
	Answer
}

// Block is an entry of a set in hardware.
type Block struct {
	Valid hw.Bits
	RRPV  hw.Enum[RRPV]
	Tag   hw.Bits `hw:"TagBits"`
}

// Scan reads a set of a bank.
type Scan struct {
	Valid  hw.Bits
	Bank   hw.Bits         `hw:"BankBits"`
	Set    hw.Bits         `hw:"SetBits" doc:"number of the set in its bank"`
	Blocks hw.Array[Block] `hw:"back,len=Ways" doc:"the set, two cycles after scan_valid and until the next"`
}

// set is a word of a bank's memory: its blocks side by side, each packed.
type set struct {
	Blocks hw.Vec `hw:"inline,BlockBits,len=Ways"`
}

// ways is a set taken apart.
type ways struct {
	Blocks hw.Array[Block] `hw:"inline,len=Ways"`
}

// connect gives to what the blocks of the set consist of.
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

// access is a request as it arrives at a bank.
type access struct {
	Engine hw.Bits `hw:"EngineBits"`
	Tag    hw.Bits `hw:"TagBits"`
	Set    hw.Bits `hw:"SetBits"`
	Ticket hw.Bits `hw:"TicketBits"`
}

// addressed is an answer on its way to an engine of a group.
type addressed struct {
	Engine hw.Bits `hw:"EngineBits-1"` // without the low bit, which is that of the group
	Answer
}
