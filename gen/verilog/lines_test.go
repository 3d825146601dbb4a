package verilog_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
)

// longest is the maximum length of a line of generated Verilog.
const longest = 120

// unfinished matches a line in which a statement does not end.
var unfinished = regexp.MustCompile(`( &&| \|\|| [-+|&^?:=])$`)

// complaints returns the lines of generated files that are too long, turn warnings off, or are
// comments within a statement.
func complaints(files []verilog.File) (out []string) {
	for _, f := range files {
		if f.Modules == nil { // foreign
			continue
		}
		before := ""
		for i, l := range strings.Split(f.Text, "\n") {
			within := unfinished.MatchString(before) && strings.HasPrefix(strings.TrimSpace(l), "//")
			if len(l) > longest || strings.Contains(l, "lint_off") || within {
				out = append(out, fmt.Sprintf("%s:%d: %s", f.Name, i+1, l))
			}
			before = l
		}
	}
	return out
}

// TestLines checks the lines of random designs, with and without positions after statements.
func TestLines(t *testing.T) {
	for seed := range uint64(150) {
		d := random.Random(seed, random.Varied(seed))
		for _, source := range []bool{false, true} {
			files, err := verilog.Options{Source: source}.Generate(d)
			require.NoError(t, err)
			require.Empty(t, complaints(files), "seed %d", seed)
		}
	}
}

// lengthy contains causes of long lines: a concatenation in a choice, as in a round of AES, in a
// wire and in a register; a wide constant; long texts; long connections.
type lengthy struct{ Words int }

func (lengthy) ModuleName() string { return "lengthy" }

type lengthyPorts struct {
	Round, Key, Next hw.Bits
	Old              hw.Bits
}

func (p lengthy) Build(m *hw.Module) lengthyPorts {
	w := 8 * p.Words
	last := m.In("is_the_last_round_of_the_cipher", 1)
	state, key := m.In("state_of_the_cipher", w), m.In("key_of_this_round", w)
	old := m.Data("state_before_this_round", w).Doc(strings.Repeat("a comment that says more than fits on a line, ", 4))
	var rows, mixed []hw.Bits
	for i := range p.Words {
		b := state.Slice(8*i+7, 8*i)
		rows = append(rows, b.Xor(key.Slice(8*i+7, 8*i)))
		mixed = append(mixed, b.Add(state.Slice(8*((i+1)%p.Words)+7, 8*((i+1)%p.Words))).Not())
	}
	next := hw.Mux(last, hw.Cat(rows...), hw.Cat(mixed...))
	m.When(last.Or(old.Parity()), func() { old.Set(next.Xor(hw.Wide(w, strings.Repeat("5a", p.Words)))) })
	inner := hw.Inst(m, "inner", inverter{w})
	inner.X.Set(hw.Cat(append(mixed[p.Words/2:], rows[:p.Words/2]...)...).Xor(next))
	m.Out("next_state_of_the_cipher", w).Set(inner.Y)
	m.Out("old", w).Set(old)
	m.Assert(next.Any().Or(old.IsZero()).Or(last), strings.Repeat("the state is not 100% zero, ", 8))
	return lengthyPorts{}
}

type inverter struct{ Width int }

type inverterPorts struct{ X, Y hw.Bits }

func (p inverter) Build(m *hw.Module) inverterPorts {
	io := inverterPorts{m.In("x", p.Width), m.Out("y", p.Width)}
	io.Y.Set(io.X.Not())
	return io
}

// single has memories of one word, and comparisons with only one outcome in the first iteration of
// a loop.
type single struct{}

func (single) ModuleName() string { return "single" }

func (single) Build(m *hw.Module) struct{} {
	at, x, on := m.In("at", 1), m.In("x", 8), m.In("on", 1)
	one := m.Mem("one", 1, 8)
	m.When(on, func() { one.Write(at, x) })
	m.Out("word", 8).Set(one.Read(at))
	other := m.Mem("other", 1, 8).OnWrite(hw.NewWord)
	rd := other.Port("rd")
	m.When(on, func() { other.Write(at, x) })
	m.When(x.Bit(0), func() { rd.Read(at) })
	m.Out("held", 8).Set(rd.Data)
	v, less, elem := m.InVec("v", 5, 3), m.OutVec("less", 5, 1), m.OutVec("elem", 5, 3)
	m.For("lane", 5, func(i hw.Index) {
		n := i.Bits(3)
		less.At(i).Set(v.At(i).Lt(n).Xor(n.Le(x.Trunc(3))).Xor(n.LtS(v.At(i))))
		elem.At(i).Set(v.Index(n.Shl(hw.K(1))))
	})
	return struct{}{}
}

func TestLongLines(t *testing.T) {
	for _, g := range []struct {
		d     *ir.Design
		lines int // at least
	}{{elaborated(t, lengthy{16}), 60}, {elaborated(t, lengthy{100}), 200}, {elaborated(t, single{}), 40}} {
		files, err := verilog.Generate(g.d)
		require.NoError(t, err)
		require.Empty(t, complaints(files))
		require.Greater(t, strings.Count(files[len(files)-1].Text, "\n"), g.lines)
		lint(t, g.d, files)
		compare(t, g.d, files, 40, 1)
	}
}

func elaborated[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

// TestComplaints: complaints detects a long line, a disabled warning and a comment in a statement.
func TestComplaints(t *testing.T) {
	d := elaborated(t, single{})
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	files[0].Text += "// " + strings.Repeat("x", longest-2) + "\n// verilator lint_off WIDTH\n  assign q = a &&\n  // a.go:1\n             b;\n"
	require.Len(t, complaints(files), 3)
}

// substitution is a ROM of 256 words, with one zero word.
type substitution struct{ Zeros int }

func (p substitution) Build(m *hw.Module) struct{} {
	words := make([]hw.Bits, 256)
	for i := range words {
		words[i] = hw.Lit(8, uint64(i*7+1)%255+1)
		if i < p.Zeros {
			words[i] = hw.Lit(8, 0)
		}
	}
	m.Out("y", 8).Set(m.ROM("box", words).Read(m.In("x", 8)))
	return struct{}{}
}

// TestContentsOnce: contents are printed once. A loop initializes zeros if there are many.
func TestContentsOnce(t *testing.T) {
	for zeros, loops := range map[int]int{0: 0, 1: 0, 100: 1} {
		files, err := verilog.Generate(elaborated(t, substitution{zeros}))
		require.NoError(t, err)
		require.Equal(t, loops, strings.Count(files[0].Text, "for ("), zeros)
		want := 256
		if loops > 0 {
			want = 256 - zeros
		}
		require.Equal(t, want, strings.Count(files[0].Text, " = 8'h"), zeros)
	}
}
