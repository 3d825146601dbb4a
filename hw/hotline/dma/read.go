package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Read is the read engine: many reads in flight, rows delivered in the order
// of their requests, other data as it comes.
type Read struct{ arch.Params }

// ReadPorts are the ports of Read.
type ReadPorts struct {
	Req     hw.Stream[hw.Bits] // of Request
	Command hw.Stream[hw.Bits] // of CommandRead, with a tag that is not under way; before Req
	Desc    Desc
	Data    axis.Bundle // always ready
	Status  Status

	// A beat of a Load or, if LoadCommand is 1, of a command. LoadDest is the
	// Dest of the request plus the number of the beat, or that number behind the
	// tag of a command.
	LoadValid, LoadCommand, LoadDest, LoadData hw.Bits

	// CommandEnd pulses when the read of the command CommandTag has ended, with
	// its last beat on the load port or later.
	CommandEnd, CommandTag, CommandFailed hw.Bits

	Row     hw.Stream[hw.Bits] // of RowBeat
	RowDone hw.Bits            // pulse: the last beat of a row was taken a cycle ago

	Hold    hw.Bits // takes no more requests, so that Pending ends
	Pending hw.Bits // a read is outstanding, or its row not taken
	Loading hw.Bits // a Load is outstanding
	Error   hw.Bits // first error of a Load, in request order, since Clear
	Clear   hw.Bits
	Dropped hw.Bits // beats that nothing expected; stays at its maximum
}

// ModuleName is the name of the engine.
func (Read) ModuleName() string { return "dma_read" }

// DroppedBits is the width of the count of dropped beats.
const DroppedBits = 16

// Build describes the engine.
func (p Read) Build(m *hw.Module) ReadPorts {
	m.Doc("DMA read engine: tags in a ring, data counted per tag, rows put back into request order.")
	io := p.ports(m)
	r := &reader{
		m: m, p: p.Params, io: io,
		tags:     hw.Inst(m, "tags", tagRing{p.Tags}),
		commands: hw.Inst(m, "commands", commandTags{commandBeats(p.Params)}),
		rows:     hw.Inst(m, "rows", ram.SimpleDual[hw.Bits]{Of: hw.Width(p.StreamBits), Depth: p.Tags * rowBeats(p.Params)}),
		entries:  m.Mem("entries", p.Tags, kindBits+destBits+beatBits(p.Params)),
	}
	taken, kind := r.issue()
	r.receive(taken)
	r.retire(taken, kind)
	return io
}

func (p Read) ports(m *hw.Module) ReadPorts {
	return ReadPorts{
		Req:           m.Sink("req", RequestBits),
		Command:       m.Sink("command", CommandReadBits),
		Desc:          ReadDescPorts(m, p.Params),
		Data:          ReadDataPorts(m, p.Params),
		Status:        ReadStatusPorts(m, p.Params),
		LoadValid:     m.Out("load_valid", 1),
		LoadCommand:   m.Out("load_command", 1),
		LoadDest:      m.Out("load_dest", destBits),
		LoadData:      m.Out("load_data", p.StreamBits),
		CommandEnd:    m.Out("command_end", 1),
		CommandTag:    m.Out("command_tag", commandTagBits),
		CommandFailed: m.Out("command_failed", 1),
		Row:           m.Source("row", RowBits(p.Params)),
		RowDone:       m.Out("row_done", 1),
		Hold:          m.In("hold", 1),
		Pending:       m.Out("pending", 1),
		Loading:       m.Out("loading", 1),
		Error:         m.Out("error", ErrorBits),
		Clear:         m.In("clear", 1),
		Dropped:       m.Out("dropped", DroppedBits),
	}
}

// reader is the engine being described.
type reader struct {
	m  *hw.Module
	p  arch.Params
	io ReadPorts

	tags     tagRingPorts
	commands commandTagsPorts
	rows     ram.SimpleDualPorts[hw.Bits] // the beats of a row, at tag and beat
	entries  hw.Mem[hw.Bits]              // by tag: {kind, dest, number of the last beat}
}

// entry is what is kept about a request.
type entry struct{ kind, dest, last hw.Bits }

func (r *reader) entry(tag hw.Bits, name string) entry {
	f := fields{r.entries.Read(tag).As(name)}
	return entry{last: f.take(beatBits(r.p)), dest: f.take(destBits), kind: f.take(kindBits)}
}

func is(kind hw.Bits, k Kind) hw.Bits { return kind.Eq(k.Bits()) }

// rowAddr is where a beat of a row is kept.
func (r *reader) rowAddr(tag, beat hw.Bits) hw.Bits {
	return hw.Cat(tag, beat.Trunc(hw.IndexWidth(rowBeats(r.p))))
}

// issue gives each request a tag and sends its descriptor. A command comes
// first. It returns that a request is taken, and its kind.
func (r *reader) issue() (taken, kind hw.Bits) {
	desc := hw.Inst(r.m, "desc", skid.Stage[hw.Bits]{Of: hw.Width(1 + PacketBits + readTagBits(r.p))})
	req, command := UnpackRequest(r.io.Req.Data), UnpackCommandRead(r.io.Command.Data)
	open, first := r.io.Hold.Not(), r.io.Command.Valid
	room := r.tags.Full.Or(first).Not().And(open).As("room_for_request")
	taken = r.io.Req.Fire().As("taken")
	r.io.Command.Ready.Set(desc.Push.Ready.And(open))
	r.io.Req.Ready.Set(desc.Push.Ready.And(room))
	r.tags.Take.Set(taken)
	r.commands.Take.Set(r.io.Command.Fire())
	r.commands.TakeTag.Set(command.Tag)

	desc.Push.Valid.Set(hw.Mux(first, open, r.io.Req.Valid.And(room)))
	desc.Push.Data.Set(hw.Mux(first,
		hw.Cat(hw.Lit(1, 0), command.Addr, hw.Lit(LenBits, arch.CommandBytes), hw.Lit(1, 1), command.Tag.Ext(tagBits(r.p))),
		hw.Cat(req.Peer, req.Addr, req.Len, hw.Lit(1, 0), r.tags.Next)))
	r.io.Desc.send(desc)
	r.sent()

	last := req.Len.Dec().Slice(LenBits-2, LenBits-1-beatBits(r.p)).As("last_beat")
	r.m.When(taken, func() {
		r.entries.Write(r.tags.Next, hw.Cat(req.Kind, req.Dest, last))
	})
	return taken, req.Kind
}

// sent tells whose descriptor has been taken.
func (r *reader) sent() {
	tag := r.io.Desc.Tag
	ofCommand := tag.Bit(tagBits(r.p))
	fire := r.io.Desc.Fire().As("desc_taken")
	r.tags.Send.Set(fire.And(ofCommand.Not()))
	r.tags.SendTag.Set(tag.Trunc(tagBits(r.p)))
	r.commands.Send.Set(fire.And(ofCommand))
	r.commands.SendTag.Set(tag.Trunc(commandTagBits))
}

// progress is how much of a tag's data has come: the number of the next beat,
// whether that is none because all have come, whether one was poisoned.
type progress struct{ poisoned, complete, beat hw.Bits }

func unpackProgress(x hw.Bits) progress {
	f := fields{x}
	return progress{beat: f.take(x.Width() - 2), complete: f.take(1), poisoned: f.take(1)}
}

func (g progress) pack() hw.Bits { return hw.Cat(g.poisoned, g.complete, g.beat) }

// receive takes data and statuses. Both are registered first; data comes
// before a status of the same cycle.
func (r *reader) receive(taken hw.Bits) {
	m, io := r.m, r.io
	io.Data.TReady.Set(hw.K(1))
	valid := m.Reg("data_valid", 1, 0)
	from, data, poison := m.Data("data_tag", readTagBits(r.p)), m.Data("data_word", r.p.StreamBits), m.Data("data_poison", 1)
	valid.Set(io.Data.TValid)
	m.When(io.Data.TValid, func() {
		from.Set(io.Data.TID)
		data.Set(io.Data.TData)
		poison.Set(io.Data.TUser)
	})
	status := io.Status.registered(m)
	tag, ofRequest, ofCommand := r.split(from, valid)
	r.command(ofCommand, from, poison, status)

	// A fresh tag has had no data yet; its word in arrived is an old one. Both
	// count for open tags only.
	fresh := m.Data("fresh", r.p.Tags)
	arrived := m.Mem("arrived", r.p.Tags, 2+beatBits(r.p))
	none := hw.Zeros(2 + beatBits(r.p))
	of := func(tag hw.Bits) hw.Bits { return hw.Mux(pick(fresh, tag), none, arrived.Read(tag)) }

	entry := r.entry(tag, "data_entry")
	now := unpackProgress(of(tag).As("data_progress"))
	accept := ofRequest.And(pick(r.tags.Open, tag)).And(now.complete.Not()).As("accept")
	next := progress{
		poisoned: now.poisoned.Or(poison),
		complete: now.beat.Eq(entry.last),
		beat:     now.beat.Inc(),
	}.pack().As("next_progress")
	m.When(accept, func() { arrived.Write(tag, next) })
	zero := hw.Zeros(r.p.Tags)
	fresh.Set(fresh.Or(hw.Mux(taken, r.tags.Next.Decode(r.p.Tags), zero)).
		And(hw.Mux(accept, tag.Decode(r.p.Tags), zero).Not()))

	r.deliver(accept, tag, now.beat, data, entry)
	r.count(valid.And(accept.Or(r.commands.Accept).Not()))
	ended, finished, _ := r.split(status.Tag, status.Valid)
	r.finish(ended, finished, status.Error, hw.Mux(accept.And(tag.Eq(ended)), next, of(ended)))
}

// split tells what has come with a tag: something of a request, with its tag in
// the ring, or of a command.
func (r *reader) split(tag, valid hw.Bits) (ring, ofRequest, ofCommand hw.Bits) {
	w := tagBits(r.p)
	top := tag.Bit(w)
	ofCommand = valid.And(top)
	if w > commandTagBits {
		ofCommand = ofCommand.And(tag.Slice(w-1, commandTagBits).IsZero())
	}
	return tag.Trunc(w), valid.And(top.Not()), ofCommand
}

// command keeps account of data and statuses of commands.
func (r *reader) command(data, tag, poison hw.Bits, status Status) {
	c, io := r.commands, r.io
	c.Beat.Set(data)
	c.BeatTag.Set(tag.Trunc(commandTagBits))
	c.Poison.Set(poison)
	_, _, finish := r.split(status.Tag, status.Valid)
	c.Finish.Set(finish)
	c.FinishTag.Set(status.Tag.Trunc(commandTagBits))
	c.FinishOf.Set(status.Error)
	io.CommandEnd.Set(c.End)
	io.CommandTag.Set(c.EndTag)
	io.CommandFailed.Set(c.Failed)
}

// deliver brings an accepted beat to the row buffer or the load port; those of
// commands take the same way.
func (r *reader) deliver(accept, tag, beat, data hw.Bits, e entry) {
	m, c := r.m, r.commands
	row := is(e.kind, Row)
	r.rows.Write.Set(accept.And(row))
	r.rows.WAddr.Set(r.rowAddr(tag, beat))
	r.rows.WData.Set(data)

	load := accept.And(row.Not()).Or(c.Accept).As("load")
	valid := m.Reg("out_valid", 1, 0)
	command, dest, word := m.Data("out_command", 1), m.Data("out_dest", destBits), m.Data("out_word", r.p.StreamBits)
	valid.Set(load)
	m.When(load, func() {
		command.Set(c.Accept)
		dest.Set(hw.Mux(c.Accept, r.commandDest(), e.dest.Add(beat.Ext(destBits))))
		word.Set(data)
	})
	r.io.LoadValid.Set(valid)
	r.io.LoadCommand.Set(command)
	r.io.LoadDest.Set(dest)
	r.io.LoadData.Set(word)
}

// commandDest is {tag, number of the beat}.
func (r *reader) commandDest() hw.Bits {
	c := r.commands
	if commandBeats(r.p) == 1 {
		return c.BeatTag.Ext(destBits)
	}
	return hw.Cat(c.BeatTag, c.Number).Ext(destBits)
}

// count counts dropped beats.
func (r *reader) count(drop hw.Bits) {
	dropped := r.m.Reg("drops", DroppedBits, 0)
	r.m.When(drop.And(dropped.All().Not()), func() { dropped.Set(dropped.Inc()) })
	r.io.Dropped.Set(dropped)
}

// finish closes a tag; what has arrived decides on the error where the status
// has none.
func (r *reader) finish(tag, finished, code, arrived hw.Bits) {
	g := unpackProgress(arrived.As("status_progress"))
	own := hw.Mux(g.poisoned, hw.Lit(ErrorBits, ErrPoisoned), hw.Mux(g.complete, hw.Lit(ErrorBits, 0), hw.Lit(ErrorBits, ErrShort)))
	r.tags.Finish.Set(finished.And(pick(r.tags.Open, tag)))
	r.tags.FinishTag.Set(tag)
	r.tags.FinishOf.Set(hw.Mux(code.Any(), code, own))
}

// retire streams out the oldest row once it has finished, or just returns the
// tag of another read.
func (r *reader) retire(taken, kind hw.Bits) {
	m, io, tags := r.m, r.io, r.tags
	valid, code, last := m.Reg("row_full", 1, 0), m.Data("row_code", ErrorBits), m.Data("row_last", 1)
	beat := m.Reg("row_beat", beatBits(r.p), 0)
	oldest := r.entry(tags.Oldest, "oldest_entry")
	row := is(oldest.kind, Row)
	room := valid.Not().Or(io.Row.Ready)
	read := tags.Done.And(row).And(room).As("row_read")
	final := beat.Eq(oldest.last).As("row_final")
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
	io.Row.Data.Set(RowBeat{Error: code, Last: last, Data: r.rows.RData}.Pack())

	done := m.Reg("done_pulse", 1, 0)
	done.Set(io.Row.Fire().And(last))
	io.RowDone.Set(done)
	io.Error.Set(sticky(m, release.And(row.Not()), tags.Error, io.Clear)) // that of a row goes with it
	io.Pending.Set(tags.Empty.And(r.commands.Empty).Not().Or(valid))
	r.loading(taken.And(is(kind, Load)), release.And(is(oldest.kind, Load)))
}

// loading counts the loads that have a tag.
func (r *reader) loading(begins, ends hw.Bits) {
	loads := r.m.Reg("loads", hw.CountWidth(r.p.Tags), 0)
	r.m.When(begins.And(ends.Not()), func() {
		loads.Set(loads.Inc())
	}).ElseWhen(ends.And(begins.Not()), func() {
		loads.Set(loads.Dec())
	})
	r.io.Loading.Set(loads.Any())
}
