package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// lookupWindow restores the order of answers. Lookups have tickets in order: row mod Window. Each
// lookup leaves for the EAL or with a result of the cache. The oldest lookup is committed when it
// is answered. Results wait in one memory per source of answers.
type lookupWindow struct {
	Window  int `doc:"lookups in flight per engine"`
	Ways    int `doc:"size of an EAL set" unit:"blocks"`
	RowBits int `doc:"number of rows of a half of the input eDRAM" unit:"bits"`
}

type windowPorts struct {
	Start  hw.Bits             `hw:"in" doc:"begins with row 0"`
	Leave  leaving             `hw:"in" doc:"a lookup leaves the pipeline"`
	Ticket hw.Bits             `hw:"out,TicketBits" doc:"of the lookup that leaves"`
	Answer hw.Array[eal.Reply] `hw:"in,len=AnswerPorts" doc:"from the EAL"`
	Head   hw.Bits             `hw:"out,RowBits" doc:"the oldest row that is not committed"`
	Commit commit              `hw:"out" doc:"the next result in order"`
}

// leaving is a lookup that leaves the pipeline.
type leaving struct {
	Valid hw.Bits
	outset
}

// outset is the information that the window keeps about a lookup that has left.
type outset struct {
	Cached hw.Bits // the cache has answered it
	Group  hw.Bits `hw:"GroupBits"` // otherwise, the port at which the answer will arrive
	Result eal.Result
}

// commit is a committed row and its result. The row precedes Head.
type commit struct {
	Valid  hw.Bits
	Row    hw.Bits `hw:"RowBits"`
	Cached hw.Bits // the cache had the result
	eal.Result
}

// TicketBits returns the width of a lookup's position in the window.
func (p lookupWindow) TicketBits() int { return arch.Log2(p.Window) }

// WayBits returns the width of a way number.
func (p lookupWindow) WayBits() int { return arch.Log2(p.Ways) }

// AnswerPorts returns the number of answer ports.
func (p lookupWindow) AnswerPorts() int { return eal.AnswerGroups }

// GroupBits returns the width of the number of an answer port.
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

// answers stores the answers of each port. It returns the tickets that are answered in this cycle,
// and the results of the oldest lookup a cycle after commit.
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
