package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// ledger tracks the descriptors that are split, and the first error of each. Errors come from the
// responses of write bursts, or from the beats of read bursts.
type ledger struct {
	Tags int `doc:"DMA reads in flight"`
}

// TagBits returns the width of a tag.
func (p ledger) TagBits() int { return arch.Log2(p.Tags) }

type ledgerPorts struct {
	Split    hw.Bits `hw:"in" doc:"a burst of a descriptor begins that is not its last"`
	SplitTag hw.Bits `hw:"in,TagBits" doc:"its tag"`

	Answer hw.Bits `hw:"in" doc:"an answer with the tag"`
	Tag    hw.Bits `hw:"in,TagBits" doc:"tag of the answer"`
	Resp   hw.Bits `hw:"in,2" doc:"response"`
	Ends   hw.Bits `hw:"in" doc:"the answer ends a burst"`
	Over   hw.Bits `hw:"in" doc:"the answer ends the descriptor"`

	Final hw.Bits `hw:"out,name=is_final" doc:"the burst is the last of the tag"`
	Error hw.Bits `hw:"out,2" doc:"first error response, including this cycle"`
}

// Build describes the ledger.
func (p ledger) Build(m *hw.Module) ledgerPorts {
	m.Doc("Which descriptors are split, and the first error of each, by tag.")
	io := hw.Ports[ledgerPorts](m)
	more, failed, decode := m.Reg("more", p.Tags, 0), m.Reg("failed", p.Tags, 0), m.Data("decode", p.Tags)
	at := func(event, tag hw.Bits) hw.Bits { return hw.Mux(event, tag.Decode(p.Tags), hw.Zeros(p.Tags)) }

	known := pick(failed, io.Tag).As("failed_before")
	final := pick(more, io.Tag).Not().As("unsplit")
	io.Final.Set(final)
	io.Error.Set(hw.Mux(known, hw.Cat(hw.Lit(1, 1), pick(decode, io.Tag)), io.Resp))

	more.Set(more.And(at(io.Answer.And(io.Ends), io.Tag).Not()).Or(at(io.Split, io.SplitTag)))
	fails := at(io.Answer.And(io.Resp.Bit(1)), io.Tag).And(failed.Not()).As("fails")
	failed.Set(failed.Or(fails).And(at(io.Over, io.Tag).Not()))
	decode.Set(hw.Mux(io.Resp.Bit(0), decode.Or(fails), decode.And(fails.Not())))
	return io
}

// code returns the status of a descriptor. Errors of slaves and decoders have the numbers of
// verilog-pcie: 4 and 5 for reads, 6 and 7 for writes.
func code(err hw.Bits, write uint64) hw.Enum[arch.DMAError] {
	return hw.EnumOf[arch.DMAError](hw.Mux(err.Bit(1), hw.Cat(hw.Lit(2, 1), hw.Lit(1, write), err.Bit(0)), hw.Lit(4, 0)))
}

// pick returns bit i of x.
func pick(x, i hw.Bits) hw.Bits { return x.Shr(i).Bit(0) }
