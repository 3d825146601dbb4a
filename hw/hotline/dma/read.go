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
	Req    hw.Stream // of Request
	Desc   Desc
	Data   axis.Bundle // always ready
	Status Status

	// A beat of a Load or, if LoadCommand is 1, of a Command; LoadDest is the
	// Dest of the request plus the number of the beat.
	LoadValid, LoadCommand, LoadDest, LoadData hw.Bits

	Row     hw.Stream // of RowBeat
	RowDone hw.Bits   // pulse: the last beat of a row was taken a cycle ago

	Pending hw.Bits // a read is outstanding, or its row not taken
	Loading hw.Bits // a Load is outstanding
	Error   hw.Bits // first error of a row or load, in request order, since Clear
	Clear   hw.Bits
	Dropped hw.Bits // beats that nothing expected; stays at its maximum
}

// ModuleName is the name of the engine.
func (Read) ModuleName() string { return "dma_read" }

// droppedBits is the width of the count of dropped beats.
const droppedBits = 16

// Build describes the engine.
func (p Read) Build(m *hw.Module) ReadPorts {
	m.Doc("DMA read engine: tags in a ring, data counted per tag, rows put back into request order.")
	io := p.ports(m)
	r := &reader{
		m: m, p: p.Params, io: io,
		tags:    hw.Inst(m, "tags", tagRing{p.Tags}),
		rows:    hw.Inst(m, "rows", ram.SimpleDual{Depth: p.Tags * rowBeats(p.Params), Width: p.StreamBits}),
		entries: m.Mem("entries", p.Tags, kindBits+destBits+beatBits(p.Params)),
	}
	taken, kind := r.issue()
	r.receive(taken)
	r.retire(taken, kind)
	return io
}

func (p Read) ports(m *hw.Module) ReadPorts {
	return ReadPorts{
		Req:         m.Sink("req", RequestBits),
		Desc:        ReadDescPorts(m, p.Params),
		Data:        ReadDataPorts(m, p.Params),
		Status:      ReadStatusPorts(m, p.Params),
		LoadValid:   m.Out("load_valid", 1),
		LoadCommand: m.Out("load_kind", 1),
		LoadDest:    m.Out("load_dest", destBits),
		LoadData:    m.Out("load_data", p.StreamBits),
		Row:         m.Source("row", RowBits(p.Params)),
		RowDone:     m.Out("row_done", 1),
		Pending:     m.Out("pending", 1),
		Loading:     m.Out("loading", 1),
		Error:       m.Out("error", codeBits),
		Clear:       m.In("clear", 1),
		Dropped:     m.Out("dropped", droppedBits),
	}
}

// reader is the engine being described.
type reader struct {
	m       *hw.Module
	p       arch.Params
	io      ReadPorts
	tags    tagRingPorts
	rows    ram.SimpleDualPorts // the beats of a row, at tag and beat
	entries hw.Mem              // by tag: {kind, dest, number of the last beat}
}

// entry is what is kept about a request.
type entry struct{ kind, dest, last hw.Bits }

func (r *reader) entry(tag hw.Bits, name string) entry {
	f := fields{r.entries.Read(tag).As(name)}
	return entry{last: f.take(beatBits(r.p)), dest: f.take(destBits), kind: f.take(kindBits)}
}

func is(kind hw.Bits, k Kind) hw.Bits { return kind.Eq(hw.Lit(kindBits, uint64(k))) }

// rowAddr is where a beat of a row is kept.
func (r *reader) rowAddr(tag, beat hw.Bits) hw.Bits {
	return hw.Cat(tag, beat.Trunc(hw.IndexWidth(rowBeats(r.p))))
}

// issue gives each request a tag and sends its descriptor. It returns that a
// request is taken, and its kind.
func (r *reader) issue() (taken, kind hw.Bits) {
	desc := hw.Inst(r.m, "desc", skid.Stage{Width: 1 + PacketBits + tagBits(r.p)})
	req := UnpackRequest(r.io.Req.Data)
	taken = r.io.Req.Fire().As("taken")
	r.io.Req.Ready.Set(r.tags.Full.Not().And(desc.Push.Ready))
	r.tags.Take.Set(taken)
	desc.Push.Valid.Set(r.io.Req.Valid.And(r.tags.Full.Not()))
	desc.Push.Data.Set(hw.Cat(req.Peer, req.Addr, req.Len, r.tags.Next))
	r.io.Desc.send(desc)

	last := req.Len.Dec().Slice(LenBits-2, LenBits-1-beatBits(r.p)).As("last_beat")
	r.m.When(taken, func() {
		r.entries.Write(r.tags.Next, hw.Cat(req.Kind, req.Dest, last))
	})
	return taken, req.Kind
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
	tag, data, poison := m.Data("data_tag", tagBits(r.p)), m.Data("data_word", r.p.StreamBits), m.Data("data_poison", 1)
	valid.Set(io.Data.TValid)
	m.When(io.Data.TValid, func() {
		tag.Set(io.Data.TID)
		data.Set(io.Data.TData)
		poison.Set(io.Data.TUser)
	})
	status := io.Status.registered(m)

	// A fresh tag has had no data yet; its word in arrived is an old one. Both
	// count for open tags only.
	fresh := m.Data("fresh", r.p.Tags)
	arrived := m.Mem("arrived", r.p.Tags, 2+beatBits(r.p))
	none := hw.Zeros(2 + beatBits(r.p))
	of := func(tag hw.Bits) hw.Bits { return hw.Mux(pick(fresh, tag), none, arrived.Read(tag)) }

	entry := r.entry(tag, "data_entry")
	now := unpackProgress(of(tag).As("data_progress"))
	accept := valid.And(pick(r.tags.Open, tag)).And(now.complete.Not()).As("accept")
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
	r.count(valid.And(accept.Not()))
	r.finish(status, hw.Mux(accept.And(tag.Eq(status.Tag)), next, of(status.Tag)))
}

// deliver brings an accepted beat to the row buffer or the load port.
func (r *reader) deliver(accept, tag, beat, data hw.Bits, e entry) {
	m := r.m
	row := is(e.kind, Row)
	r.rows.Write.Set(accept.And(row))
	r.rows.WAddr.Set(r.rowAddr(tag, beat))
	r.rows.WData.Set(data)

	load := accept.And(row.Not()).As("load")
	valid := m.Reg("out_valid", 1, 0)
	command, dest, word := m.Data("out_command", 1), m.Data("out_dest", destBits), m.Data("out_word", r.p.StreamBits)
	valid.Set(load)
	m.When(load, func() {
		command.Set(is(e.kind, Command))
		dest.Set(e.dest.Add(beat.Ext(destBits)))
		word.Set(data)
	})
	r.io.LoadValid.Set(valid)
	r.io.LoadCommand.Set(command)
	r.io.LoadDest.Set(dest)
	r.io.LoadData.Set(word)
}

// count counts dropped beats.
func (r *reader) count(drop hw.Bits) {
	dropped := r.m.Reg("drops", droppedBits, 0)
	r.m.When(drop.And(dropped.All().Not()), func() { dropped.Set(dropped.Inc()) })
	r.io.Dropped.Set(dropped)
}

// finish closes the tag of a status; what has arrived decides on the error
// where the status has none.
func (r *reader) finish(status Status, arrived hw.Bits) {
	g := unpackProgress(arrived.As("status_progress"))
	own := hw.Mux(g.poisoned, hw.Lit(codeBits, ErrPoisoned), hw.Mux(g.complete, hw.Lit(codeBits, 0), hw.Lit(codeBits, ErrShort)))
	r.tags.Finish.Set(status.Valid.And(pick(r.tags.Open, status.Tag)))
	r.tags.FinishTag.Set(status.Tag)
	r.tags.FinishOf.Set(hw.Mux(status.Error.Any(), status.Error, own))
}

// retire streams out the oldest row once it has finished, or just returns the
// tag of another read.
func (r *reader) retire(taken, kind hw.Bits) {
	m, io, tags := r.m, r.io, r.tags
	valid, failed, last := m.Reg("row_full", 1, 0), m.Data("row_failed", 1), m.Data("row_last", 1)
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
		failed.Set(tags.Error.Any())
		last.Set(final)
		beat.Set(hw.Mux(final, hw.K(0), beat.Inc()))
	}).ElseWhen(io.Row.Ready, func() {
		valid.Set(hw.K(0))
	})
	io.Row.Valid.Set(valid)
	io.Row.Data.Set(RowBeat{Error: failed, Last: last, Data: r.rows.RData}.Pack())

	done := m.Reg("done_pulse", 1, 0)
	done.Set(io.Row.Fire().And(last))
	io.RowDone.Set(done)
	// A lost command is no failure of the command that runs meanwhile.
	io.Error.Set(sticky(m, release.And(is(oldest.kind, Command).Not()), tags.Error, io.Clear))
	io.Pending.Set(tags.Empty.Not().Or(valid))
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
