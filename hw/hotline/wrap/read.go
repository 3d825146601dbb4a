package wrap

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// axiRead converts read descriptors into bursts, and the beats of these bursts into the data of the
// descriptors.
type axiRead struct{ arch.Link }

type axiReadPorts struct {
	Desc   hw.Stream[dma.ReadDesc]   `hw:"in,name=desc" doc:"reads"`
	Data   axis.Stream[dma.ReadData] `hw:"out" doc:"data of the reads"`
	Status dma.Event[dma.ReadStatus] `hw:"out" doc:"ends of the reads"`
	AR     hw.Stream[Address]        `hw:"out,name=m_axi_ar,abut" doc:"addresses of bursts"`
	R      hw.Stream[ReadData]       `hw:"in,name=m_axi_r,abut" doc:"data of bursts"`
}

// Build describes the engine.
func (p axiRead) Build(m *hw.Module) axiReadPorts {
	m.Doc("Read descriptors as AXI4 bursts, one or two each, with the tag as ID.")
	io := hw.Ports[axiReadPorts](m)
	m.Unused(io.Desc.Data.Class)
	e := &reader{m: m, p: p, io: io, bursts: hw.Inst(m, "bursts", bursts(p)), ledger: hw.Inst(m, "ledger", ledger{2 * p.Tags})}
	e.skew = skewed{
		busy: m.Reg("skewed", 1, 0), primed: m.Reg("primed", 1, 0), flushing: m.Reg("flushing", 1, 0),
		tag: m.Data("skewed_tag", p.ReadTagBits()), shift: m.Data("skewed_by", bursts(p).LaneBits()),
		longer: m.Data("one_beat_more", 1), before: m.Data("beat_before", p.StreamBits),
	}
	e.issue()
	e.deliver()
	return io
}

// reader describes the engine.
type reader struct {
	m      *hw.Module
	p      axiRead
	io     axiReadPorts
	bursts burstsPorts
	ledger ledgerPorts
	skew   skewed
}

// skewed is the state of the read whose address is not a multiple of a beat. There is at most one.
// Each beat of its data spans two beats of the bus.
type skewed struct {
	busy     hw.Bits
	tag      hw.Bits
	shift    hw.Bits // in words
	longer   hw.Bits // its last words arrive together with the words of the previous beat
	primed   hw.Bits // its first beat has arrived; before holds the latest
	before   hw.Bits
	flushing hw.Bits // its last beat has arrived; words of it are still to be delivered
}

// issue splits descriptors and issues their bursts. A skewed read waits until the previous one ends.
func (e *reader) issue() {
	desc, s := e.io.Desc, e.skew
	lanes := s.shift.Width()
	shift := desc.Data.Addr.Slice(lanes+1, 2)
	skew := shift.Any().As("is_skewed")
	may := skew.And(s.busy).Not().As("may_begin")
	in := e.bursts.In
	in.Valid.Set(desc.Valid.And(may))
	desc.Ready.Set(in.Ready.And(may))
	hw.Set(in.Data, transfer{Addr: desc.Data.Addr, Len: desc.Data.Len, Tag: desc.Data.Tag})
	e.m.When(desc.Fire().And(skew), func() {
		tail := desc.Data.Len.Slice(lanes+1, 2) // words of the last beat, 0 if it is full
		s.busy.Set(hw.K(1))
		s.tag.Set(desc.Data.Tag)
		s.shift.Set(shift)
		fits := tail.Ext(lanes + 1).Add(shift.Ext(lanes + 1)).Le(hw.K(1 << lanes))
		s.longer.Set(tail.Any().And(fits))
	})

	from, out := e.bursts.Out, hw.Inst(e.m, "ar", skid.Stage[Address]{Of: hw.Of[Address](e.p)})
	e.m.Unused(from.Data.Shift)
	out.Push.Valid.Set(from.Valid)
	from.Ready.Set(out.Push.Ready)
	hw.Set(out.Push.Data, address(e.p.Link, from.Data))
	e.io.AR.Connect(out.Pop)
	e.ledger.Split.Set(from.Fire().And(from.Data.Last.Not()))
	e.ledger.SplitTag.Set(from.Data.Tag)
}

// address returns the address of a burst on the bus.
func address(p arch.Link, b burst) Address {
	return Address{ID: b.Tag, Addr: b.Addr, Len: b.Len, Size: hw.Lit(3, uint64(arch.Log2(p.StreamBytes()))),
		Burst: hw.Named("burst_incrementing", incrementing), Cache: hw.Named("cache_bufferable", bufferable), Prot: hw.Lit(3, 0)}
}

// deliver forwards the beats of the bus. Beats of the skewed read are combined with words of the
// previous beat.
func (e *reader) deliver() {
	m, s, to := e.m, e.skew, e.io.Data
	reg := hw.Inst(m, "r", skid.Skid[ReadData]{Of: hw.Of[ReadData](e.p)})
	reg.Push.Connect(e.io.R)
	r := reg.Pop
	own := s.busy.And(r.Data.ID.Eq(s.tag)).As("of_skewed")
	tag := hw.Mux(s.flushing, s.tag, r.Data.ID).As("tag")
	emits := own.Not().Or(s.primed).As("emits")
	ends := r.Data.Last.And(e.ledger.Final).As("ends")
	kept := own.And(s.longer).As("leaves_words")

	r.Ready.Set(s.flushing.Not().And(to.Ready.Or(emits.Not())))
	to.Valid.Set(s.flushing.Or(r.Valid.And(emits)))
	next := hw.Mux(s.flushing, hw.K(0), r.Data.Data).As("beat_now")
	shifted := hw.Cat(next, s.before).Shr(hw.Cat(s.shift, hw.Zeros(5))).Trunc(e.p.StreamBits)
	last := s.flushing.Or(ends.And(kept.Not())).As("last")
	hw.Set(to.Data, dma.ReadData{Data: hw.Mux(s.flushing.Or(own), shifted, r.Data.Data), Keep: hw.Ones(e.p.StreamBytes()),
		Tag: tag, Poisoned: hw.Lit(1, 0), Last: last})

	over := to.Fire().And(last).As("over")
	l := e.ledger
	l.Answer.Set(r.Fire())
	l.Tag.Set(tag)
	l.Resp.Set(hw.Mux(s.flushing, hw.Lit(2, 0), r.Data.Resp))
	l.Ends.Set(r.Data.Last)
	l.Over.Set(over)
	e.io.Status.Valid.Set(over)
	hw.Set(e.io.Status.Data, dma.ReadStatus{Tag: tag, Error: code(l.Error, 0)})

	m.When(r.Fire().And(own), func() {
		s.primed.Set(hw.K(1))
		s.before.Set(r.Data.Data)
		s.flushing.Set(ends.And(s.longer))
	})
	m.When(over.And(s.flushing.Or(own)), func() {
		s.busy.Set(hw.K(0))
		s.primed.Set(hw.K(0))
		s.flushing.Set(hw.K(0))
	})
}
