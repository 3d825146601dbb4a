package reduce

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// sizes are the parameters that the reducer is tested at.
var sizes = []struct {
	name string
	arch.Params
}{{"tiny", tiny()}, {"small", arch.Small()}, {"paper", arch.Paper()}}

func TestAgainstModel(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(sized(p.Params))
		require.NoError(t, err)
		for seed := range uint64(2) {
			require.NoError(t, randomOps(d, p.Params, seed, 40), "%s, seed %d", p.name, seed)
		}
	}
}

// The programs of which throughput is promised.
var (
	oneHot = []Operation{{Kind: Add, Load: true}, {Kind: Write}}
	pooled = []Operation{{Kind: Add, Load: true}, {Kind: Add}, {Kind: Add}, {Kind: Write}}
	update = []Operation{{Kind: Mul, Scalar: 0.5}, {Kind: Add}, {Kind: Write}}
)

// cyclesPer measures how many cycles a program takes in the long run, with rows
// of 1<<log2 bytes always there and a receiver that never stalls.
func cyclesPer(d *ir.Design, p arch.Params, log2 int, program []Operation) (float64, error) {
	const warm, measured = 20, 40
	r, err := newRig(d, p, 1)
	if err != nil {
		return 0, err
	}
	r.setRow(log2)
	for k := range warm + measured {
		for _, op := range program {
			op.Addr = uint64(k)
			row := rowData{values: make([]uint32, r.values)}
			for i := range row.values {
				row.values[i] = value(r.Rand)
			}
			r.send(op, row)
		}
	}
	if err := r.until(warm * len(program)); err != nil {
		return 0, err
	}
	start := r.Sim.Cycle()
	if err := r.until((warm + measured) * len(program)); err != nil {
		return 0, err
	}
	cycles := r.Sim.Cycle() - start
	return float64(cycles) / measured, r.run(1000)
}

// until drives until so many ops are taken.
func (r *rig) until(ops int) error {
	for range 100 * ops {
		if r.op.Sent() >= ops {
			return nil
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%d of %d ops taken", r.op.Sent(), ops)
}

// throughput expects exact cycles per vector of 64-byte rows.
func throughput(d *ir.Design, p arch.Params, want [3]float64) error {
	for k, program := range [][]Operation{oneHot, pooled, update} {
		got, err := cyclesPer(d, p, 6, program)
		if err != nil {
			return err
		}
		if got != want[k] {
			return fmt.Errorf("program %d takes %v cycles per vector, want %v", k, got, want[k])
		}
	}
	return nil
}

// The goals are 5 cycles for a one-hot gather and 12 for an update at small.
func TestThroughput(t *testing.T) {
	for _, c := range []struct {
		name string
		arch.Params
		want [3]float64 // one-hot, three rows pooled, update
	}{{"small", arch.Small(), [3]float64{5, 17, 11}}, {"paper", arch.Paper(), [3]float64{2, 14, 8}}} {
		d, err := hw.Elaborate(sized(c.Params))
		require.NoError(t, err)
		require.NoError(t, throughput(d, c.Params, c.want), c.name)
	}
}

// overlap fills the buffer while nothing is received: all its vectors are
// accepted and no more.
func overlap(d *ir.Design, p arch.Params) error {
	for log2 := arch.Log2(p.StreamBytes()); log2 <= arch.Log2(4*p.VectorValues); log2++ {
		r, err := newRig(d, p, 1)
		if err != nil {
			return err
		}
		r.setRow(log2)
		vectors := 4 * p.VectorValues >> log2
		for range vectors + 3 {
			r.send(Operation{Kind: Add, Load: true}, rowData{values: make([]uint32, r.values)})
			r.send(Operation{Kind: Write}, rowData{})
		}
		r.data.Rate = 0
		for range 20 * p.VectorValues {
			if err := r.cycle(); err != nil {
				return err
			}
		}
		// The output register holds one beat, which frees its place.
		want := vectors
		if r.values == p.ALUs {
			want++
		}
		if got := r.op.Sent(); got != 2*want {
			return fmt.Errorf("rows of %d bytes: %d ops taken, want %d", 1<<log2, got, 2*want)
		}
		r.data.Rate = 1
		if err := r.run(1000); err != nil {
			return err
		}
	}
	return nil
}

func TestBufferFillsUp(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(sized(p.Params))
		require.NoError(t, err)
		require.NoError(t, overlap(d, p.Params), p.name)
	}
}

// afterReset adds to a beat that has just been loaded, in the first cycles after
// many a power-up: nothing that was on its way through the ALUs may matter.
func afterReset(d *ir.Design, p arch.Params) error {
	r, err := newRig(d, p, 1)
	if err != nil {
		return err
	}
	for seed := range uint64(100) {
		if err := bench.Reset(r.Sim, seed); err != nil {
			return err
		}
		r.setRow(arch.Log2(p.StreamBytes()))
		r.model = NewModel(p.VectorValues)
		for _, op := range []Operation{{Kind: Add, Load: true}, {Kind: Add}, {Kind: Write}} {
			row := rowData{values: make([]uint32, r.values)}
			for i := range row.values {
				row.values[i] = value(r.Rand)
			}
			r.send(op, row)
		}
		if err := r.run(100); err != nil {
			return fmt.Errorf("power-up %d: %w", seed, err)
		}
	}
	return nil
}

func TestAfterReset(t *testing.T) {
	d, err := hw.Elaborate(sized(tiny()))
	require.NoError(t, err)
	require.NoError(t, afterReset(d, tiny()))
}

// Faults inside the arithmetic units are the business of their own test.
func TestFaultsAreCaught(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(sized(p))
	require.NoError(t, err)
	survivors, tried := bench.Survivors(d, func() error {
		if err := randomOps(d, p, 1, 20); err != nil {
			return err
		}
		if err := overlap(d, p); err != nil {
			return err
		}
		if err := afterReset(d, p); err != nil {
			return err
		}
		return throughput(d, p, [3]float64{5, 17, 11})
	})
	var own []string
	for _, s := range survivors {
		if !strings.Contains(s, " at ../../lib/fp32/") {
			own = append(own, s)
		}
	}
	require.Empty(t, own)
	require.Greater(t, tried, 100)
}
