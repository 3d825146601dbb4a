package dma

import "github.com/hotline-rtl/hotline/hw"

// tagRing hands out tags 0 to tags-1 in turn and takes them back in the same
// order, once they have finished.
type tagRing struct{ tags int }

type tagRingPorts struct {
	Take, Next, Full hw.Bits // Take hands out Next; not while Full
	Send, SendTag    hw.Bits // the descriptor of a tag is taken

	Open                        hw.Bits // bit t: the descriptor of tag t was taken and has not finished
	Finish, FinishTag, FinishOf hw.Bits // an open tag finishes, with error code FinishOf

	Oldest, Done, Error hw.Bits // the oldest tag, whether it has finished, and its error code
	Return, Empty       hw.Bits // Return takes Oldest back; only while Done
}

// ModuleName is the name of the ring of both engines.
func (tagRing) ModuleName() string { return "dma_tags" }

// Build describes the ring.
func (p tagRing) Build(m *hw.Module) tagRingPorts {
	m.Doc("Tags in ring order: handed out in turn, finished in any order, returned in turn.")
	w := hw.IndexWidth(p.tags)
	io := tagRingPorts{
		Take: m.In("take", 1), Next: m.Out("next", w), Full: m.Out("full", 1),
		Send: m.In("send", 1), SendTag: m.In("send_tag", w),
		Open:   m.Out("open", p.tags),
		Finish: m.In("finish", 1), FinishTag: m.In("finish_tag", w), FinishOf: m.In("finish_error", ErrorBits),
		Oldest: m.Out("oldest", w), Done: m.Out("done", 1), Error: m.Out("error", ErrorBits),
		Return: m.In("give_back", 1), Empty: m.Out("empty", 1),
	}
	// One bit more than a tag tells a full ring from an empty one.
	tail, head := m.Reg("tail", w+1, 0), m.Reg("head", w+1, 0)
	unfinished, unsent := m.Reg("unfinished", p.tags, 0), m.Data("unsent", p.tags)
	open := unfinished.And(unsent.Not()).As("sent_unfinished")
	codes := m.Mem("codes", p.tags, ErrorBits)
	next, oldest := tail.Trunc(w), head.Trunc(w)
	empty := head.Eq(tail).As("is_empty")
	full := tail.Eq(hw.Cat(head.Bit(w).Not(), oldest)).As("is_full")
	done := empty.Or(pick(unfinished, oldest)).Not().As("is_done")

	io.Next.Set(next)
	io.Full.Set(full)
	io.Open.Set(open)
	io.Oldest.Set(oldest)
	io.Done.Set(done)
	io.Error.Set(codes.Read(oldest))
	io.Empty.Set(empty)

	none := hw.Zeros(p.tags)
	taken := hw.Mux(io.Take, next.Decode(p.tags), none).As("taken")
	finished := hw.Mux(io.Finish, io.FinishTag.Decode(p.tags), none).As("finished")
	unfinished.Set(unfinished.Or(taken).And(finished.Not()))
	unsent.Set(unsent.Or(taken).And(hw.Mux(io.Send, io.SendTag.Decode(p.tags), none).Not()))
	m.When(io.Take, func() { tail.Set(tail.Inc()) })
	m.When(io.Finish, func() { codes.Write(io.FinishTag, io.FinishOf) })
	m.When(io.Return, func() { head.Set(head.Inc()) })

	m.Assert(io.Take.And(full).Not(), "no tag is taken from a full ring")
	m.Assert(io.Return.And(done.Not()).Not(), "only a finished tag is returned")
	m.Assert(io.Finish.Not().Or(pick(open, io.FinishTag)), "only an open tag finishes")
	return io
}

// sticky keeps the first code other than 0 that arrives after clear.
func sticky(m *hw.Module, arrives, code, clear hw.Bits) hw.Bits {
	first := m.Reg("first_error", ErrorBits, 0)
	m.When(clear.Or(first.IsZero()), func() { first.Set(hw.Mux(arrives, code, hw.K(0))) })
	return first
}

// pick is bit i of x.
func pick(x, i hw.Bits) hw.Bits { return x.Shr(i).Bit(0) }
