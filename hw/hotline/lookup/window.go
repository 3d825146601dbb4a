package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// window puts answers back in order. Lookups have slots in order, row mod
// Window; each leaves for the EAL or with an answer of the cache, and when the
// oldest is answered it is committed. Results wait in a memory for each of the
// places an answer can come from.
type window struct{ arch.Params }

type windowPorts struct {
	Start hw.Bits // begin with row 0

	Leave       hw.Bits // a lookup leaves the pipeline
	LeaveCached hw.Bits // with LeaveResult
	LeaveResult hw.Bits
	LeaveGroup  hw.Bits // else, port where the answer will come
	LeaveSlot   hw.Bits // its slot

	AnswerValid hw.Bits // by port
	Answer      hw.Vec

	Head         hw.Bits // the oldest row that is not committed
	Commit       hw.Bits // CommitResult is the result of CommitRow, a row before Head
	CommitRow    hw.Bits
	CommitResult hw.Bits
	CommitCached hw.Bits // the cache had it
}

// ModuleName names the module.
func (p window) ModuleName() string { return "lookup_window" }

// Build describes the window.
func (p window) Build(m *hw.Module) windowPorts {
	m.Doc("Lookups of one engine in flight: collects answers in any order and commits them in order.")
	groupWidth, result := hw.IndexWidth(eal.AnswerGroups), eal.ResultWidth(p.Params)
	io := windowPorts{
		Start:        m.In("start", 1),
		Leave:        m.In("leave", 1),
		LeaveCached:  m.In("leave_cached", 1),
		LeaveResult:  m.In("leave_result", result),
		LeaveGroup:   m.In("leave_group", groupWidth),
		LeaveSlot:    m.Out("leave_slot", p.SlotBits()),
		AnswerValid:  m.In("answer_valid", eal.AnswerGroups),
		Answer:       m.InVec("answer", eal.AnswerGroups, eal.AnswerWidth(p.Params)),
		Head:         m.Out("head", rowWidth(p.Params)),
		Commit:       m.Out("commit", 1),
		CommitRow:    m.Out("commit_row", rowWidth(p.Params)),
		CommitResult: m.Out("commit_result", result),
		CommitCached: m.Out("commit_cached", 1),
	}
	last := m.Reg("leave_count", p.SlotBits(), 0)
	head := m.Reg("head_row", rowWidth(p.Params), 0)
	io.LeaveSlot.Set(last)
	io.Head.Set(head)
	oldest := head.Trunc(p.SlotBits()).As("oldest")
	done := m.Reg("done", p.Window, 0)
	mask := oldest.Decode(p.Window).As("oldest_mask")
	commit := done.And(mask).Any().As("commit_oldest")
	m.When(io.Start, func() {
		last.Set(hw.K(0))
		head.Set(hw.K(0))
	}).Else(func() {
		m.When(io.Leave, func() { last.Set(last.Inc()) })
		m.When(commit, func() { head.Set(head.Inc()) })
	})

	left := hw.Inst(m, "left", ram.SimpleDual{Depth: p.Window, Width: 1 + groupWidth + result})
	left.Write.Set(io.Leave)
	left.WAddr.Set(last)
	left.WData.Set(hw.Cat(io.LeaveCached, io.LeaveGroup, io.LeaveResult))
	left.Read.Set(commit)
	left.RAddr.Set(oldest)

	marks := m.WireVec("answer_mask", eal.AnswerGroups, p.Window)
	results := m.WireVec("group_result", eal.AnswerGroups, result)
	m.For("group", eal.AnswerGroups, func(g hw.Index) {
		answer, valid := io.Answer.At(g), io.AnswerValid.Unpack(1).At(g)
		slot := eal.Slot(p.Params, answer)
		marks.At(g).Set(hw.Mux(valid, slot.Decode(p.Window), hw.K(0)))
		kept := hw.Inst(m, "answers", ram.SimpleDual{Depth: p.Window, Width: result})
		kept.Write.Set(valid)
		kept.WAddr.Set(slot)
		kept.WData.Set(eal.Result(p.Params, answer))
		kept.Read.Set(commit)
		kept.RAddr.Set(oldest)
		results.At(g).Set(kept.RData)
	})
	cached := hw.Mux(io.Leave.And(io.LeaveCached), last.Decode(p.Window), hw.K(0)).As("cached_mask")
	done.Set(done.And(mask.Not()).Or(marks.ReduceOr()).Or(cached))

	committed, row := m.Reg("committed", 1, 0), m.Data("committed_row", rowWidth(p.Params))
	committed.Set(commit)
	m.When(commit, func() { row.Set(head) })
	fromCache, group := left.RData.Bit(groupWidth+result), left.RData.Slice(groupWidth+result-1, result)
	io.Commit.Set(committed)
	io.CommitRow.Set(row)
	io.CommitCached.Set(committed.And(fromCache))
	io.CommitResult.Set(hw.Mux(fromCache, left.RData.Trunc(result), results.Index(group)))
	return io
}
