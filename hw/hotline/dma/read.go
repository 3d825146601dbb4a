package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Read is the read engine. It keeps many reads in flight. It delivers rows of up to VectorValues
// FP32 values in the order of their requests, and other data as it arrives.
type Read struct {
	arch.Link
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
}

// ReadPorts are the ports of Read.
type ReadPorts struct {
	Req     hw.Stream[Request]     `hw:"in" doc:"reads of rows, and loads of words"`
	Command hw.Stream[CommandRead] `hw:"in" doc:"reads of commands, with priority; the tag is free"`

	Desc   hw.Stream[ReadDesc]   `hw:"out,name=m_axis_read_desc" doc:"reads"`
	Data   axis.Stream[ReadData] `hw:"in,name=s_axis_read_data" doc:"data of the reads"`
	Status Event[ReadStatus]     `hw:"in,name=s_axis_read_desc_status" doc:"ends of the reads"`

	Load    Event[Loaded]      `hw:"out" doc:"beats of loads and commands"`
	End     Event[Ended]       `hw:"out,name=command_end" doc:"the read of a command has ended"`
	Row     hw.Stream[RowBeat] `hw:"out" doc:"rows, in the order of requests"`
	RowDone hw.Bits            `hw:"out" doc:"pulse: the last beat of a row was taken a cycle ago"`

	InFlight hw.Bits `hw:"out,UsedBits" doc:"requests that hold a tag"`
	Stalled  hw.Bits `hw:"out" doc:"pulse: a request begins to wait for a tag"`
	Asked    hw.Bits `hw:"out,13" doc:"bytes of the descriptor taken a cycle ago, or 0"`

	Hold    hw.Bits                `hw:"in" doc:"takes no more requests"`
	Pending hw.Bits                `hw:"out" doc:"a read is in flight, or its row is not taken"`
	Loading hw.Bits                `hw:"out" doc:"a load is in flight"`
	Error   hw.Enum[arch.DMAError] `hw:"out" doc:"of the first load that failed since clear"`
	Clear   hw.Bits                `hw:"in" doc:"clears error"`
	Dropped hw.Bits                `hw:"out,16" doc:"unexpected beats; saturates"`
}

// DroppedBits is the width of the counter of dropped beats.
const DroppedBits = 16

// ModuleName returns the name of the module.
func (Read) ModuleName() string { return "dma_read" }

// RowBeats returns the number of beats of the longest row.
func (p Read) RowBeats() int { return p.VectorValues * 32 / p.StreamBits }

// UsedBits returns the width of a number of tags.
func (p Read) UsedBits() int { return tagRing{p.Tags}.UsedBits() }

// BeatBits returns the width of a beat number within a descriptor.
func (p Read) BeatBits() int { return hw.IndexWidth(MaxBytes / p.StreamBytes()) }

// Build describes the engine.
func (p Read) Build(m *hw.Module) ReadPorts {
	m.Doc("DMA read engine: tags in a ring, data counted per tag, rows put back into request order.")
	r := &reader{
		m: m, p: p, io: hw.Ports[ReadPorts](m),
		tags:     hw.Inst(m, "tags", tagRing{p.Tags}),
		commands: hw.Inst(m, "commands", commandTags{p.CommandBeats()}),
		rows:     hw.Inst(m, "rows", ram.SimpleDual[hw.Bits]{Of: hw.Width(p.StreamBits), Depth: p.Tags * p.RowBeats()}),
		entries:  hw.Of[entry](p).Mem(m, "entries", p.Tags),
	}
	m.Unused(r.io.Data.Data.Keep, r.io.Data.Data.Last) // entries contain the length
	begins := r.issue()
	r.receive()
	r.retire(begins)
	return r.io
}

// reader describes the engine.
type reader struct {
	m  *hw.Module
	p  Read
	io ReadPorts

	tags     tagRingPorts
	commands commandTagsPorts
	rows     ram.SimpleDualPorts[hw.Bits] // beats of rows, addressed by tag and beat
	entries  hw.Mem[entry]                // by tag
}

// entry is the state that is kept per request. Last is the number of its last beat.
type entry struct {
	Kind hw.Enum[Kind]
	Dest hw.Bits `hw:"24"`
	Last hw.Bits `hw:"BeatBits"`
}

// entry returns the entry of the request that holds a tag.
func (r *reader) entry(tag hw.Bits, name string) entry { return named(r.m, name, r.entries.Read(tag)) }

// named returns x with names for its fields.
func named[T any](m *hw.Module, name string, x T) T {
	w := hw.Wire[T](m, name)
	hw.Set(w, x)
	return w
}

// rowAddr returns the address of a beat in the row buffer.
func (r *reader) rowAddr(tag, beat hw.Bits) hw.Bits {
	return hw.Cat(tag, beat.Trunc(hw.IndexWidth(r.p.RowBeats())))
}

// issue assigns a tag to each request and sends its descriptor. Commands take precedence. It
// reports whether a Load begins.
func (r *reader) issue() (begins hw.Bits) {
	desc := hw.Inst(r.m, "desc", skid.Stage[ReadDesc]{Of: hw.Of[ReadDesc](r.p)})
	req, command := r.io.Req.Data, r.io.Command.Data
	open, first := r.io.Hold.Not(), r.io.Command.Valid
	room := r.tags.Full.Or(first).Not().And(open).As("room_for_request")
	taken := r.io.Req.Fire().As("taken")
	r.io.Command.Ready.Set(desc.Push.Ready.And(open))
	r.io.Req.Ready.Set(desc.Push.Ready.And(room))
	r.tags.Take.Set(taken)
	r.commands.Take.Set(r.io.Command.Fire())
	r.commands.TakeTag.Set(command.Tag)

	desc.Push.Valid.Set(hw.Mux(first, open, r.io.Req.Valid.And(room)))
	hw.Set(desc.Push.Data, hw.Mux(first,
		ReadDesc{Addr: command.Addr, Len: hw.Named("command_bytes", arch.CommandBytes), Tag: hw.Cat(hw.Lit(1, 1), command.Tag.Ext(r.p.WriteTagBits())), Class: hw.K(0)},
		ReadDesc{Addr: req.Addr, Len: req.Len, Tag: hw.Cat(hw.Lit(1, 0), r.tags.Next), Class: req.Peer}))
	r.io.Desc.Connect(desc.Pop)
	r.sent()

	r.io.InFlight.Set(r.tags.Used)
	r.io.Stalled.Set(rises(r.m, "waiting_for_tag", r.io.Req.Valid.And(r.tags.Full).And(open)))

	last := req.Len.Dec().Slice(LenBits-2, LenBits-1-r.p.BeatBits()).As("last_beat")
	r.m.When(taken, func() {
		r.entries.Write(r.tags.Next, entry{Kind: req.Kind, Dest: req.Dest, Last: last})
	})
	return taken.And(req.Kind.Is(Load))
}

// sent records which tag's descriptor was accepted.
func (r *reader) sent() {
	tag := r.io.Desc.Data.Tag
	ofCommand := tag.Bit(r.p.WriteTagBits())
	fire := r.io.Desc.Fire().As("desc_taken")
	r.tags.Send.Set(fire.And(ofCommand.Not()))
	r.tags.SendTag.Set(tag.Trunc(r.p.WriteTagBits()))
	r.commands.Send.Set(fire.And(ofCommand))
	r.commands.SendTag.Set(tag.Trunc(r.commands.SendTag.Width()))
	r.io.Asked.Set(lengths(r.m, r.io.Desc.Fire(), r.io.Desc.Data.Len))
}

// progress describes the data that has arrived for a tag: the number of the next beat, whether all
// beats have arrived, and whether a beat was poisoned.
type progress struct {
	Poisoned, Complete hw.Bits
	Beat               hw.Bits `hw:"BeatBits"`
}

// arrival is an arriving beat of data, without the fields that the engine ignores.
type arrival struct {
	Tag      hw.Bits `hw:"ReadTagBits"`
	Data     hw.Bits `hw:"StreamBits"`
	Poisoned hw.Bits
}

// receive accepts data and statuses. Both are registered first. Data is processed before a status
// of the same cycle.
func (r *reader) receive() {
	m, in := r.m, r.io.Data
	in.Ready.Set(hw.K(1))
	data := Event[arrival]{in.Valid, arrival{in.Data.Tag, in.Data.Data, in.Data.Poisoned}}.Registered(m, "data")
	status := r.io.Status.Registered(m, "status")
	tag, ofRequest, ofCommand := r.split(data.Data.Tag, data.Valid)
	ended, finish, finishCommand := r.split(status.Data.Tag, status.Valid)

	c := r.commands
	c.Beat.Set(ofCommand)
	c.BeatTag.Set(data.Data.Tag.Trunc(c.BeatTag.Width()))
	c.Poison.Set(data.Data.Poisoned)
	c.Finish.Valid.Set(finishCommand)
	c.Finish.Data.Tag.Set(ended.Trunc(c.BeatTag.Width()))
	c.Finish.Data.Error.Set(status.Data.Error)
	hw.Set(r.io.End, c.End)

	// A fresh tag has no data yet; its word in arrived is stale. Both are meaningful for open tags
	// only.
	fresh := m.Data("fresh", r.p.Tags)
	arrived := hw.Of[progress](r.p).Mem(m, "arrived", r.p.Tags)
	of := func(tag hw.Bits) progress { return hw.Mux(pick(fresh, tag), hw.Zero[progress](m), arrived.Read(tag)) }

	e, now := r.entry(tag, "data_entry"), named(m, "data_progress", of(tag))
	accept := ofRequest.And(pick(r.tags.Open, tag)).And(now.Complete.Not()).As("accept")
	next := named(m, "next_progress", progress{
		Poisoned: now.Poisoned.Or(data.Data.Poisoned),
		Complete: now.Beat.Eq(e.Last),
		Beat:     now.Beat.Inc(),
	})
	m.When(accept, func() { arrived.Write(tag, next) })
	zero := hw.Zeros(r.p.Tags)
	fresh.Set(fresh.Or(hw.Mux(r.tags.Take, r.tags.Next.Decode(r.p.Tags), zero)).
		And(hw.Mux(accept, tag.Decode(r.p.Tags), zero).Not()))

	r.deliver(accept, tag, now.Beat, data.Data.Data, e)
	r.count(data.Valid.And(accept.Or(c.Accept).Not()))
	r.finish(ended, finish, status.Data.Error, hw.Mux(accept.And(tag.Eq(ended)).As("beat_of_ended"), next, of(ended)))
}

// split classifies an event by its tag. It belongs to a request, with a tag of the ring, or to a
// command.
func (r *reader) split(tag, valid hw.Bits) (ring, ofRequest, ofCommand hw.Bits) {
	w, short := r.p.WriteTagBits(), r.commands.BeatTag.Width()
	top := tag.Bit(w)
	ofCommand = valid.And(top)
	if w > short {
		ofCommand = ofCommand.And(tag.Slice(w-1, short).IsZero())
	}
	return tag.Trunc(w), valid.And(top.Not()), ofCommand
}

// deliver sends an accepted beat to the row buffer or to the load port. Beats of commands also go
// to the load port.
func (r *reader) deliver(accept, tag, beat, data hw.Bits, e entry) {
	c, row := r.commands, e.Kind.Is(Row)
	r.rows.Write.Set(accept.And(row))
	r.rows.WAddr.Set(r.rowAddr(tag, beat))
	r.rows.WData.Set(data)

	load := accept.And(row.Not()).Or(c.Accept).As("load")
	dest := hw.Mux(c.Accept, r.commandDest(), e.Dest.Add(beat.Ext(e.Dest.Width())))
	hw.Set(r.io.Load, Event[Loaded]{load, Loaded{Command: c.Accept, Dest: dest, Data: data}}.Registered(r.m, "out"))
}

// commandDest returns {tag, beat number}.
func (r *reader) commandDest() hw.Bits {
	c, width := r.commands, r.io.Load.Data.Dest.Width()
	if r.p.CommandBeats() == 1 {
		return c.BeatTag.Ext(width)
	}
	return hw.Cat(c.BeatTag, c.Number).Ext(width)
}

// count counts dropped beats.
func (r *reader) count(drop hw.Bits) {
	dropped := r.m.Reg("drops", DroppedBits, 0)
	r.m.When(drop.And(dropped.All().Not()), func() { dropped.Set(dropped.Inc()) })
	r.io.Dropped.Set(dropped)
}

// finish closes a tag. If the status has no error, the arrived data determines the error: poisoned
// or missing data.
func (r *reader) finish(tag, valid hw.Bits, code hw.Enum[arch.DMAError], arrived progress) {
	poisoned, complete := arrived.Poisoned.As("spoilt"), arrived.Complete.As("whole")
	value := func(e arch.DMAError) hw.Enum[arch.DMAError] { return hw.Value(r.m, e) }
	own := hw.Mux(poisoned, value(arch.ErrPoisoned), hw.Mux(complete, value(arch.DMAOK), value(arch.ErrShort)))
	r.tags.Finish.Valid.Set(valid.And(pick(r.tags.Open, tag)))
	hw.Set(r.tags.Finish.Data, finished{tag, hw.Mux(code.Is(arch.DMAOK), own, code)})
}

// retire streams out the oldest row once it has finished. For other reads it only frees the
// tag.
func (r *reader) retire(begins hw.Bits) {
	m, io, tags := r.m, r.io, r.tags
	valid, code, last := m.Reg("row_full", 1, 0), hw.Data[hw.Enum[arch.DMAError]](m, "beat_code"), m.Data("beat_last", 1)
	beat := m.Reg("row_beat", r.p.BeatBits(), 0)
	oldest := r.entry(tags.Oldest, "oldest_entry")
	m.Unused(oldest.Dest)
	row := oldest.Kind.Is(Row)
	room := valid.Not().Or(io.Row.Ready)
	read := tags.Done.And(row).And(room).As("row_read")
	final := beat.Eq(oldest.Last).As("row_final")
	release := tags.Done.And(row.Not().Or(room.And(final))).As("finished")

	tags.Return.Set(release)
	r.rows.Read.Set(read)
	r.rows.RAddr.Set(r.rowAddr(tags.Oldest, beat))
	m.When(read, func() {
		valid.Set(hw.K(1))
		code.Set(tags.Error)
		last.Set(final)
		beat.Set(hw.Mux(final, hw.K(0), beat.Inc()))
	}).ElseWhen(io.Row.Ready, func() {
		valid.Set(hw.K(0))
	})
	io.Row.Valid.Set(valid)
	hw.Set(io.Row.Data, RowBeat{Error: code, Last: last, Data: r.rows.RData})

	done := m.Reg("done_pulse", 1, 0)
	done.Set(io.Row.Fire().And(last))
	io.RowDone.Set(done)
	io.Error.Set(sticky(m, release.And(row.Not()), tags.Error, io.Clear)) // errors of rows are delivered with the row
	io.Pending.Set(tags.Empty.And(r.commands.Empty).Not().Or(valid))
	r.loading(begins, release.And(oldest.Kind.Is(Load)))
}

// loading counts the loads that hold a tag.
func (r *reader) loading(begins, ends hw.Bits) {
	loads := r.m.Reg("loads", hw.CountWidth(r.p.Tags), 0)
	r.m.When(begins.And(ends.Not()), func() {
		loads.Set(loads.Inc())
	}).ElseWhen(ends.And(begins.Not()), func() {
		loads.Set(loads.Dec())
	})
	r.io.Loading.Set(loads.Any())
}
