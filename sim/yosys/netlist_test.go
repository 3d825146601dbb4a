package yosys

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/div"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

func elaborate[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

func of(t *testing.T, d *ir.Design) *Netlist {
	tools.Need(t, "yosys")
	n, err := New(d, t.TempDir())
	require.NoError(t, err)
	return n
}

// differs reports whether two designs with the ports of d differ, from the same state on random
// inputs.
func differs(t *testing.T, d, one, other *ir.Design, cycles uint64) bool {
	start := func(d *ir.Design) sim.Batch {
		s, err := interp.New(d)
		require.NoError(t, err)
		sim.PowerUp(s, 1)
		return sim.NewBlocks(s)
	}
	format := sim.NewFormat(sim.PortsOf(d))
	r, err := sim.Verification{
		Design: d, A: sim.NamedBatch{Name: "design", Batch: start(one)}, B: sim.NamedBatch{Name: "netlist", Batch: start(other)},
		Stimulus: sim.Random(format, 1), Cycles: cycles, Payload: sim.StreamPayload(format.Ports, nil),
	}.Run()
	require.NoError(t, err)
	return r.First != nil
}

// TestSameAsTheDesign: netlists behave like the design, from the same state.
func TestSameAsTheDesign(t *testing.T) {
	designs := []*ir.Design{elaborate(t, simtest.ALU{Width: 13}), elaborate(t, queue)}
	for seed := range uint64(4) {
		designs = append(designs, random.Random(seed+1, random.Options{Size: 4, Levels: 1, Plain: true}))
	}
	for _, d := range designs {
		n := of(t, d)
		operations, err := n.Design()
		require.NoError(t, err)
		require.False(t, differs(t, d, d, operations, 300), d.Top.Name)
	}
}

var queue = fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: 5}

// TestMutants: a mutant that random inputs distinguish from the netlist is never proved equivalent;
// some other mutants are.
func TestMutants(t *testing.T) {
	queued := elaborate(t, queue)
	n := of(t, queued)
	gold, err := n.Design()
	require.NoError(t, err)
	list, err := n.Mutants(30, 1)
	require.NoError(t, err)
	noticed, proved := 0, 0
	for _, x := range list {
		require.Regexp(t, `^(inv|const[01]|cnot[01]) \S+\.[A-Z_]+\[\d+\]`, x.String())
		d, err := x.Design()
		require.NoError(t, err)
		same, err := x.Equivalent()
		require.NoError(t, err)
		if differs(t, queued, gold, d, 3000) {
			noticed++
			require.False(t, same, x)
		} else if same {
			proved++
		}
	}
	require.Greater(t, noticed, 20)
	require.Positive(t, proved)
	again, err := n.Mutants(30, 1)
	require.NoError(t, err)
	require.Equal(t, list, again)
}

// complemented returns a mutant that reads one bit of a register complemented.
func complemented(t *testing.T, n *Netlist, register string, bit int) Mutant {
	gold, err := n.gold()
	require.NoError(t, err)
	f := flipFlops(gold)[gold.Nets[register].Bits[bit]]
	x := Mutant{n, 0, fmt.Sprintf("mutate -mode inv -module gold -cell %s -port Q -portbit %d", f.cell.Name, f.at)}
	require.NoError(t, n.yosys(fmt.Sprintf("read_rtlil gold.il\n%s\nwrite_json %s\n", x.command, x.file())))
	return x
}

// TestOtherCodes: a counter may use another encoding if all logic that sets and reads it does.
// Induction over equal registers cannot prove this.
func TestOtherCodes(t *testing.T) {
	n := of(t, elaborate(t, div.Divider{Width: 4}))
	for register, want := range map[string]bool{"left": true, "quotient": false, "state": false} {
		same, err := complemented(t, n, register, 1).Equivalent()
		require.NoError(t, err)
		require.Equal(t, want, same, register)
	}
}

// TestPositions: positions are lines of Go.
func TestPositions(t *testing.T) {
	n := of(t, elaborate(t, queue))
	list, err := n.Mutants(20, 1)
	require.NoError(t, err)
	found := 0
	for _, x := range list {
		if len(x.positions()) > 0 {
			require.Contains(t, x.String(), " at fifo/fifo.go:")
			found++
		}
	}
	require.Greater(t, found, 10)
}

// TestGates: gates are proved equal to the netlist, unless they have a fault.
func TestGates(t *testing.T) {
	for _, d := range []*ir.Design{elaborate(t, queue), elaborate(t, product{12, 10})} {
		n := of(t, d)
		g, err := n.Gates()
		require.NoError(t, err)
		require.Greater(t, g.Count(), 100)
		gates, err := g.Design()
		require.NoError(t, err)
		require.False(t, differs(t, d, d, gates, 300))
		unproven, err := g.Unproven()
		require.NoError(t, err)
		require.Zero(t, unproven, d.Top.Name)
		require.NoError(t, n.yosys("read_rtlil gates.il\nwrite_rtlil right.il\n"))
		for _, fault := range []string{"inv", "const0", "const1"} {
			require.NoError(t, n.yosys(fmt.Sprintf("read_rtlil right.il\nmutate -list 1 -seed 3 -mode %s -o fault.ys\nscript fault.ys\nwrite_rtlil gates.il\n", fault)))
			unproven, err = g.Unproven()
			require.NoError(t, err)
			require.Positive(t, unproven, "%s: %s", d.Top.Name, fault)
		}
	}
}

// product multiplies two numbers.
type product struct{ A, B int }

type productPorts struct{ A, B, Y hw.Bits }

func (p product) Build(m *hw.Module) productPorts {
	wide := p.A + p.B
	io := productPorts{A: m.In("a", p.A), B: m.In("b", p.B), Y: m.Out("y", wide)}
	io.Y.Set(io.A.Ext(wide).Mul(io.B.Ext(wide)))
	return io
}

// fewer is a design with registers that mapping removes. Two are equal, so one is removed. Some are
// constant after their first write, even if no random run writes them. Nothing depends on the upper
// half of another register.
type fewer struct{}

type fewerPorts struct{ A, Write, Y, Written, Rare hw.Bits }

func (fewer) Build(m *hw.Module) fewerPorts {
	io := fewerPorts{A: m.In("a", 8), Write: m.In("write", 1), Y: m.Out("y", 8), Written: m.Out("written", 1), Rare: m.Out("rare", 8)}
	one, same, written, half, rare := m.Data("one", 8), m.Data("same", 8), m.Data("written_q", 1), m.Data("half", 8), m.Data("rare_q", 8)
	one.Set(io.A)
	same.Set(io.A)
	m.When(io.Write, func() {
		half.Set(io.A.Xor(one))
		written.Set(hw.K(1))
	})
	io.Y.Set(one.Add(same.RotL(1)).Xor(half.And(hw.K(15))))
	m.When(io.A.Eq(hw.K(0xa5)).And(one.Eq(hw.K(0x3c))), func() { rare.Set(hw.K(0x5a)) })
	io.Written.Set(written)
	io.Rare.Set(rare)
	return io
}

// TestFewerRegisters: Unproven handles registers that mapping removed.
func TestFewerRegisters(t *testing.T) {
	g, err := of(t, elaborate(t, fewer{})).Gates()
	require.NoError(t, err)
	require.Len(t, flipFlops(g.cells), 12)
	unproven, err := g.Unproven()
	require.NoError(t, err)
	require.Zero(t, unproven)
}

// balance adds the number of set bits of one input and subtracts the number of set bits of another
// input. Yosys generates different adders for this each time.
type balance struct{ Width int }

type balancePorts struct{ In, Out, Sum hw.Bits }

func (b balance) Build(m *hw.Module) balancePorts {
	io := balancePorts{In: m.In("in", b.Width), Out: m.In("out", b.Width), Sum: m.Out("sum", 9)}
	sum := m.Reg("sum_q", 9, 0)
	sum.Set(sum.Add(io.In.Count().Ext(9)).Sub(io.Out.Count().Ext(9)))
	io.Sum.Set(sum)
	return io
}

// TestSums: sums of many bits are proved equal. Only decision diagrams make this feasible.
func TestSums(t *testing.T) {
	g, err := of(t, elaborate(t, balance{24})).Gates()
	require.NoError(t, err)
	unproven, err := g.Unproven()
	require.NoError(t, err)
	require.Zero(t, unproven)
}

// TestProducts: the gates compute products. The proof does not cover the replacement of products,
// which precedes it.
func TestProducts(t *testing.T) {
	for _, p := range []product{{7, 5}, {4, 8}, {1, 6}} {
		g, err := of(t, elaborate(t, p)).Gates()
		require.NoError(t, err)
		gates, err := g.Design()
		require.NoError(t, err)
		s, err := interp.New(gates)
		require.NoError(t, err)
		y := []uint64{0}
		for x := range uint64(1) << (p.A + p.B) {
			a, b := x>>p.B, x&(1<<p.B-1)
			s.Set(0, []uint64{a})
			s.Set(1, []uint64{b})
			s.Get(2, y)
			require.Equal(t, a*b, y[0], "%d times %d", a, b)
		}
	}
}

func TestMissingProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := New(elaborate(t, queue), t.TempDir())
	require.EqualError(t, err, "program \"yosys\" not found; install it or add it to PATH")
}
