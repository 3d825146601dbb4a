package synth

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// The test cells have the same delay at any load: 0.3 ns from the clock to an output, 0.1 through
// INV, 0.2 through NAND2 and NOR2, 0.12 through the buffer of trees, and 0.05 setup. The slow cells
// have twice these delays.
const cells, slowCells = "testdata/cells.lib", "testdata/cells_slow.lib"

// mapModule maps a module to the test cells. With -short it skips the test.
func mapModule[P any](t *testing.T, g hw.Generator[P], opt Options) []*Block {
	t.Helper()
	tools.Need(t, "yosys", "sta")
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	opt.Liberty, opt.MHz = cells, 100
	if opt.Cache == "" {
		opt.Cache = t.TempDir()
	}
	blocks, err := Run(t.Context(), d, opt)
	require.NoError(t, err)
	return blocks
}

// toggle is a register that inverts itself.
type toggle struct{}

type togglePorts struct{ Q hw.Bits }

func (toggle) Build(m *hw.Module) togglePorts {
	io := togglePorts{Q: m.Out("q", 1)}
	state := m.Reg("state", 1, 0)
	state.Set(state.Not()) // the position of state
	io.Q.Set(state)
	return io
}

// line returns the position of a text in this file.
func line(t *testing.T, text string) string {
	t.Helper()
	source, err := os.ReadFile("synth_test.go")
	require.NoError(t, err)
	before, _, found := strings.Cut(string(source), text)
	require.True(t, found)
	return fmt.Sprintf("synth/synth_test.go:%d", strings.Count(before, "\n")+1)
}

func TestToggle(t *testing.T) {
	b := mapModule(t, toggle{}, Options{Slow: slowCells})[0]
	require.InDelta(t, 8+2, b.AreaUM2(), 1e-6) // a flip-flop, and a gate for the reset
	at := Place{"state", line(t, "state.Set(")}
	require.InDelta(t, 0.3+0.2+0.05, b.Typical.NS, 1e-4) // clock to output, gate, setup
	require.Equal(t, &Path{NS: b.Typical.NS, Cells: 1, From: at, To: at}, b.Typical)
	require.InDelta(t, 2*b.Typical.NS, b.Slow.NS, 1e-4)
	require.Positive(t, b.PowerMW)
}

// store is a memory between two registers.
type store struct{ Depth, Width int }

type storePorts struct{ In, Out hw.Bits }

func (p store) Build(m *hw.Module) storePorts {
	io := storePorts{In: m.In("in", p.Width), Out: m.Out("out", p.Width)}
	addr := m.Data("addr", hw.IndexWidth(p.Depth))
	addr.Set(io.In.Trunc(hw.IndexWidth(p.Depth)))
	mem := hw.Inst(m, "words", ram.SimpleDual[hw.Bits]{Of: hw.Width(p.Width), Depth: p.Depth}) // the position of the memory
	mem.Write.Set(hw.K(1))
	mem.Read.Set(hw.K(1))
	mem.WAddr.Set(io.In.Trunc(hw.IndexWidth(p.Depth)))
	mem.WData.Set(io.In)
	mem.RAddr.Set(addr)
	last := m.Data("last", p.Width)
	last.Set(mem.RData)
	io.Out.Set(last)
	return io
}

// pad is a memory with a single port.
type pad struct{}

func (pad) Build(m *hw.Module) storePorts {
	io := storePorts{In: m.In("in", 40), Out: m.Out("out", 32)}
	mem := hw.Inst(m, "words", ram.RAM[hw.Bits]{Of: hw.Width(32), Depth: 64})
	mem.Enable.Set(io.In.Bit(39))
	mem.Write.Set(io.In.Bit(38))
	mem.Addr.Set(io.In.Slice(37, 32))
	mem.WData.Set(io.In.Trunc(32))
	io.Out.Set(mem.RData)
	return io
}

// TestMemory: a memory becomes macros of at most 128 bits width, whose delay is part of the path.
// At the slow corner, memories slow down in the same ratio as a buffer.
func TestMemory(t *testing.T) {
	b := mapModule(t, store{64, 160}, Options{Slow: slowCells})[0]
	require.Equal(t, 64*160, b.MemoryBits)
	half := macro{words: 64, width: 80, dual: true}.figures()
	require.InDelta(t, 2*half.area, b.MemoryUM2, 1e-6)
	require.InDelta(t, half.access+0.05, b.Typical.NS, 2e-4)
	require.InDelta(t, 2*b.Typical.NS, b.Slow.NS, 2e-4)
	require.Zero(t, b.Typical.Cells)
	require.Equal(t, Place{"words.mem", line(t, `mem := hw.Inst(m, "words"`)}, b.Typical.From)
	require.Equal(t, line(t, "last.Set("), b.Typical.To.Source)

	one, of := mapModule(t, pad{}, Options{})[0], macro{words: 64, width: 32}.figures()
	require.InDelta(t, of.area, one.MemoryUM2, 1e-6)
	require.InEpsilon(t, 0.5*of.read*0.1+1e-6*of.leakage, one.PowerMW, 0.05) // a read in half of the cycles, at 100 MHz

	// An address beyond the end reads as 0, through a gate at the output.
	odd := mapModule(t, store{40, 32}, Options{})[0]
	require.Equal(t, 40*32, odd.MemoryBits)
	access := macro{words: 40, width: 32, dual: true}.figures().access
	require.InDelta(t, access+0.1+0.2+0.05, odd.Typical.NS, 2e-4)

	small := mapModule(t, store{8, 16}, Options{})[0]
	require.Zero(t, small.MemoryBits)
	require.Greater(t, small.LogicUM2, 8.*8*16, "a flip-flop for each bit")
}

// crowd has a register that drives many blocks.
type crowd struct{}

type crowdPorts struct{ In, Out hw.Bits }

func (crowd) Build(m *hw.Module) crowdPorts {
	io := crowdPorts{In: m.In("in", 20), Out: m.Out("out", 1)}
	common := m.Data("common", 1)
	common.Set(io.In.Bit(0))
	all := common
	for i := range 20 {
		leaf := hw.Inst(m, fmt.Sprintf("leaf%d", i), member{})
		leaf.In.Set(common)
		leaf.Own.Set(io.In.Bit(i))
		all = all.Xor(leaf.Out)
	}
	io.Out.Set(all)
	return io
}

// member is a register behind a gate.
type member struct{}

type memberPorts struct{ In, Own, Out hw.Bits }

func (member) Build(m *hw.Module) memberPorts {
	io := memberPorts{In: m.In("in", 1), Own: m.In("own", 1), Out: m.Out("out", 1)}
	kept := m.Data("kept", 1)
	kept.Set(io.In.And(io.Own).Not())
	io.Out.Set(kept)
	return io
}

// TestBlocks: a hierarchy is cut into blocks. Nets that drive many blocks get buffers, with a
// fanout of at most eight.
func TestBlocks(t *testing.T) {
	var mapped, analysed []string
	blocks := mapModule(t, crowd{}, Options{cut: limits{largest: 10, least: 1},
		Mapped: func(b *Block, done, total int, left time.Duration) {
			mapped = append(mapped, fmt.Sprint(done, total))
		},
		Analysed: func(b *Block, done, total int) {
			analysed = append(analysed, fmt.Sprintf("%s %d %d", b.Name, done, total))
		}})
	require.Equal(t, []string{"1 2", "2 2"}, mapped)
	require.Equal(t, []string{"member 1 2", "crowd 2 2"}, analysed)
	inner, whole := blocks[0], blocks[1]
	require.Equal(t, 20, inner.Instances)
	require.InDelta(t, 8+2, inner.AreaUM2(), 1e-6)
	require.Nil(t, inner.Typical, "no path between registers")
	require.InDelta(t, 0.3+0.12+0.2+0.05, whole.Typical.NS, 1e-4)
	require.Equal(t, Place{"common", line(t, "common.Set(")}, whole.Typical.From)
	require.Regexp(t, `^leaf\d+\.kept$`, whole.Typical.To.Name)
	require.Equal(t, line(t, "kept.Set("), whole.Typical.To.Source)
	buffers := 0
	for _, c := range whole.mapped.Cells {
		if c.Type == "BUF4" {
			buffers++
		}
	}
	require.Equal(t, 3, buffers)

	flat := mapModule(t, crowd{}, Options{Flat: true})
	require.Len(t, flat, 1)
	require.InDelta(t, 0.3+0.15+0.2+0.05, flat[0].Typical.NS, 1e-4) // with a buffer inserted by abc
}

// tied has registers behind a block with mostly constant outputs.
type tied struct{}

func (tied) Build(m *hw.Module) crowdPorts {
	io := crowdPorts{In: m.In("in", 1), Out: m.Out("out", 1)}
	inner := hw.Inst(m, "inner", constants{})
	inner.In.Set(io.In)
	all := m.Data("all", 64)
	all.Set(inner.Out.Add(all))
	io.Out.Set(all.Xor(all.Shr(hw.K(1))).Parity())
	return io
}

type constants struct{}

func (constants) Build(m *hw.Module) crowdPorts {
	io := crowdPorts{In: m.In("in", 1), Out: m.Out("out", 64)}
	kept := m.Data("kept", 1)
	kept.Set(io.In)
	io.Out.Set(hw.Cat(hw.Lit(40, 0), kept, hw.Lit(23, 1)))
	return io
}

// TestConstantOutputs: the power analysis omits a block's constants, which can crash OpenSTA.
func TestConstantOutputs(t *testing.T) {
	blocks := mapModule(t, tied{}, Options{cut: limits{largest: 10, least: 1}})
	require.Len(t, blocks, 2)
	inner := blocks[0].mapped
	require.True(t, ties(inner, inner.edge()))
	require.False(t, ties(inner, inner.driven(inner.edge())))
	require.Greater(t, blocks[1].PowerMW, blocks[0].PowerMW)
}

// ties reports whether there are constants among cells.
func ties(m *mapped, cells map[string]bool) bool {
	for name := range cells {
		if strings.HasPrefix(m.Cells[name].Type, "TIE") {
			return true
		}
	}
	return false
}

// box contains a wrapper, which contains a chain.
type box struct{}

func (box) Build(m *hw.Module) crowdPorts {
	io := crowdPorts{In: m.In("in", 1), Out: m.Out("out", 1)}
	inner := hw.Inst(m, "outer", wrapper{})
	inner.In.Set(io.In)
	io.Out.Set(inner.Out)
	return io
}

type wrapper struct{}

func (wrapper) Build(m *hw.Module) crowdPorts {
	io := crowdPorts{In: m.In("in", 1), Out: m.Out("out", 1)}
	inner := hw.Inst(m, "inner", chain{})
	inner.In.Set(io.In)
	io.Out.Set(inner.Out)
	return io
}

// TestDeepPlace: a register is found in the file of its module at any depth.
func TestDeepPlace(t *testing.T) {
	p := mapModule(t, box{}, Options{})[0].Typical
	require.Equal(t, Place{"outer.inner.second", line(t, "\tsecond.Set(")}, p.To)
}

// shell has an inner block with a path that is slower than the paths around it.
type shell struct{}

func (shell) Build(m *hw.Module) crowdPorts {
	io := crowdPorts{In: m.In("in", 1), Out: m.Out("out", 1)}
	start := m.Data("start", 1)
	start.Set(io.In)
	inner := hw.Inst(m, "inner", chain{})
	inner.In.Set(start)
	after := m.Data("stop", 1)
	after.Set(inner.Out)
	io.Out.Set(after)
	return io
}

// chain has two registers with gates between them.
type chain struct{}

func (chain) Build(m *hw.Module) crowdPorts {
	io := crowdPorts{In: m.In("in", 1), Out: m.Out("out", 1)}
	first := m.Data("first", 1)
	first.Set(io.In)
	second := m.Data("second", 1)
	second.Set(first.Xor(second))
	last := m.Data("last", 1)
	last.Set(second)
	io.Out.Set(last)
	return io
}

// TestEdge: a block's slowest path is reported for the surrounding block, whose analysis reads only
// the boundary cells.
func TestEdge(t *testing.T) {
	blocks := mapModule(t, shell{}, Options{cut: limits{largest: 1, least: 1}})
	inner, whole := blocks[0], blocks[1]
	require.Equal(t, inner.Typical.NS, whole.Typical.NS)
	require.Equal(t, "inner."+inner.Typical.From.Name, whole.Typical.From.Name)
	require.Equal(t, "inner.second", whole.Typical.To.Name)
	require.Greater(t, whole.PowerMW, inner.PowerMW)

	edge := inner.mapped.edge()
	require.Less(t, len(edge), len(inner.mapped.Cells))
	kept := []string{}
	for name := range edge {
		for _, q := range inner.mapped.outputs(inner.mapped.Cells[name]) {
			kept = append(kept, inner.mapped.labels[q][0].name)
		}
	}
	require.Subset(t, kept, []string{"first", "last"})
	require.NotContains(t, kept, "second")
}

func TestMistakes(t *testing.T) {
	good, err := os.ReadFile(cells)
	require.NoError(t, err)
	text := string(good)
	for _, c := range []struct{ name, text, want string }{
		{"verilog", "module x;", `line 1: this is not a Liberty file: expected (, found "x"`},
		{"empty", "", "line 1: this is not a Liberty file: expected a name, found the end of the file"},
		{"cut", text[:len(text)/2], "found the end of the file"},
		{"cell", "cell(x) {}", "it does not begin with library(...) {"},
		{"flip-flop", strings.Replace(text, "ff(IQ, IQN)", "gg(IQ, IQN)", 1), "there is no flip-flop among its cells"},
		{"buffers", strings.ReplaceAll(text, `function : "A"`, `function : "!A"`), "there is no buffer among its cells"},
		{"tie", strings.Replace(text, `function : "1"`, `function : "A"`, 1), "there are no cells with the constants 0 and 1 among its cells"},
		{"area", strings.Replace(text, "area : 1;", "", 1), "cell INV has no area"},
		{"gzip", "\x1f\x8bno gzip at all", "gzip: invalid header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "bad.lib")
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
			_, err := readLibrary(file)
			var bad *LibertyError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, file, bad.File)
			require.Contains(t, err.Error(), c.want)
		})
	}
	d, err := hw.Elaborate(toggle{})
	require.NoError(t, err)
	_, err = Run(t.Context(), d, Options{Liberty: "none.lib", MHz: 1})
	require.ErrorIs(t, err, os.ErrNotExist)

	other := filepath.Join(t.TempDir(), "other.lib")
	require.NoError(t, os.WriteFile(other, []byte(strings.ReplaceAll(text, "NOR2", "NOR3")), 0o600))
	_, err = Run(t.Context(), d, Options{Liberty: cells, Slow: other, MHz: 1})
	require.EqualError(t, err, other+": it has no cell NOR2, which is in "+cells)

	t.Setenv("PATH", t.TempDir())
	_, err = Run(t.Context(), d, Options{Liberty: cells, MHz: 1})
	require.EqualError(t, err, "toggle: program \"yosys\" not found; install it or add it to PATH")
}

// TestModel: the model of macros deviates from CACTI by at most the values in docs/evidence/synthesis.md.
func TestModel(t *testing.T) {
	for _, c := range cacti {
		f := macro{words: c.words, width: c.width, dual: c.dual}.figures()
		off := func(ours, theirs float64) float64 { return math.Abs(ours/theirs - 1) }
		require.LessOrEqual(t, off(f.access, c.access), 0.10, c)
		require.LessOrEqual(t, off(f.area, c.area), 0.21, c)
		require.LessOrEqual(t, off(f.leakage, c.leakage), 0.17, c)
		require.LessOrEqual(t, off(f.read, c.read), 0.47, c)
		require.LessOrEqual(t, c.cycle, 1.15*c.access, "a memory that is read in a cycle can be read in each")
	}
}
