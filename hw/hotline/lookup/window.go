package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// lookupWindow puts answers back in order. Lookups have tickets in order, row mod
// Window; each leaves for the EAL or with an answer of the cache, and when the
// oldest is answered it is committed. Results wait in a memory for each of the
// places an answer can come from.
type lookupWindow struct{ Window, Ways, RowBits int }

type windowPorts struct {
	Start  hw.Bits             `hw:"in" doc:"begin with row 0"`
	Leave  leaving             `hw:"in"`
	Ticket hw.Bits             `hw:"out,TicketBits" doc:"of the lookup that leaves"`
	Answer hw.Array[eal.Reply] `hw:"in,len=AnswerPorts"`
	Head   hw.Bits             `hw:"out,RowBits" doc:"the oldest row that is not committed"`
	Commit commit              `hw:"out"`
}

// leaving is a lookup that leaves the pipeline.
type leaving struct {
	Valid hw.Bits
	outset
}

// outset is what the window keeps of a lookup that has left.
type outset struct {
	Cached hw.Bits // it has the cache's result
	Group  hw.Bits `hw:"GroupBits"` // else, port where the answer will come
	Result eal.Result
}

// commit is the result of a row, which is before Head.
type commit struct {
	Valid  hw.Bits
	Row    hw.Bits `hw:"RowBits"`
	Cached hw.Bits // the cache had it
	eal.Result
}

// TicketBits is the width of a lookup's place in the window.
func (p lookupWindow) TicketBits() int { return arch.Log2(p.Window) }

// WayBits is the width of a way's number.
func (p lookupWindow) WayBits() int { return arch.Log2(p.Ways) }

// AnswerPorts is the number of answers in a cycle.
func (p lookupWindow) AnswerPorts() int { return eal.AnswerGroups }

// GroupBits is the width of the number of an answer's port.
func (p lookupWindow) GroupBits() int { return hw.IndexWidth(eal.AnswerGroups) }

// Build describes the window.
func (p lookupWindow) Build(m *hw.Module) windowPorts {
	m.Doc("Lookups of one engine in flight: collects answers in any order and commits them in order.")
	io := hw.Ports[windowPorts](m)
	last := m.Reg("leave_count", p.TicketBits(), 0)
	head := m.Reg("head_row", p.RowBits, 0)
	io.Ticket.Set(last)
	io.Head.Set(head)
	oldest := head.Trunc(p.TicketBits()).As("oldest")
	done := m.Reg("done", p.Window, 0)
	mask := oldest.Decode(p.Window).As("oldest_mask")
	commit := done.And(mask).Any().As("commit_oldest")
	m.When(io.Start, func() {
		last.Set(hw.K(0))
		head.Set(hw.K(0))
	}).Else(func() {
		m.When(io.Leave.Valid, func() { last.Set(last.Inc()) })
		m.When(commit, func() { head.Set(head.Inc()) })
	})

	left := hw.Inst(m, "left", ram.SimpleDual[outset]{Of: hw.Of[outset](p), Depth: p.Window})
	left.Write.Set(io.Leave.Valid)
	left.WAddr.Set(last)
	hw.Set(left.WData, io.Leave.outset)
	left.Read.Set(commit)
	left.RAddr.Set(oldest)

	answered, results := p.answers(m, io.Answer, commit, oldest)
	cached := hw.Mux(io.Leave.Valid.And(io.Leave.Cached), last.Decode(p.Window), hw.K(0)).As("cached_mask")
	done.Set(done.And(mask.Not()).Or(answered).Or(cached))

	committed, row := m.Reg("committed", 1, 0), m.Data("committed_row", p.RowBits)
	committed.Set(commit)
	m.When(commit, func() { row.Set(head) })
	io.Commit.Valid.Set(committed)
	io.Commit.Row.Set(row)
	io.Commit.Cached.Set(committed.And(left.RData.Cached))
	answer := hw.Unpack[eal.Result](m, results.Index(left.RData.Group))
	hw.Set(io.Commit.Result, hw.Mux(left.RData.Cached, left.RData.Result, answer))
	return io
}

// answers keeps the answers of each port. It gives the tickets that are answered
// in this cycle, and the results of the oldest lookup a cycle after commit.
func (p lookupWindow) answers(m *hw.Module, in hw.Array[eal.Reply], commit, oldest hw.Bits) (answered hw.Bits, results hw.Vec) {
	of := hw.Of[eal.Result](p)
	marks := m.WireVec("answer_mask", eal.AnswerGroups, p.Window)
	results = m.WireVec("group_result", eal.AnswerGroups, of.Bits())
	m.For("group", eal.AnswerGroups, func(g hw.Index) {
		answer := in.At(g)
		marks.At(g).Set(hw.Mux(answer.Valid, answer.Ticket.Decode(p.Window), hw.K(0)))
		kept := hw.Inst(m, "answers", ram.SimpleDual[eal.Result]{Of: of, Depth: p.Window})
		kept.Write.Set(answer.Valid)
		kept.WAddr.Set(answer.Ticket)
		hw.Set(kept.WData, answer.Result)
		kept.Read.Set(commit)
		kept.RAddr.Set(oldest)
		results.At(g).Set(hw.Pack(kept.RData))
	})
	return marks.ReduceOr(), results
}
