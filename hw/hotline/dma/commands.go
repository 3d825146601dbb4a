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
	come := m.Data("beats_come", CommandTags*p.beats) // bit b of a tag: beat b and those before it

	so := p.of(come, io.BeatTag).As("come_so_far")
	accept := io.Beat.And(pick(open, io.BeatTag)).And(so.Bit(p.beats - 1).Not()).As("accepted")
	io.Accept.Set(accept)
	io.Number.Set(so.Count().Resize(hw.IndexWidth(p.beats)))

	at := func(event, tag hw.Bits) hw.Bits { return hw.Mux(event, tag.Decode(CommandTags), hw.Zeros(CommandTags)) }
	begun := at(io.Take, io.TakeTag).As("begun")
	next := p.place(accept, so.Not().And(so.Shl(hw.Lit(1, 1)).Or(hw.K(1))), io.BeatTag).As("beat_comes")
	arrived := come.Or(next).As("beats_arrived")
	come.Set(arrived.And(p.place(io.Take, hw.Ones(p.beats), io.TakeTag).Not()))
	poisoned := spoilt.Or(at(accept.And(io.Poison), io.BeatTag)).As("poisoned")
	spoilt.Set(poisoned.And(begun.Not()))
	ends := io.Finish.And(pick(open, io.FinishTag)).As("ends")
	reads.Set(reads.Or(begun).And(at(ends, io.FinishTag).Not()))
	unsent.Set(unsent.Or(begun).And(at(io.Send, io.SendTag).Not()))
	io.Empty.Set(reads.IsZero())

	whole := p.of(arrived, io.FinishTag).Bit(p.beats - 1).As("whole")
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

// of are the beats of a tag.
func (p commandTags) of(come, tag hw.Bits) hw.Bits { return come.Shr(p.first(tag)).Trunc(p.beats) }

// place puts beats at those of a tag, in the cycle of an event.
func (p commandTags) place(event, beats, tag hw.Bits) hw.Bits {
	return hw.Mux(event, beats.Ext(CommandTags*p.beats).Shl(p.first(tag)), hw.Zeros(CommandTags*p.beats))
}

// first is the bit of a tag's first beat.
func (p commandTags) first(tag hw.Bits) hw.Bits {
	if p.beats == 1 {
		return tag
	}
	return hw.Cat(tag, hw.Zeros(hw.IndexWidth(p.beats)))
}

// commandBeats is the number of beats of a command.
func commandBeats(p arch.Params) int { return arch.CommandBytes / p.StreamBytes() }
