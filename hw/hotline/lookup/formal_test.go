package lookup

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	trial "github.com/hotline-rtl/hotline/sim/bench"
)

// windowed is a window in a run, with arbitrary lookups, limited by its capacity. The EAL answers
// each exactly once, at its port, at any time.
type windowed struct {
	lookupWindow
	Limit int // maximum cycles until a lookup commits, not counting cycles in which it or an older lookup has no answer
}

// ModuleName returns the name of the proof.
func (windowed) ModuleName() string { return "windowed" }

func (p windowed) Build(m *hw.Module) windowPorts {
	io := hw.Ports[windowPorts](m)
	win := hw.Inst(m, "win", p.lookupWindow)
	win.Start.Set(io.Start)
	hw.Set(win.Leave, io.Leave)
	io.Ticket.Set(win.Ticket)
	io.Head.Set(win.Head)
	hw.Set(io.Commit, win.Commit)
	m.Assume(io.Start.Not(), "the run goes on")

	// Tickets that wait for an answer.
	marks := hw.Zeros(p.Window)
	waits := m.Reg("waits", p.Window, 0)
	for g := range eal.AnswerGroups {
		a := io.Answer.N(g)
		hw.Set(win.Answer.N(g), a)
		mark := hw.Mux(a.Valid, a.Ticket.Decode(p.Window), hw.Zeros(p.Window))
		m.Assume(mark.And(marks.Or(waits.Not())).IsZero(), "who waits is answered once")
		marks = marks.Or(mark)
	}
	leaves := hw.Mux(io.Leave.Valid.And(io.Leave.Cached.Not()), io.Ticket.Decode(p.Window), hw.Zeros(p.Window))
	waiting := waits.And(marks.Not()).Or(leaves).As("waiting")
	waits.Set(waiting)

	// Rows commit in order, and only after they have left.
	row, flight := m.Reg("row", p.RowBits, 0), m.Reg("in_flight", hw.CountWidth(p.Window+2), 0)
	count := flight.Add(io.Leave.Valid.Ext(flight.Width())).Sub(io.Commit.Valid.Ext(flight.Width()))
	flight.Set(count)
	m.Assume(io.Leave.Valid.Not().Or(flight.Lt(hw.K(p.Window))), "there is room")
	m.When(io.Commit.Valid, func() {
		row.Set(row.Inc())
		m.Assert(io.Commit.Row.Eq(row), "rows commit in order")
		m.Assert(flight.Any(), "what commits has left")
	})

	// The proof follows one ticket from leaving to its commit.
	ticket, under := m.Data("ticket_followed", p.TicketBits()), m.Reg("under_way", 1, 0)
	ticket.Set(ticket)
	result, cached, group := hw.Data[eal.Result](m, "result"), m.Data("was_cached", 1), m.Data("group", p.GroupBits())
	m.When(io.Leave.Valid.And(io.Ticket.Eq(ticket)), func() {
		hw.Set(result, io.Leave.Result)
		cached.Set(io.Leave.Cached)
		group.Set(io.Leave.Group)
	})
	for g := range eal.AnswerGroups {
		a := io.Answer.N(g)
		m.When(a.Valid.And(a.Ticket.Eq(ticket)), func() {
			m.Assume(group.Eq(hw.K(g)), "an answer comes at its port")
			hw.Set(result, a.Result)
		})
	}
	ends := io.Commit.Valid.And(io.Commit.Row.Trunc(p.TicketBits()).Eq(ticket)).As("ends")
	under.Set(under.And(ends.Not()).Or(io.Leave.Valid.And(io.Ticket.Eq(ticket))))
	m.When(ends, func() {
		m.Assert(under.And(hw.Pack(io.Commit.Result).Eq(hw.Pack(result))).And(io.Commit.Cached.Eq(cached)), "a lookup commits with its own result")
	})
	// It may wait for its own answer, and for the answers of older lookups.
	before := m.Reg("waits_before", p.Window, 0)
	before.Set(hw.Mux(io.Leave.Valid.And(io.Ticket.Eq(ticket)), waiting, before.And(marks.Not())))
	age := m.Reg("age", hw.CountWidth(p.Limit), 0)
	age.Set(hw.Mux(under.And(ends.Not()), age.Add(before.IsZero().Ext(age.Width())), hw.K(0)))
	m.Assert(age.Lt(hw.K(p.Limit)), "a lookup commits in time")
	return io
}

func TestFormal(t *testing.T) {
	d, err := hw.Elaborate(windowed{lookupWindow{Window: 2, Ways: 2, RowBits: 2}, 5})
	require.NoError(t, err)
	formal.Holds(t, d)
	trial.Stick(d, "lookup_window", "head_row")
	formal.Fails(t, d, "rows commit in order", "a lookup commits in time", "a lookup commits with its own result")
}

// stepping is an engine in a run, with arbitrary words and answers. Its requests may stall
// arbitrarily.
type stepping struct {
	lookupEngine
	Limit int // maximum rounds of the requests for which its stages may stall
}

// ModuleName returns the name of the proof.
func (stepping) ModuleName() string { return "stepping" }

func (p stepping) Build(m *hw.Module) enginePorts {
	io := hw.Ports[enginePorts](m)
	unit := hw.Inst(m, "unit", p.lookupEngine)
	unit.Lane.Set(io.Lane)
	hw.Set(unit.Run, io.Run)
	hw.Set(unit.Slot, io.Slot)
	hw.Set(io.Fetch, unit.Fetch)
	unit.FetchData.Set(io.FetchData)
	var stalls []hw.Bits
	for q := range eal.RequestQueues {
		r := io.Request.N(q)
		hw.Connect(r, unit.Request.N(q))
		stalls = append(stalls, r.Valid.And(r.Ready.Not()))
	}
	for g := range eal.AnswerGroups {
		hw.Set(unit.Answer.N(g), io.Answer.N(g))
	}
	io.Reached.Set(unit.Reached)
	hw.Set(io.Events, unit.Events)
	unit.Read.Set(io.Read)
	unit.ReadRow.Set(io.ReadRow)
	hw.Set(io.Result, unit.Result)

	learn := m.Data("learns", 1)
	learn.Set(learn)
	m.Assume(io.Run.Start.Not().And(io.Run.Learn.Eq(learn)), "the run goes on")
	row, hungry := m.Reg("row", p.RowBits(), 0), m.Reg("hungry", 1, 0) // there was a word, and it was not taken
	m.When(io.Fetch.Enable, func() { row.Set(row.Inc()) })
	hungry.Set(io.Run.Active.And(before(row, io.Lane, io.Run.Words)).And(io.Fetch.Enable.Not()))
	stands := io.Events.QueueStall
	m.Assert(hungry.Not().Or(io.Events.WindowStall).Or(stands), "a word is taken, unless the window is full or the stages stand")

	age := m.Reg("age", hw.CountWidth(p.Limit+1), 0)
	age.Set(hw.Mux(stands, age.Add(stream.Round(m, "requests", stalls).Ext(age.Width())), hw.K(0)))
	m.Assert(stands.And(age.Eq(hw.K(p.Limit))).Not(), "the stages do not stand for long")
	return io
}

func TestFormalStages(t *testing.T) {
	d, err := hw.Elaborate(stepping{lookupEngine{Sizes{Engines: 2, IDBits: 12, Ways: 2, Window: 2, Cache: 4, HalfWords: 8, Slots: 2}}, 3})
	require.NoError(t, err)
	formal.Holds(t, d)
	for _, m := range d.Modules { // fault: the queues never pop
		ir.WalkStmts(m.Body.Stmts, func(st ir.Stmt) {
			if a, ok := st.(*ir.Assign); ok && strings.HasPrefix(m.Name, "fifo") && a.LHS.Sig.Name == "do_pop" {
				a.RHS = &ir.Expr{Op: ir.Const, Type: a.RHS.Type, Val: []uint64{0}}
			}
		})
	}
	formal.Fails(t, d, "the stages do not stand for long")
}
