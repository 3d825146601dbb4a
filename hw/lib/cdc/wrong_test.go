package cdc_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/cdc"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// wrong transfers bits from one clock to another in a way that fails in hardware.
type wrong struct{ Kind string }

func (p wrong) Build(m *hw.Module) struct{} {
	from, to := m.Clock("from", "from_rst"), m.Clock("to", "to_rst")
	var a, b, early hw.Bits
	m.Clocked(from, func() {
		a, b = m.Reg("a", 1, 0), m.Reg("b", 1, 0)
		x := m.In("x", 2)
		a.Set(x.Bit(0))
		b.Set(x.Bit(1))
		early = a.And(b).As("early")
	})
	two := func(name string, x hw.Bits) hw.Bits { return cdc.TwoFlop(m, name, to, x) }
	var y hw.Bits
	switch p.Kind {
	case "logic":
		y = two("s", early)
	case "hierarchy":
		inner := hw.Inst(m, "inner", taker{})
		inner.To.Set(to)
		inner.From.Set(from)
		inner.X.Set(early)
		y = inner.Y
	case "condition":
		y = two("s", hw.Mux(a, b, a))
	case "meet":
		y = two("s", a).And(two("t", b))
	case "meet_late":
		s, t := two("s", a), two("t", b)
		m.Clocked(to, func() {
			held := m.Reg("held", 1, 0)
			held.Set(s)
			y = held.Xor(t)
		})
	case "meet_itself":
		y = two("s", a).Or(two("t", a))
	case "apart":
		m.Clocked(to, func() { m.Out("both", 2).Set(hw.Cat(two("s", a), two("t", b))) })
		y = two("u", a)
	case "register":
		y = two("s", a)
	}
	m.Clocked(to, func() { m.Out("y", 1).Set(y) })
	return struct{}{}
}

// taker synchronises its input.
type taker struct{}

type takerPorts struct {
	From hw.Clock `hw:"in,name=from"`
	To   hw.Clock `hw:"in,name=to"`
	X    hw.Bits  `hw:"in,clock=From"`
	Y    hw.Bits  `hw:"out,clock=To"`
}

func (taker) Build(m *hw.Module) takerPorts {
	io := hw.Ports[takerPorts](m)
	io.Y.Set(cdc.TwoFlop(m, "s", io.To, io.X))
	return io
}

func TestSynchronisersTakeRegisters(t *testing.T) {
	const logic = `: \[crossing\] synchroniser "s_meta" of clock to takes logic, which may glitch while it is taken: `
	for kind, want := range map[string]string{
		"logic":     `^bit.go:\d+ < wrong_test.go:\d+: wrong` + logic + `a \(wrong_test.go:\d+ .*\) -> early \(.*\), b \(wrong_test.go:\d+ .*\) -> early \(.*\); drive it by a register of one clock$`,
		"condition": logic + `a \(.*\) -> mux \(.*\), b \(.*\) -> mux \(.*\); drive it by a register`,
		"hierarchy": `: taker: \[crossing\] synchroniser "inner.s_meta" of clock to takes logic, .*: a \(.*\) -> early \(.*\), b \(.*\) -> early`,
		"meet": `: wrong: \[crossing\] two crossings from clock from to clock to meet here, and may arrive in different cycles: ` +
			`a \(.*\) -> s_meta \(.*\) -> y \(.*\); b \(.*\) -> t_meta \(.*\) -> y \(.*\); join them in one register before, or use cdc.Handshake$`,
		"meet_late":   `two crossings from clock from to clock to meet here.*s_meta.*t_meta`,
		"meet_itself": `two crossings from clock from to clock to meet here.*a \(.*\) -> s_meta .*; a \(.*\) -> t_meta`,
	} {
		_, err := hw.Elaborate(wrong{kind})
		require.Error(t, err, kind)
		require.Regexp(t, want, err.Error(), kind)
	}
	for _, kind := range []string{"apart", "register"} {
		_, err := hw.Elaborate(wrong{kind})
		require.NoError(t, err, kind)
	}
}

// TestGrayChangesOneBit: a count that changes two bits of its code fails the assertion of Gray.
func TestGrayChangesOneBit(t *testing.T) {
	d := elaborate(t, part{"gray", 5, 0})
	for step, fails := range map[uint64]bool{0: false, 1: false, 31: false, 2: true, 5: true} {
		r, err := start(d, [3]uint64{1, 1, 0}, 1)
		require.NoError(t, err)
		for i := range uint64(40) {
			r.pin("x").Set(i * step % 32)
			if err = r.Step(); err != nil {
				break
			}
		}
		if !fails {
			require.NoError(t, err, step)
			continue
		}
		var failed *sim.AssertionError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, "at most one bit of a Gray code changes at a time", failed.Text)
	}
}

// racer sends a flag and, one cycle later, a word through separate crossings. It assumes that the
// word arrives one cycle after the flag, which holds only if no crossing is late.
type racer struct{}

func (racer) Build(m *hw.Module) struct{} {
	from, to := m.Clock("from", ""), m.Clock("to", "")
	var flag, word hw.Bits
	m.Clocked(from, func() {
		flag, word = m.Data("flag", 1), m.Data("word", 1)
		flag.Set(m.In("x", 1))
		word.Set(flag)
	})
	first, second := cdc.TwoFlop(m, "first", to, flag), m.Crossing("second", to, hw.CrossFlow, word)
	m.Clocked(to, func() {
		last := m.Data("last", 1)
		last.Set(first)
		m.Assert(last.Eq(second), "the word comes a cycle after the flag")
	})
	return struct{}{}
}

// TestLateCrossingsAreCaught: a design that depends on equal latencies of all crossings fails with
// late crossings.
func TestLateCrossingsAreCaught(t *testing.T) {
	run := func(seed uint64) error {
		d, err := hw.Elaborate(racer{}, hw.LateCrossings())
		require.NoError(t, err)
		engine, err := interp.New(d)
		require.NoError(t, err)
		s := sim.Late(engine, seed)
		x, err := sim.NewSchedule(s, sim.Beat{Clock: "from", Period: 1}, sim.Beat{Clock: "to", Period: 1})
		require.NoError(t, err)
		for i := range uint64(60) {
			sim.Find(s, "x").Set(i / 3 & 1)
			if err := x.Step(); err != nil {
				return err
			}
		}
		return nil
	}
	require.NoError(t, run(0))
	for seed := range uint64(5) {
		var failed *sim.AssertionError
		require.True(t, errors.As(run(seed+1), &failed))
		require.Equal(t, "the word comes a cycle after the flag", failed.Text)
	}
}
