package ir_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// record simulates a function of a hardware language, which records its caller.
func record() ir.Pos { return ir.Caller(0) }

func generic[T any](T) ir.Pos { return record() }

type method struct{}

func (*method) call() ir.Pos { return func() ir.Pos { return record() }() }

func TestPos(t *testing.T) {
	for _, p := range []ir.Pos{record(), generic(3), (&method{}).call()} {
		fs := p.Frames()
		require.NotEmpty(t, fs)
		for _, f := range fs {
			require.Equal(t, "github.com/hotline-rtl/hotline/hw/ir_test", f.Package)
			require.Equal(t, "pos_test.go", f.File)
		}
		require.Regexp(t, `^ir_test/pos_test\.go:\d+$`, fs[0].String())
		require.Regexp(t, `^pos_test\.go:\d+( < pos_test\.go:\d+)?$`, p.String())
	}
	// At most two frames, the innermost first.
	nested := generic("x").String()
	require.Len(t, strings.Split(nested, " < "), 2)
	lines := regexp.MustCompile(`:(\d+)`).FindAllString(nested, -1)
	require.Less(t, lines[0], lines[1])
	require.Equal(t, "?", ir.Pos{}.String())
	require.Empty(t, ir.Pos{}.Frames())
}

// TestPlace: a place is a path relative to the current directory; a trimmed path is unchanged.
func TestPlace(t *testing.T) {
	at := record()
	file := func() string {
		name, _, _ := strings.Cut(at.String(), ":")
		name, _, _ = strings.Cut(name, " ")
		return name
	}
	require.Equal(t, "pos_test.go", file())
	require.FileExists(t, file())
	absolute, err := filepath.Abs("pos_test.go")
	require.NoError(t, err)
	t.Chdir("netlist")
	require.Equal(t, filepath.Join("..", "pos_test.go"), file())
	require.FileExists(t, file())
	t.Chdir(string(filepath.Separator))
	require.Equal(t, strings.TrimPrefix(absolute, "/"), file())
	t.Chdir(t.TempDir())
	require.FileExists(t, file())
	require.Equal(t, "example.com/m@v1.0.0/a.go:3", ir.Frame{Path: "example.com/m@v1.0.0/a.go", Line: 3}.Place())
	deep := filepath.Join(t.TempDir(), strings.Repeat("a/", 50))
	require.NoError(t, os.MkdirAll(deep, 0o755))
	t.Chdir(deep)
	require.Equal(t, absolute, file(), "the way there is longer")
}

func TestAffine(t *testing.T) {
	outer := &ir.For{Name: "outer", N: 3}
	outer.Body = &ir.Scope{Loop: outer}
	inner := &ir.For{Name: "inner", N: 4}
	inner.Body = &ir.Scope{Loop: inner, Parent: outer.Body}
	o, i := ir.Affine{Terms: []ir.Term{{Loop: outer, Mul: 1}}}, ir.Affine{Terms: []ir.Term{{Loop: inner, Mul: 1}}}
	at := func(f *ir.For) int { return map[*ir.For]int{outer: 2, inner: 3}[f] }

	for _, c := range []struct {
		a         ir.Affine
		text      string
		lo, hi, v int
	}{
		{ir.Affine{Const: -2}, "-2", -2, -2, -2},
		{o, "outer", 0, 2, 2},
		{i.Plus(o), "outer+inner", 0, 5, 5},
		{o.Times(4).Plus(i), "outer*4+inner", 0, 11, 11},
		{i.Times(-1).Plus(ir.Affine{Const: 3}), "inner*-1+3", 0, 3, 0},
		{o.Times(-4).Plus(i.Times(2)).Plus(ir.Affine{Const: -1}), "outer*-4+inner*2-1", -9, 5, -3},
		{i.Plus(i), "inner*2", 0, 6, 6},
		{i.Plus(o).Plus(i.Times(-1)), "outer", 0, 2, 2},
		{o.Times(0), "0", 0, 0, 0},
	} {
		require.Equal(t, c.text, c.a.String())
		lo, hi := c.a.Range()
		require.Equal(t, [3]int{c.lo, c.hi, c.v}, [3]int{lo, hi, c.a.At(at)}, c.text)
	}
	require.Equal(t, o.Plus(i), i.Plus(o), "one form, whatever the order")
}

func TestWidths(t *testing.T) {
	for _, c := range []struct{ n, index, count, words int }{
		{1, 1, 1, 1}, {2, 1, 2, 1}, {3, 2, 2, 1}, {4, 2, 3, 1}, {5, 3, 3, 1}, {64, 6, 7, 1}, {65, 7, 7, 2}, {128, 7, 8, 2}, {129, 8, 8, 3},
	} {
		require.Equal(t, c.index, ir.IndexWidth(c.n))
		require.Equal(t, c.count, ir.CountWidth(c.n))
		require.Equal(t, c.words, ir.Words(c.n))
	}
	require.Equal(t, 0, ir.Clog2(1))
	require.True(t, ir.Keyword("always_ff"))
	require.False(t, ir.Keyword("count"))
}

// TestAt: a line of another language is printed with its path in messages and with its base name in
// generated files.
func TestAt(t *testing.T) {
	p := ir.At("rtl/core.v", 12)
	require.Equal(t, "rtl/core.v:12", p.String())
	require.Equal(t, "core.v:12", p.Frames()[0].String())
	require.NotEqual(t, ir.Pos{}, p)
}
