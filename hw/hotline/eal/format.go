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

// Scan reads a set of every bank, and shows those that have changed one by one.
type Scan struct {
	Valid   hw.Bits         `doc:"read a set of every bank; not in two cycles running"`
	Set     hw.Bits         `hw:"SetBits" doc:"its number in the bank; stays for a cycle behind scan_valid"`
	Changed hw.Bits         `hw:"back,Banks" doc:"a row has entered that of a bank in this stretch; the cycle behind scan_valid"`
	Show    hw.Bits         `doc:"show the set of a bank that was read"`
	Bank    hw.Bits         `hw:"BankBits"`
	Blocks  hw.Array[Block] `hw:"back,len=Ways" doc:"the set, a cycle after scan_show and until the next"`
}

// set is a word of a bank's memory: its blocks side by side, each packed, and when a
// row entered.
type set struct {
	Changed hw.Bits // in this stretch or the one before
	Stretch hw.Bits // in which of them, if it has
	Blocks  hw.Vec  `hw:"inline,BlockBits,len=Ways"`
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
