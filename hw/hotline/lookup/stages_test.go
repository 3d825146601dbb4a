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
)

// stepping is an engine in a run, with any words and any answers. Its requests may stall as they like.
type stepping struct {
	lookupEngine
	Limit int // rounds of the requests for which its stages may stand
}

// ModuleName is that of the proof.
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
	for _, m := range d.Modules { // what has left a queue stays in it
		ir.WalkStmts(m.Body.Stmts, func(st ir.Stmt) {
			if a, ok := st.(*ir.Assign); ok && strings.HasPrefix(m.Name, "fifo") && a.LHS.Sig.Name == "do_pop" {
				a.RHS = &ir.Expr{Op: ir.Const, Type: a.RHS.Type, Val: []uint64{0}}
			}
		})
	}
	formal.Fails(t, d, "the stages do not stand for long")
}
