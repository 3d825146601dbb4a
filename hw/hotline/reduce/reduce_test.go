package reduce

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// sizes are the configurations of the reducer in the tests.
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

// Programs with guaranteed throughput: the ops on each vector of a group, round by round.
var (
	oneHot = []Operation{{Kind: Add, Load: true, Write: true}}
	pooled = []Operation{{Kind: Add, Load: true}, {Kind: Add}, {Kind: Add, Write: true}}
	update = []Operation{{Kind: Mul, Scalar: 0.5}, {Kind: Add, Write: true}}
)

// cyclesPer returns the average number of cycles per vector of a program. Groups have up to eight
// vectors, limited by the buffer. Rows of 1<<log2 bytes are always available, and the receiver
// never stalls.
func cyclesPer(d *ir.Design, p arch.Params, log2 int, program []Operation) (float64, error) {
	const warm, measured = 10, 20 // groups
	r, err := newHarness(d, p, 1)
	if err != nil {
		return 0, err
	}
	r.setRow(log2)
	vectors := min(8, p.VectorValues/r.values)
	for k := range warm + measured {
		for _, op := range program {
			op.Addr = uint64(k)
			for v := range vectors {
				op.Next = v < vectors-1
				r.send(op, r.randomRow(0))
			}
		}
	}
	if err := r.until(warm * len(program) * vectors); err != nil {
		return 0, err
	}
	start := r.Sim.Cycle()
	if err := r.until((warm + measured) * len(program) * vectors); err != nil {
		return 0, err
	}
	cycles := r.Sim.Cycle() - start
	return float64(cycles) / float64(measured*vectors), r.run(1000)
}

// until cycles until the given number of ops has been accepted.
func (r *harness) until(ops int) error {
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

// throughput checks that rows of all sizes take a cycle per beat. The buffer has as many beats as
// there are cycles until a location can accept the next row beat. It excludes vectors that fill the
// buffer, because they begin to leave too late.
func throughput(d *ir.Design, p arch.Params) error {
	for log2 := arch.Log2(p.StreamBytes()); log2 < arch.Log2(4*p.VectorValues); log2++ {
		beats := 1 << log2 / p.StreamBytes()
		for k, program := range [][]Operation{oneHot, pooled, update} {
			got, err := cyclesPer(d, p, log2, program)
			if err != nil {
				return err
			}
			if want := float64(beats * len(program)); got != want {
				return fmt.Errorf("program %d takes %v cycles per vector of %d bytes, want %v", k, got, 1<<log2, want)
			}
		}
	}
	return nil
}

func TestBeatsTakeACycle(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(sized(p.Params))
		require.NoError(t, err)
		require.NoError(t, throughput(d, p.Params), p.name)
	}
}

// overlap fills the buffer while the receiver is blocked. Exactly the vectors that fit must be
// accepted.
func overlap(d *ir.Design, p arch.Params) error {
	for log2 := arch.Log2(p.StreamBytes()); log2 <= arch.Log2(4*p.VectorValues); log2++ {
		r, err := newHarness(d, p, 1)
		if err != nil {
			return err
		}
		r.setRow(log2)
		vectors := 4 * p.VectorValues >> log2
		for range vectors + 3 {
			r.send(Operation{Kind: Add, Load: true, Write: true}, rowData{values: make([]uint32, r.values)})
		}
		r.data.Rate = 0
		for range 20 * p.VectorValues {
			if err := r.cycle(); err != nil {
				return err
			}
		}
		// The output register holds one beat, which frees its location.
		want := vectors
		if r.values == p.ALUs {
			want++
		}
		if got := r.op.Sent(); got != want {
			return fmt.Errorf("rows of %d bytes: %d ops taken, want %d", 1<<log2, got, want)
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

// stalled blocks a packet. All following beats must be accepted except the last beat of the next op
// that writes.
func stalled(d *ir.Design, p arch.Params) error {
	r, err := newHarness(d, p, 1)
	if err != nil {
		return err
	}
	beats := 2
	r.setRow(arch.Log2(beats * p.StreamBytes()))
	for _, write := range []bool{true, false, true} {
		r.send(Operation{Kind: Add, Load: true, Write: write}, r.randomRow(0))
	}
	r.pkt.Rate = 0
	for range 20 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if ops, rows := r.op.Sent(), r.row.Sent(); ops != 2 || rows != 3*beats-1 {
		return fmt.Errorf("behind a packet that stays %d ops and %d beats are taken", ops, rows)
	}
	r.pkt.Rate = 1
	return r.run(100)
}

func TestPacketStays(t *testing.T) {
	d, err := hw.Elaborate(sized(tiny()))
	require.NoError(t, err)
	require.NoError(t, stalled(d, tiny()))
}

// afterReset adds to a beat that has just been loaded, in the first cycles after many power-up
// states. The content of the ALUs before the reset must not matter.
func afterReset(d *ir.Design, p arch.Params) error {
	r, err := newHarness(d, p, 1)
	if err != nil {
		return err
	}
	for seed := range uint64(100) {
		if err := bench.Reset(r.Sim, seed); err != nil {
			return err
		}
		r.setRow(arch.Log2(p.StreamBytes()))
		r.model = NewModel(p.VectorValues)
		for _, op := range []Operation{{Kind: Add, Load: true}, {Kind: Add}, {Kind: Keep, Write: true}} {
			r.send(op, r.randomRow(0))
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

// checkAll runs all checks until one fails.
func checkAll(d *ir.Design, p arch.Params, seed uint64) error {
	if err := randomOps(d, p, seed, 60); err != nil {
		return err
	}
	if err := overlap(d, p); err != nil {
		return err
	}
	if err := stalled(d, p); err != nil {
		return err
	}
	if err := afterReset(d, p); err != nil {
		return err
	}
	return throughput(d, p)
}

// TestFaultsAreCaught ignores faults inside the arithmetic units, which have tests of their own.
func TestFaultsAreCaught(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(sized(p))
	require.NoError(t, err)
	survivors, tried := bench.Survivors(d, func() error { return checkAll(d, p, 1) })
	var own []string
	for _, s := range survivors {
		if !strings.Contains(s, " at ../../lib/fp32/") {
			own = append(own, s)
		}
	}
	require.Empty(t, own)
	require.Greater(t, tried, 100)
}
