package link

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// traffic makes a harness read and write at random in both directions. It returns the harness and
// the observed TLPs after all traffic has ended.
func traffic(t *testing.T, noise Noise, n int) (*harness, []string) {
	r := newHarness(t, func(c *rigConfig) { c.ep.CompletionTimeout = 50 * des.Millisecond })
	if noise != nil {
		r.link.Disturb(noise)
	}
	var seen []string
	r.link.Observe(func(dir Direction, at des.Time, x *pcie.TLP) {
		seen = append(seen, fmt.Sprintf("%v %v %v", at, dir, x))
	})
	require.NoError(t, r.ep.SetVector(0, 0xfee00000, 7, false))
	rng := rand.New(rand.NewPCG(3, 3))
	want := map[uint32][]byte{}
	for id := range uint32(n) {
		r.k.At(des.Time(id)*100*des.Nanosecond, func() {
			addr, size := uint64(id)<<13, 1+rng.IntN(3000)
			want[id] = r.fill(addr+1<<32, size)
			r.read(addr+1<<32, size, id)
			r.write(addr, pattern(size, byte(id)), id)
			require.NoError(t, r.rc.Write32(r.ep.BAR().Base+uint64(id%64)*4, id))
			r.ep.RaiseInterrupt(0)
		})
	}
	r.run()
	require.Equal(t, want, r.core.got)
	for id := range uint32(n) {
		got := make([]byte, len(want[id]))
		require.NoError(t, r.mem.Read(uint64(id)<<13, got))
		require.Equal(t, pattern(len(got), byte(id)), got)
		require.Equal(t, fmt.Sprintf("w%x=%x/f", id%64*4, id), r.core.log[id], "writes arrive once and in order")
	}
	require.Len(t, r.core.log, n)
	require.Len(t, r.irqs, n)
	require.Equal(t, Counters{}, r.ep.Counters())
	require.Equal(t, Counters{}, r.rc.Counters())
	return r, seen
}

func quiet(Direction, des.Time, Packet) Damage { return Damage{} }

// TestQuietWires: without errors, a link with a running data link layer has the same timing, to the
// picosecond, as a link without it.
func TestQuietWires(t *testing.T) {
	_, without := traffic(t, nil, 200)
	r, with := traffic(t, quiet, 200)
	require.Equal(t, without, with)
	for _, dir := range []Direction{Down, Up} {
		require.Zero(t, r.link.LineStats(dir))
		require.Zero(t, r.link.ports[dir].tx.line.tx.Kept(), "all is acknowledged")
	}
}

// TestNoisyWires: wire errors only cost time.
func TestNoisyWires(t *testing.T) {
	clean, _ := traffic(t, quiet, 150)
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 9))
		rate := []float64{0.001, 0.01, 0.1, 0.2}[seed%4]
		kinds := map[string]int{}
		r, _ := traffic(t, func(dir Direction, at des.Time, p Packet) Damage {
			var d Damage
			if rng.Float64() > rate {
				return d
			}
			switch what := rng.IntN(4); {
			case what == 0:
				d.Lost = true
			case what == 1:
				d.Twice = true
			default:
				for range 1 + rng.IntN(3) {
					d.Flips = append(d.Flips, rng.IntN(p.Bits()))
				}
			}
			kinds[fmt.Sprint(p.TLP != nil, p.NAK, d.Lost, d.Twice)]++
			return d
		}, 150)
		down, up := r.link.LineStats(Down), r.link.LineStats(Up)
		require.Positive(t, down.Replays+up.Replays)
		if rate >= 0.1 {
			require.Len(t, kinds, 9, "each of TLP, ACK and NAK was lost, came twice, and was damaged")
			require.Positive(t, down.BadTLPs*up.BadTLPs*down.BadDLLPs*up.BadDLLPs*down.NAKs*up.NAKs*down.Timeouts*up.Timeouts)
			require.Greater(t, r.k.Now(), clean.k.Now())
		}
	}
}

// TestReplayTimes: a damaged TLP is replayed after a NAK. A lost last TLP, or a TLP without
// acknowledgement, is replayed when the replay timer expires.
func TestReplayTimes(t *testing.T) {
	cfg := DefaultConfig()
	trip := cfg.LatencyUp + cfg.LatencyDown
	timer := 3 * (trip + 168*des.Nanosecond)
	for _, c := range []struct {
		name     string
		damage   func(p Packet, n int) Damage
		from, to des.Time
		stats    LineStats
	}{
		{"none", func(Packet, int) Damage { return Damage{} }, 0, 0, LineStats{}},
		{"bit", func(p Packet, n int) Damage { return flipIf(n == 1, 40) }, trip, trip + 20*des.Nanosecond, LineStats{Replays: 1, BadTLPs: 1, NAKs: 1}},
		{"framing", func(p Packet, n int) Damage { return flipIf(n == 1, 3) }, timer, timer + 20*des.Nanosecond, LineStats{Replays: 1, BadTLPs: 1, Timeouts: 1}},
		{"lost", func(p Packet, n int) Damage { return Damage{Lost: n == 1} }, timer, timer + 20*des.Nanosecond, LineStats{Replays: 1, Timeouts: 1}},
		{"lost acknowledgement", func(p Packet, n int) Damage { return Damage{Lost: n == 2} }, 0, 0, LineStats{Replays: 1, Timeouts: 1}},
		{"damaged acknowledgement", func(p Packet, n int) Damage { return flipIf(n == 2, 40) }, 0, 0, LineStats{BadDLLPs: 1}}, // the error message itself is acknowledged
		{"lost NAK", func(p Packet, n int) Damage { return Damage{Lost: n == 2, Flips: flipIf(n == 1, 40).Flips} }, timer, timer + 20*des.Nanosecond,
			LineStats{Replays: 1, BadTLPs: 1, NAKs: 1, Timeouts: 1}},
		{"twice", func(p Packet, n int) Damage { return Damage{Twice: n == 1} }, 0, 0, LineStats{}},
	} {
		at := map[bool]des.Time{}
		var stats LineStats
		for _, disturbed := range []bool{false, true} {
			r := newHarness(t, nil)
			n := 0
			r.link.Disturb(func(dir Direction, _ des.Time, p Packet) Damage {
				if n++; !disturbed {
					return Damage{}
				}
				return c.damage(p, n)
			})
			r.rc.OnInterrupt(func(uint64, uint32) { at[disturbed] = r.k.Now() })
			require.NoError(t, r.ep.SetVector(0, 0xfee00000, 7, false))
			r.ep.RaiseInterrupt(0)
			r.run()
			require.Len(t, r.irqs, 0)
			stats = r.link.LineStats(Up)
			require.Zero(t, r.link.LineStats(Down))
		}
		require.GreaterOrEqual(t, at[true]-at[false], c.from, c.name)
		require.LessOrEqual(t, at[true]-at[false], c.to, c.name)
		require.Equal(t, c.stats, stats, c.name)
	}
}

func flipIf(really bool, bit int) Damage {
	if !really {
		return Damage{}
	}
	return Damage{Flips: []int{bit}}
}

// TestDeadWire: if nothing arrives, the link is retrained four times and then goes down. Waiting
// requesters get an error.
func TestDeadWire(t *testing.T) {
	r := newHarness(t, nil)
	dead := true
	r.link.Disturb(func(dir Direction, _ des.Time, p Packet) Damage { return Damage{Lost: dead && dir == Down} })
	_, err := r.rc.Read32(r.ep.BAR().Base)
	require.EqualError(t, err, "link: CPU read of 4 bytes at 0xfe000000: unsupported request")
	require.False(t, r.link.Up())
	require.Less(t, r.k.Now(), des.Millisecond)
	s := r.link.LineStats(Down)
	require.EqualValues(t, 4, s.Trainings)
	require.EqualValues(t, 20, s.Timeouts)
	require.NotZero(t, r.rc.OwnErrors().DW(0x100+config.CorrectableStatus)>>config.ReplayRollover.Bit()&1)

	r.link.SetUp(true)
	dead = false
	r.core.regs[0] = 5
	v, err := r.rc.Read32(r.ep.BAR().Base)
	require.NoError(t, err)
	require.EqualValues(t, 5, v, "numbers begin anew with the link")
	r.run()
}

// TestReplayBuffer: the replay buffer limits the data sent without acknowledgement.
func TestReplayBuffer(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.link.UpCredits = Credits{} })
	var bytes, most int
	r.link.Disturb(func(dir Direction, _ des.Time, p Packet) Damage {
		if p.TLP == nil {
			bytes = 0
			return Damage{}
		}
		if bytes += p.TLP.WireLen(); !p.Again {
			most = max(most, bytes)
		}
		return Damage{Lost: dir == Up && p.TLP != nil && r.k.Now() < 3*des.Microsecond}
	})
	r.write(0, make([]byte, 1<<16), 1)
	r.run()
	require.LessOrEqual(t, most, r.link.ports[Up].tx.line.buffer)
	require.Greater(t, most, 1<<12)
	require.Equal(t, OK, r.core.written[1])
}

// TestLinkDownWithNoise: the link discards all kept TLPs when it goes down, and starts in a clean
// state when it comes up.
func TestLinkDownWithNoise(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.ep.CompletionTimeout = 50 * des.Microsecond })
	n := 0
	r.link.Disturb(func(Direction, des.Time, Packet) Damage { n++; return Damage{Lost: n%7 == 0} })
	for id := range uint32(40) {
		r.read(0x1000, 512, id)
		r.write(0x8000, make([]byte, 256), id)
	}
	require.NoError(t, r.k.RunTo(700*des.Nanosecond))
	r.link.SetUp(false)
	require.NoError(t, r.k.RunTo(2*des.Microsecond))
	r.link.SetUp(true)
	want := r.fill(0x3000, 64)
	r.read(0x3000, 64, 1000)
	require.NoError(t, r.k.Run(nil))
	require.Equal(t, want, r.core.got[1000])
	require.Zero(t, r.ep.TagsInUse())
}

// TestBandwidthWithNoise: the data link layer does not reduce the bandwidth for any TLP size, even
// for small TLPs with many unacknowledged at a time.
func TestBandwidthWithNoise(t *testing.T) {
	for _, payload := range []int{4, 16, 64, 256, 4096} {
		for _, generation := range []int{1, 3, 5} {
			var end [2]des.Time
			for i, noise := range []Noise{nil, quiet} {
				r := newHarness(t, func(c *rigConfig) {
					c.link.Generation, c.link.UpCredits = generation, Credits{}
				})
				if noise != nil {
					r.link.Disturb(noise)
				}
				r.core.discard = true
				n := max(64, 1<<16/payload)
				for id := range n {
					r.write(uint64(id)<<12, make([]byte, payload), 0)
					r.read(uint64(id)<<12, payload, 0)
				}
				r.run()
				require.Equal(t, n*payload, r.core.bytes)
				end[i] = r.core.doneAt[0]
			}
			require.Equal(t, end[0], end[1], "payload %d, generation %d", payload, generation)
		}
	}
}
