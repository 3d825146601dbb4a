package hwtest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

type ports struct {
	Add   hw.Bits               `hw:"in,Width"`
	Sum   hw.Bits               `hw:"out,Width"`
	Last  hw.Bits               `hw:"out,Width"`
	Words hw.Array[hw.Bits]     `hw:"out,len=3,5"`
	Tell  hw.Stream[hw.Bits]    `hw:"out,Width"`
	Tally struct{ Odd hw.Bits } `hw:"out"`
}

// adder accumulates its input. Its fields select intentional faults.
type adder struct {
	Width             int
	Unreset, Unneeded bool
	Forgetful         bool
}

func (p adder) Build(m *hw.Module) ports {
	io := hw.Ports[ports](m)
	if !p.Forgetful {
		m.Unused(io.Tell.Ready)
	}
	sum, told := m.Reg("total", p.Width, 0), m.Data("told", p.Width)
	latest := m.Reg
	if p.Unreset {
		latest = func(name string, width int, _ uint64) hw.Bits { return m.Data(name, width) }
	}
	last := latest("latest", p.Width, 0)
	sum.Set(sum.Add(io.Add))
	m.When(io.Add.Any(), func() { last.Set(io.Add) })
	words := m.RegVec("ring", 3, 5, 1)
	for i := range 3 {
		words.N(i).Set(words.N((i + 1) % 3).Inc())
	}
	valid := m.Reg("valid", 1, 0)
	told.Set(io.Add)
	valid.Set(io.Add.Bit(0))
	odd := sum.Bit(0)
	if p.Unneeded {
		wasted := m.Reg("wasted", p.Width, 0)
		wasted.Set(io.Add)
		odd = odd.Or(wasted.Any().And(hw.Lit(1, 0)))
		odd = odd.Or(wasted.Eq(wasted.Not()))
	}
	io.Sum.Set(sum)
	io.Last.Set(last)
	for i := range 3 {
		io.Words.N(i).Set(words.N(i))
	}
	io.Tell.Valid.Set(valid)
	io.Tell.Data.Set(told)
	io.Tally.Odd.Set(odd)
	return io
}

// drive adds 3 ten times.
func drive(p adder) hwtest.Drive {
	return func(s sim.Simulator) error {
		tb := sim.Bind[ports](s, p)
		tb.Add.Poke(3)
		for i := range uint64(10) {
			if i == 0 && tb.Tell.Valid.Peek() != 0 {
				return errors.New("it tells before it has been asked")
			}
			if got := tb.Sum.Peek(); got != 3*i {
				return fmt.Errorf("the sum is %d, want %d", got, 3*i)
			}
			if err := s.Step(); err != nil {
				return err
			}
		}
		return nil
	}
}

// spy is a test that records its failures and logs.
type spy struct {
	testing.TB
	failed, logged []string
}

func (s *spy) Helper() {}

func (s *spy) Errorf(format string, args ...any) {
	s.failed = append(s.failed, fmt.Sprintf(format, args...))
}

func (s *spy) Logf(format string, args ...any) {
	s.logged = append(s.logged, fmt.Sprintf(format, args...))
}

func (s *spy) Error(args ...any) { s.failed = append(s.failed, fmt.Sprint(args...)) }

func (s *spy) Fatal(args ...any) {
	s.failed = append(s.failed, fmt.Sprint(args...))
	panic(s)
}

// failures returns the failures that f reports.
func failures(t *testing.T, f func(t testing.TB)) (out []string) {
	s := &spy{TB: t}
	defer func() {
		if x := recover(); x != nil && x != any(s) {
			panic(x)
		}
		out = s.failed
	}()
	f(s)
	return s.failed
}

func TestAllIsWell(t *testing.T) {
	p := adder{Width: 70}
	hwtest.Run(t, p, hwtest.Random(2000))
	p = adder{Width: 8}
	hwtest.Run(t, p, drive(p))
	hwtest.Resets(t, p, drive(p))
}

// TestQuick: the quick level runs the model and Icarus Verilog and no check that requires
// Verilator. Each engine logs a line.
func TestQuick(t *testing.T) {
	tools.Need(t, "iverilog")
	t.Setenv("HOTLINE_QUICK", "1")
	p := adder{Width: 8, Unreset: true} // only the run with unknown state detects it
	s := &spy{TB: t}
	hwtest.Run(s, p, drive(p))
	require.Empty(t, s.failed)
	require.Len(t, s.logged, 2)
	require.Regexp(t, `^compiled model: 11 cycles as the interpreter \(ready after `, s.logged[0])
	require.Regexp(t, `^Icarus Verilog: 11 cycles `, s.logged[1])
}

// TestUnknown: an output that stays unknown is reported, even if all engines agree from the same
// random state.
func TestUnknown(t *testing.T) {
	tools.Need(t, "iverilog", "verilator")
	p := adder{Width: 8, Unreset: true}
	said := failures(t, func(t testing.TB) { hwtest.Run(t, p, drive(p)) })
	require.Len(t, said, 1)
	require.Regexp(t, `^Icarus Verilog from an unknown state: cycle 1: output last .*: interpreter has \w+, .* has xx`, said[0])
}

func TestMistakeOfDrive(t *testing.T) {
	p := adder{Width: 4}
	require.Equal(t, []string{"cycle 7: the sum is 2, want 18"}, failures(t, func(t testing.TB) { hwtest.Run(t, p, drive(p)) }))
}

func TestMistakeOfTheDesign(t *testing.T) {
	said := failures(t, func(t testing.TB) { hwtest.Run(t, adder{Width: 0}, nil) })
	require.Len(t, said, 1)
	require.Contains(t, said[0], "[record] ports.Add: Width is 0, expected 1 to 1048576")
}

// TestForgottenConnection: an unread signal fails, unless the design marks it as unused.
func TestForgottenConnection(t *testing.T) {
	p := adder{Width: 8, Forgetful: true}
	said := failures(t, func(t testing.TB) { hwtest.Run(t, p, drive(p)) })
	require.Len(t, said, 1)
	require.Contains(t, said[0], `nothing reads input "tell_ready"; connect it, or say so with Unused`)
}

func TestUnneededReset(t *testing.T) {
	tools.Need(t, "iverilog", "verilator")
	p := adder{Width: 8, Unneeded: true}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	name := d.Top.Name
	unneeded := "nobody misses the reset of " + name + ".wasted: remove it (Module.Data), or list it in unneeded"
	require.Equal(t, []string{unneeded}, failures(t, func(t testing.TB) { hwtest.Resets(t, p, drive(p)) }))
	hwtest.Resets(t, p, drive(p), name+".wasted")
	require.Equal(t, []string{unneeded, "the reset of " + name + ".total is needed"},
		failures(t, func(t testing.TB) { hwtest.Resets(t, p, drive(p), name+".total") }))
}
