package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// commandTags tracks the reads of commands, each of Beats beats. There are few of them and their
// order does not matter. So, unlike a tag of a tagRing, a tag is free again as soon as its read has
// finished.
type commandTags struct {
	Beats int `doc:"beats of a command"`
}

// TagBits returns the width of a tag.
func (commandTags) TagBits() int { return arch.Log2(CommandTags) }

// BeatBits returns the width of a beat number.
func (p commandTags) BeatBits() int { return hw.IndexWidth(p.Beats) }

type commandTagsPorts struct {
	Take    hw.Bits `hw:"in" doc:"a read begins"`
	TakeTag hw.Bits `hw:"in,TagBits" doc:"its tag"`

	Send    hw.Bits `hw:"in" doc:"its descriptor is taken"`
	SendTag hw.Bits `hw:"in,TagBits" doc:"its tag"`

	Beat    hw.Bits `hw:"in" doc:"a beat arrives"`
	BeatTag hw.Bits `hw:"in,TagBits" doc:"its tag"`
	Poison  hw.Bits `hw:"in" doc:"it is poisoned"`
	Accept  hw.Bits `hw:"out" doc:"the beat is expected"`
	Number  hw.Bits `hw:"out,BeatBits" doc:"number of the beat"`

	Finish Event[finished] `hw:"in" doc:"a status arrives, after data of the same cycle"`

	End   Event[Ended] `hw:"out" doc:"a cycle after an open read has finished"`
	Empty hw.Bits      `hw:"out" doc:"no read is in flight"`
}

// Build describes the unit.
func (p commandTags) Build(m *hw.Module) commandTagsPorts {
	m.Doc("Reads of commands: data counted, errors noted, by tag.")
	io := hw.Ports[commandTagsPorts](m)
	reads, unsent, spoilt := m.Reg("reads", CommandTags, 0), m.Data("unsent", CommandTags), m.Data("spoilt", CommandTags)
	open := reads.And(unsent.Not()).As("sent_reads")
	come := m.Data("beats_come", CommandTags*p.Beats) // bit b of a tag: beat b and all earlier beats have arrived

	so := p.of(come, io.BeatTag).As("come_so_far")
	accept := io.Beat.And(pick(open, io.BeatTag)).And(so.Bit(p.Beats - 1).Not()).As("accepted")
	io.Accept.Set(accept)
	io.Number.Set(so.Count().Resize(p.BeatBits()))

	at := func(event, tag hw.Bits) hw.Bits { return hw.Mux(event, tag.Decode(CommandTags), hw.Zeros(CommandTags)) }
	begun := at(io.Take, io.TakeTag).As("begun")
	next := p.place(accept, so.Not().And(so.Shl(hw.Lit(1, 1)).Or(hw.K(1))), io.BeatTag).As("beat_comes")
	arrived := come.Or(next).As("beats_arrived")
	come.Set(arrived.And(p.place(io.Take, hw.Ones(p.Beats), io.TakeTag).Not()))
	poisoned := spoilt.Or(at(accept.And(io.Poison), io.BeatTag)).As("poisoned")
	spoilt.Set(poisoned.And(begun.Not()))
	over := io.Finish.Data
	ends := io.Finish.Valid.And(pick(open, over.Tag)).As("ends")
	reads.Set(reads.Or(begun).And(at(ends, over.Tag).Not()))
	unsent.Set(unsent.Or(begun).And(at(io.Send, io.SendTag).Not()))
	io.Empty.Set(reads.IsZero())

	whole := p.of(arrived, over.Tag).Bit(p.Beats - 1).As("whole")
	failed := over.Error.Is(arch.DMAOK).Not().Or(pick(poisoned, over.Tag)).Or(whole.Not())
	hw.Set(io.End, Event[Ended]{ends, Ended{over.Tag, failed}}.Registered(m, "ended"))
	return io
}

// of returns the beats of a tag.
func (p commandTags) of(come, tag hw.Bits) hw.Bits { return come.Shr(p.first(tag)).Trunc(p.Beats) }

// place returns beats at the position of a tag in the cycle of an event, and 0 in other cycles.
func (p commandTags) place(event, beats, tag hw.Bits) hw.Bits {
	return hw.Mux(event, beats.Ext(CommandTags*p.Beats).Shl(p.first(tag)), hw.Zeros(CommandTags*p.Beats))
}

// first returns the position of a tag's first beat.
func (p commandTags) first(tag hw.Bits) hw.Bits {
	if p.Beats == 1 {
		return tag
	}
	return hw.Cat(tag, hw.Zeros(p.BeatBits()))
}
