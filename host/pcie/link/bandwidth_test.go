package link

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// payloadRate measures the payload rate of one direction in GB/s. The interval is from the first
// byte of the first TLP with data to the last byte of the last one.
func payloadRate(r *harness, dir Direction) func() float64 {
	first, last := des.Time(-1), des.Time(0)
	payload := 0
	l := r.link
	tx := l.ports[dir].tx
	l.Observe(func(d Direction, at des.Time, t *pcie.TLP) {
		if d != dir || !t.Kind.HasData() {
			return
		}
		if first < 0 {
			first = at
		}
		payload += len(t.Data)
		ps, bytes := pcie.Gen(l.cfg.Generation).ByteTime(l.cfg.Lanes)
		last = at + des.Time(float64(t.WireLen())*float64(ps)/float64(bytes)/l.cfg.TLPShare)
	})
	return func() float64 {
		require.LessOrEqual(r.t, last, tx.freeAt+2)
		return 1e-9 * float64(payload) / (last - first).Seconds()
	}
}

// formula returns the rate of a transfer of payload bytes in TLPs of at most mps bytes with a
// header of hdr bytes.
func formula(lanes, payload, mps, hdr int) float64 {
	tlps := (payload + mps - 1) / mps
	return 1e-9 * pcie.Gen(3).BytesPerSecond(lanes) * float64(payload) / float64(payload+tlps*(hdr+pcie.FramingBytes))
}

// TestBandwidthFollowsTheFormula: payload rates follow the public formula for all sizes. Only
// headers and framing reduce the raw rate.
func TestBandwidthFollowsTheFormula(t *testing.T) {
	for _, lanes := range []int{8, 16} {
		for _, mps := range []int{128, 256, 512} {
			for payload := 4; payload <= 4096; payload *= 2 {
				name := fmt.Sprintf("x%d mps %d payload %d", lanes, mps, payload)
				n := min(4096, max(64, 1<<18/payload))
				build := func() *harness {
					return newHarness(t, func(c *rigConfig) {
						c.link.Lanes, c.link.TLPShare = lanes, 1
						c.link.UpCredits = Credits{} // see TestCreditLimitedRate, TestTagLimitedRate
						c.link.LatencyDown, c.link.LatencyUp = 20*des.Nanosecond, 20*des.Nanosecond
						c.root.Latency, c.root.Memory.Latency, c.root.Memory.GBPerSecond = 0, 0, 1e6
						c.ep.Straps.MPS, c.ep.Straps.MRRS = mps, 4096
						c.root.Memory.MPS, c.root.Memory.Policy = mps, "max"
					})
				}
				r := build()
				r.core.discard = true
				up := payloadRate(r, Up)
				for i := range n {
					r.write(1<<33+uint64(i)<<12, make([]byte, payload), 0)
				}
				r.run()
				require.InEpsilon(t, formula(lanes, payload, mps, 16), up(), 0.01, "write "+name)

				r = build()
				r.core.discard = true
				down := payloadRate(r, Down)
				for i := range n {
					r.read(1<<33+uint64(i)<<12, payload, 0)
				}
				r.run()
				require.Equal(t, n*payload, r.core.bytes)
				require.InEpsilon(t, formula(lanes, payload, mps, 12), down(), 0.01, "read "+name)
			}
		}
	}
}

// TestRowReadRates compares net rates of random row reads at MPS 256, in GB/s, with the published
// table.
func TestRowReadRates(t *testing.T) {
	for _, c := range []struct {
		row  int
		want float64
	}{{16, 6.3}, {32, 8.8}, {64, 10.8}, {128, 12.3}, {256, 13.2}} {
		r := newHarness(t, func(c *rigConfig) {
			c.root.Memory.Policy, c.root.Memory.Latency, c.root.Latency = "max", 0, 0
			c.link.LatencyDown, c.link.LatencyUp = 20*des.Nanosecond, 20*des.Nanosecond // so that tags are no limit
		})
		r.core.discard = true
		rate := payloadRate(r, Down)
		for i := range 20000 {
			r.read(1<<33+uint64(i*7919%65536)*256, c.row, 0)
		}
		r.run()
		require.InEpsilon(t, c.want, rate(), 0.02, "row of %d", c.row)
	}
}

// TestTagLimitedRate: with few tags, the rate is tags x row / round trip.
func TestTagLimitedRate(t *testing.T) {
	for _, extended := range []bool{false, true} {
		for _, row := range []int{64, 128} {
			r := newHarness(t, func(c *rigConfig) {
				c.ep.Straps.ExtendedTags = extended
				c.root.Memory.Latency = 3 * des.Microsecond
				c.root.Memory.GBPerSecond = 1e6
				c.root.Memory.Policy = "max"
			})
			r.read(0, row, 1)
			r.run()
			rtt := r.core.doneAt[1]
			begin := r.k.Now()
			r.core.discard = true
			const n = 20000
			for i := range n {
				r.read(uint64(i)*256, row, 2)
			}
			r.run()
			tags := r.ep.Straps().Tags()
			got := float64(n*row) / (r.core.doneAt[2] - begin).Seconds()
			require.InEpsilon(t, float64(tags*row)/rtt.Seconds(), got, 0.02, "%d tags, row of %d, round trip %v", tags, row, rtt)
		}
	}
}

// TestCreditLimitedRate: header credits limit the rate of small writes to the advertised number per
// credit round trip.
func TestCreditLimitedRate(t *testing.T) {
	for _, headers := range []int{32, 127} {
		r := newHarness(t, func(c *rigConfig) { c.link.UpCredits.PH = headers })
		r.core.discard = true
		rate := payloadRate(r, Up)
		const n, bytes = 8192, 4
		for i := range n {
			r.write(1<<33+uint64(i)<<12, make([]byte, bytes), 0)
		}
		r.run()
		back := r.link.cfg.LatencyUp + r.link.cfg.LatencyDown + r.rc.cfg.Latency
		require.InEpsilon(t, 1e-9*float64(headers*bytes)/back.Seconds(), rate(), 0.02, "%d headers", headers)
	}
}

// TestSerialisationDoesNotDrift: a stream of TLPs without gaps ends at the exact time of its total
// number of bytes, to the picosecond.
func TestSerialisationDoesNotDrift(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.link.TLPShare, c.link.UpCredits = 1, Credits{} })
	const n, wire = 3001, 12 + 4 + 8
	for i := range n {
		r.write(uint64(i)*4, []byte{1, 2, 3, 4}, uint32(i))
	}
	r.run()
	require.Equal(t, des.Time(n*wire*8125/128), r.core.doneAt[n-1])
	s := r.link.Stats(Up)
	require.Equal(t, Stats{TLPs: n, Kinds: [10]uint64{pcie.MWr: n}, WireBytes: n * wire, PayloadBytes: 4 * n, Busy: n * wire * 8125 / 128}, s)
	require.Zero(t, r.link.Stats(Down))
}

func TestDefaultReadLatency(t *testing.T) {
	r := newHarness(t, nil)
	r.read(1<<33, 64, 1)
	r.run()
	require.InDelta(t, 0.7, 1e6*r.core.doneAt[1].Seconds(), 0.02)
}

func BenchmarkRowReads(b *testing.B) {
	r := newHarness(b, nil)
	r.core.discard = true
	next := 0
	r.core.onRead = func(uint32) {
		if next++; next < b.N {
			_ = r.ep.ReadRequest(1<<33+uint64(next%4096)*256, 256, 0)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range min(b.N, 200) {
		r.read(1<<33, 256, 0)
	}
	_ = r.k.Run(nil)
	tlps := r.link.Stats(Up).TLPs + r.link.Stats(Down).TLPs
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tlps), "ns/TLP")
}

func BenchmarkRowWrites(b *testing.B) {
	r := newHarness(b, nil)
	r.core.discard = true
	row := make([]byte, 256)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		r.write(1<<33+uint64(i%4096)*256, row, 0)
		if i%64 == 63 {
			_ = r.k.Run(nil)
		}
	}
	_ = r.k.Run(nil)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(r.link.Stats(Up).TLPs), "ns/TLP")
}
