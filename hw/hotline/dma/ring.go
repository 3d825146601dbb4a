package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// tagRing allocates the tags 0 to Tags-1 in cyclic order and frees them in the same order, once
// they have finished.
type tagRing struct {
	Tags int `doc:"DMA reads in flight"`
}

// TagBits returns the width of a tag.
func (p tagRing) TagBits() int { return arch.Log2(p.Tags) }

// UsedBits returns the width of a number of tags.
func (p tagRing) UsedBits() int { return p.TagBits() + 1 }

type tagRingPorts struct {
	Take hw.Bits `hw:"in" doc:"hands out next; not while full"`
	Next hw.Bits `hw:"out,TagBits" doc:"tag to hand out"`
	Full hw.Bits `hw:"out" doc:"no tag is free"`

	Send    hw.Bits `hw:"in" doc:"the descriptor of a tag is taken"`
	SendTag hw.Bits `hw:"in,TagBits" doc:"its tag"`

	Open   hw.Bits         `hw:"out,Tags" doc:"by tag: its descriptor was taken and it has not finished"`
	Finish Event[finished] `hw:"in" doc:"an open tag has finished"`

	Oldest hw.Bits                `hw:"out,TagBits" doc:"oldest tag"`
	Done   hw.Bits                `hw:"out" doc:"the oldest tag has finished, with this error"`
	Error  hw.Enum[arch.DMAError] `hw:"out" doc:"of the oldest tag"`
	Return hw.Bits                `hw:"in,name=give_back" doc:"takes the oldest tag back; only while done"`
	Empty  hw.Bits                `hw:"out" doc:"no tag is handed out"`
	Used   hw.Bits                `hw:"out,UsedBits" doc:"tags that are handed out"`
}

// finished reports that an open tag finishes.
type finished struct {
	Tag   hw.Bits `hw:"TagBits"`
	Error hw.Enum[arch.DMAError]
}

// Build describes the ring.
func (p tagRing) Build(m *hw.Module) tagRingPorts {
	m.Doc("Tags in ring order: handed out in turn, finished in any order, returned in turn.")
	io := hw.Ports[tagRingPorts](m)
	w := p.TagBits()
	// The extra bit distinguishes a full ring from an empty ring.
	tail, head := m.Reg("tail", w+1, 0), m.Reg("head", w+1, 0)
	unfinished, unsent := m.Reg("unfinished", p.Tags, 0), m.Data("unsent", p.Tags)
	open := unfinished.And(unsent.Not()).As("sent_unfinished")
	codes := m.Mem("codes", p.Tags, io.Error.Width())
	next, oldest := tail.Trunc(w), head.Trunc(w)
	empty := head.Eq(tail).As("is_empty")
	full := tail.Eq(hw.Cat(head.Bit(w).Not(), oldest)).As("is_full")
	done := empty.Or(pick(unfinished, oldest)).Not().As("is_done")

	io.Next.Set(next)
	io.Full.Set(full)
	io.Open.Set(open)
	io.Oldest.Set(oldest)
	io.Done.Set(done)
	io.Error.Set(hw.EnumOf[arch.DMAError](codes.Read(oldest)))
	io.Empty.Set(empty)
	io.Used.Set(tail.Sub(head))

	none := hw.Zeros(p.Tags)
	taken := hw.Mux(io.Take, next.Decode(p.Tags), none).As("taken")
	over := hw.Mux(io.Finish.Valid, io.Finish.Data.Tag.Decode(p.Tags), none).As("finished")
	unfinished.Set(unfinished.Or(taken).And(over.Not()))
	unsent.Set(unsent.Or(taken).And(hw.Mux(io.Send, io.SendTag.Decode(p.Tags), none).Not()))
	m.When(io.Take, func() { tail.Set(tail.Inc()) })
	m.When(io.Finish.Valid, func() { codes.Write(io.Finish.Data.Tag, io.Finish.Data.Error.Bits()) })
	m.When(io.Return, func() { head.Set(head.Inc()) })

	m.Cover(full, "every tag is taken")
	m.Cover(io.Finish.Valid.And(io.Finish.Data.Tag.Ne(oldest)), "a tag finishes before an older one")
	m.Assert(io.Take.And(full).Not(), "no tag is taken from a full ring")
	m.Assert(io.Return.And(done.Not()).Not(), "only a finished tag is returned")
	m.Assert(io.Finish.Valid.Not().Or(pick(open, io.Finish.Data.Tag)), "only an open tag finishes")
	return io
}

// sticky returns the first error that arrives after clear.
func sticky(m *hw.Module, arrives hw.Bits, code hw.Enum[arch.DMAError], clear hw.Bits) hw.Enum[arch.DMAError] {
	first, ok := hw.Reg[hw.Enum[arch.DMAError]](m, "first_error"), hw.Value(m, arch.DMAOK)
	m.When(clear.Or(first.Is(arch.DMAOK)), func() { first.Set(hw.Mux(arrives, code, ok)) })
	return first
}

// rises reports whether x is 1 and was 0 in the previous cycle.
func rises(m *hw.Module, name string, x hw.Bits) hw.Bits {
	was := m.Data(name, 1)
	was.Set(x)
	return x.And(was.Not())
}

// lengths returns n if fire was 1 in the previous cycle, and otherwise 0.
func lengths(m *hw.Module, fire, n hw.Bits) hw.Bits {
	moved := m.Reg("moved_bytes", n.Width(), 0)
	moved.Set(hw.Mux(fire, n, hw.Zeros(n.Width())))
	return moved
}

// pick returns bit i of x.
func pick(x, i hw.Bits) hw.Bits { return x.Shr(i).Bit(0) }
