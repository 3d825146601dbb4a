package semantics_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

const (
	cycles    = 250
	icarusMax = 60 // Icarus Verilog takes most of the time
)

// engine is an engine under test.
type engine struct {
	name   string
	tools  []string // programs that it requires, except go
	cycles int
	start  func(d *ir.Design, dir string) (sim.Batch, error)
}

func engines() []engine {
	out := []engine{{"interpreter", nil, cycles, interpreter}}
	for _, l := range model.Levels() {
		out = append(out, engine{"compiled " + l.String(), nil, cycles, func(d *ir.Design, dir string) (sim.Batch, error) { return external.ModelAt(d, dir, l) }})
	}
	return append(out,
		engine{"Verilator", []string{"verilator", "make", "g++"}, cycles, func(d *ir.Design, dir string) (sim.Batch, error) { return external.Verilator(d, dir) }},
		engine{"Icarus Verilog", []string{"iverilog", "vvp"}, icarusMax, func(d *ir.Design, dir string) (sim.Batch, error) { return external.Icarus(d, dir) }})
}

func interpreter(d *ir.Design, _ string) (sim.Batch, error) {
	s, err := interp.New(d)
	return sim.NewBlocks(s), err
}

// TestEngines runs the table on every engine. Short tests run the interpreter and the compiled
// model.
func TestEngines(t *testing.T) { everyEngine(t, all{}, expected(t)) }

// TestOwnClock runs the table with the module's own clock and reset.
func TestOwnClock(t *testing.T) {
	p := all{Own: true}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	everyEngine(t, p, expect(d, p.table()))
}

func everyEngine(t *testing.T, p all, x *expectation) {
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	dir, err := os.MkdirTemp("", "semantics")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			if e.tools != nil {
				tools.Need(t, e.tools...)
			}
			s, err := e.start(d, dir)
			require.NoError(t, err)
			defer s.Close()
			for _, mistake := range x.mistakes(t, s, e.cycles) {
				t.Error(mistake)
			}
		})
	}
}

// expectation contains the inputs and the expected outputs of the table.
type expectation struct {
	format  *sim.Format
	table   map[string]construct // by output
	in, out []uint64             // frames
	cycles  map[string][]cycle   // by output
}

// expected returns the expectation of the whole table.
func expected(t *testing.T) *expectation {
	once.Do(func() {
		d, err := hw.Elaborate(all{})
		require.NoError(t, err)
		whole = expect(d, all{}.table())
	})
	return whole
}

var (
	once  sync.Once
	whole *expectation
)

// expect computes the outputs for random inputs.
func expect(d *ir.Design, list []construct) *expectation {
	f := sim.NewFormat(sim.PortsOf(d))
	x := &expectation{format: f, table: map[string]construct{}, cycles: map[string][]cycle{}}
	references := map[string]func(cycle) *big.Int{}
	for _, c := range list {
		x.table["q_"+c.name] = c
		references["q_"+c.name] = c.begin()
	}
	r := rand.New(rand.NewPCG(1, 35))
	for n := range cycles {
		in, out := make([]uint64, f.InWords), make([]uint64, f.OutWords)
		values := map[string]*big.Int{}
		if !slices.ContainsFunc(f.Ports, func(p sim.Port) bool { return p.Name == clocks[0].name }) {
			in[0] = truth(n < 2 || r.IntN(20) == 0).Uint64()
			values["own"] = truth(in[0] == 1)
		}
		for _, p := range f.In {
			port := f.Ports[p.Port]
			values[port.Name] = input(r, n, port)
			copy(p.Of(in), words(values[port.Name], port.Type.Bits()))
		}
		for _, p := range f.Out {
			port := f.Ports[p.Port]
			c := cycleOf(x.table[port.Name], values)
			copy(p.Of(out), words(references[port.Name](c), port.Type.Bits()))
			x.cycles[port.Name] = append(x.cycles[port.Name], c)
		}
		x.in, x.out = append(x.in, in...), append(x.out, out...)
	}
	return x
}

// input returns a random value of an input. Clocks have an edge in most cycles, and resets are
// rare.
func input(r *rand.Rand, n int, p sim.Port) *big.Int {
	for _, k := range clocks {
		active := n < 2 || r.IntN(20) == 0
		low := false
		for _, x := range k.kind {
			low = low || x == hw.Low
		}
		switch p.Name {
		case k.name:
			return truth(r.IntN(4) > 0)
		case k.reset:
			return truth(active != low)
		}
	}
	return interesting(r, p.Type.Bits())
}

// cycleOf returns the inputs of the reference of c.
func cycleOf(c construct, values map[string]*big.Int) cycle {
	out := cycle{tick: true}
	if own := values["own"]; own != nil {
		out.reset = own.Sign() > 0
	} else {
		out.tick = values[c.clock].Sign() > 0
	}
	for _, k := range clocks {
		if k.name == c.clock && values[k.reset] != nil {
			out.reset = values[k.reset].Sign() > 0
			for _, x := range k.kind {
				if x == hw.Low {
					out.reset = !out.reset
				}
			}
		}
	}
	for _, name := range c.inputs() {
		out.in = append(out.in, values[name])
	}
	return out
}

// mistakes returns the first difference of each construct within the given number of cycles.
func (x *expectation) mistakes(t testing.TB, s sim.Batch, cycles int) (out []string) {
	t.Helper()
	got := make([]uint64, cycles*x.format.OutWords)
	require.NoError(t, s.RunBlock(x.in[:cycles*x.format.InWords], got))
	wrong := map[string]bool{}
	for n := range cycles {
		at := n * x.format.OutWords
		for _, p := range x.format.Out {
			name := x.format.Ports[p.Port].Name
			have, want := number(p.Of(got[at:])), number(p.Of(x.out[at:]))
			if have.Cmp(want) != 0 && !wrong[name] {
				wrong[name] = true
				c := x.cycles[name][n]
				out = append(out, fmt.Sprintf("%s, cycle %d, inputs %x, edge %t, reset %t: have %x, want %x", name[2:], n, c.in, c.tick, c.reset, have, want))
			}
		}
	}
	return out
}
