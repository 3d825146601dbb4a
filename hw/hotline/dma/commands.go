package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// commandTags keeps account of the reads of commands. They are few and nothing
// waits for their order, so that, unlike those of a tagRing, each is free again
// as soon as it has finished.
type commandTags struct{ beats int }

type commandTagsPorts struct {
	Take, TakeTag hw.Bits // a read begins
	Send, SendTag hw.Bits // its descriptor is taken

	Beat, BeatTag, Poison hw.Bits // data has come
	Accept, Number        hw.Bits // it is expected, and the beat of that number

	Finish, FinishTag, FinishOf hw.Bits // a status has come, after data of the same cycle

	// End pulses a cycle after an open read has finished; Failed tells that not
	// all of it came, or not intact.
	End, EndTag, Failed hw.Bits
	Empty               hw.Bits // none is under way
}

// ModuleName is the name of the unit.
func (commandTags) ModuleName() string { return "command_tags" }

// Build describes the unit.
func (p commandTags) Build(m *hw.Module) commandTagsPorts {
	m.Doc("Reads of commands: data counted, errors noted, by tag.")
	io := commandTagsPorts{
		Take: m.In("take", 1), TakeTag: m.In("take_tag", commandTagBits),
		Send: m.In("send", 1), SendTag: m.In("send_tag", commandTagBits),
		Beat: m.In("beat", 1), BeatTag: m.In("beat_tag", commandTagBits), Poison: m.In("poison", 1),
		Accept: m.Out("accept", 1), Number: m.Out("number", hw.IndexWidth(p.beats)),
		Finish: m.In("finish", 1), FinishTag: m.In("finish_tag", commandTagBits), FinishOf: m.In("finish_error", ErrorBits),
		End: m.Out("end_valid", 1), EndTag: m.Out("end_tag", commandTagBits), Failed: m.Out("end_failed", 1),
		Empty: m.Out("empty", 1),
	}
	reads, unsent, spoilt := m.Reg("reads", CommandTags, 0), m.Data("unsent", CommandTags), m.Data("spoilt", CommandTags)
	open := reads.And(unsent.Not()).As("sent_reads")
	come := m.DataVec("beats_come", CommandTags, hw.CountWidth(p.beats))

	so := come.Index(io.BeatTag).As("come_so_far")
	accept := io.Beat.And(pick(open, io.BeatTag)).And(so.Ne(hw.K(p.beats))).As("accepted")
	io.Accept.Set(accept)
	io.Number.Set(so.Resize(hw.IndexWidth(p.beats)))
	m.When(accept, func() { come.Index(io.BeatTag).Set(so.Inc()) })
	m.When(io.Take, func() { come.Index(io.TakeTag).Set(hw.K(0)) })

	at := func(event, tag hw.Bits) hw.Bits { return hw.Mux(event, tag.Decode(CommandTags), hw.Zeros(CommandTags)) }
	begun := at(io.Take, io.TakeTag).As("begun")
	poisoned := spoilt.Or(at(accept.And(io.Poison), io.BeatTag)).As("poisoned")
	spoilt.Set(poisoned.And(begun.Not()))
	ends := io.Finish.And(pick(open, io.FinishTag)).As("ends")
	reads.Set(reads.Or(begun).And(at(ends, io.FinishTag).Not()))
	unsent.Set(unsent.Or(begun).And(at(io.Send, io.SendTag).Not()))
	io.Empty.Set(reads.IsZero())

	final := accept.And(io.BeatTag.Eq(io.FinishTag)).And(so.Eq(hw.K(p.beats - 1)))
	whole := final.Or(come.Index(io.FinishTag).Eq(hw.K(p.beats))).As("whole")
	ended, tag, failed := m.Reg("ended", 1, 0), m.Data("ended_tag", commandTagBits), m.Data("ended_failed", 1)
	ended.Set(ends)
	m.When(ends, func() {
		tag.Set(io.FinishTag)
		failed.Set(io.FinishOf.Any().Or(pick(poisoned, io.FinishTag)).Or(whole.Not()))
	})
	io.End.Set(ended)
	io.EndTag.Set(tag)
	io.Failed.Set(failed)
	return io
}

// commandBeats is the number of beats of a command.
func commandBeats(p arch.Params) int { return arch.CommandBytes / p.StreamBytes() }
