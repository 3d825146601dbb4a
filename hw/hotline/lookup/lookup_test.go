package lookup

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// sized returns a small accelerator with changed sizes.
func sized(change func(p *arch.Params)) arch.Params {
	p := arch.Small()
	change(&p)
	return p
}

var shapes = map[string]arch.Params{
	"small": arch.Small(),
	"four engines, shallow": sized(func(p *arch.Params) {
		p.Engines, p.Banks, p.Blocks, p.Window, p.Cache, p.EDRAMWords, p.Slots = 4, 4, 256, 8, 4, 4*2*100, 4
	}),
	"sixteen engines, odd half": sized(func(p *arch.Params) {
		p.Engines, p.Banks, p.Window, p.Cache, p.EDRAMWords = 16, 4, 16, 64, 16*2*131
	}),
}

func TestLookupEqualsReference(t *testing.T) {
	for name, p := range shapes {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, p.Validate())
			d, err := hw.Elaborate(Of(p))
			require.NoError(t, err)
			require.NoError(t, compare(t, d, p, 1500, 1))
		})
	}
}

// compare runs batches of up to most words on d, with a stub instead of the EAL. The stub is fast,
// or slow to accept requests so that queues fill, or slow to answer so that windows fill.
func compare(t testing.TB, d *ir.Design, p arch.Params, most int, seed int64) error {
	b := newBench(t, d, p, seed)
	s := newStub(b, eal.NewTracker(p))
	b.net = s
	r := rand.New(rand.NewSource(5))
	most = min(p.HalfWords(), most)
	cached := 0
	for i, n := range []int{most, most, most, most / 2, most - 2, 0, 1, p.Engines - 1, p.Engines, 7*p.Engines + 3} {
		s.take, s.give = []int{8, 8, 1}[i%3], []int{1, 8, 8}[i%3]
		slots := []int{p.Slots, 3, 1, p.Engines}[i%4]
		x := random(r, p, n, min(slots, p.Slots), uint64(i%2), i%3 == 0)
		if i%3 > 0 {
			x.few(r, 2*p.Cache/slots, p.IDBits())
		}
		if _, err := b.run(x); err != nil {
			return fmt.Errorf("batch %d, %d words, %d slots: %w", i, n, slots, err)
		}
		cached += b.cached
		if err := s.stalled(); err != nil {
			return fmt.Errorf("batch %d: %w", i, err)
		}
		if i == 4 && n >= 50*p.Engines && b.cached < n/2 { // few different rows
			return fmt.Errorf("%d of %d lookups of few rows answered by caches", b.cached, n)
		}
	}
	if cached < most/10 {
		return fmt.Errorf("%d lookups answered by caches", cached)
	}
	s.take, s.give = 8, 8
	return b.learnOneRow(min(p.HalfWords(), 3*Refresh*p.Engines))
}

// compareAll runs compare, then spread.
func compareAll(t testing.TB, d *ir.Design, p arch.Params, most int, seed int64) error {
	if err := compare(t, d, p, most, seed); err != nil {
		return err
	}
	b := newBench(t, d, p, seed)
	s := newStub(b, eal.NewTracker(p))
	s.take, s.give = 3, 4 // sometimes engines wait for the answer of each position of their windows
	b.net = s
	r := rand.New(rand.NewSource(seed))
	s.inOrder = true // detects a position that stays answered after a reset
	if _, err := b.run(random(r, p, min(p.HalfWords(), p.Window*p.Engines), p.Slots, 0, false)); err != nil {
		return fmt.Errorf("in order: %w", err)
	}
	s.inOrder = false
	return b.spread(r)
}

// spread runs the largest batches. The first have rows that are rarely in the caches. The next have
// rows, new in each batch, that fit into the caches twice or just do not fit. So each position of
// windows and caches is used many times.
func (b *bench) spread(r *rand.Rand) error {
	const cold = 3
	p := b.p
	warm := max(4, 32*p.Cache*p.Engines/p.HalfWords())
	for i := range cold + warm {
		rows := []int{p.Cache / 2, 3 * p.Cache / 2}[i%2]
		x := batch{words: make([]uint32, p.HalfWords()), bases: []uint32{r.Uint32(), r.Uint32()}, half: uint64(i % 2), learn: i == 0}
		for k := range x.words {
			x.words[k] = uint32(r.Intn(1 << p.IDBits()))
			if i >= cold {
				x.words[k] %= uint32(rows)
			}
			x.words[k] *= 0x9E3779B1
		}
		if _, err := b.run(x); err != nil {
			return fmt.Errorf("batch %d of spread rows: %w", i, err)
		}
	}
	return nil
}

// stalled checks the count of requests that the stub did not accept. It also checks that each
// engine that fetched nothing has counted a stall.
func (s *stub) stalled() error {
	b := s.b
	if b.refused != s.refused {
		return fmt.Errorf("%d conflicts, want %d", b.refused, s.refused)
	}
	s.refused = 0
	if windows, queues := b.stalls[0], b.stalls[1]; windows > b.idle || windows+queues < b.idle || s.take == 8 && queues > 0 {
		return fmt.Errorf("%d stalls of windows, %d of queues, %d words that were not fetched", windows, queues, b.idle)
	}
	return nil
}

// learnOneRow learns the same row repeatedly. After the first lookup that an engine's cache
// answers, the engine must ask the EAL for every Refresh-th lookup only.
func (b *bench) learnOneRow(n int) error {
	if _, err := b.run(batch{words: make([]uint32, n), bases: []uint32{1}, learn: true}); err != nil {
		return err
	}
	for e := range b.p.Engines {
		hits := 0
		for k := e; k < n; k += b.p.Engines {
			asked := b.last[0].known[k]
			if hits > 0 && asked != (hits%Refresh == Refresh-1) {
				return fmt.Errorf("engine %d, lookup %d of its cache: asked %v", e, hits, asked)
			}
			if hits > 0 || !asked {
				hits++
			}
		}
		if hits < Refresh {
			return fmt.Errorf("engine %d: the cache knew %d lookups", e, hits)
		}
	}
	return nil
}

// random returns a batch of n words with a skewed distribution of rows. Two lookup slots share a
// table. The tables are the same for all batches.
func random(r *rand.Rand, p arch.Params, n, slots int, half uint64, learn bool) batch {
	x := batch{words: make([]uint32, n), bases: make([]uint32, slots), half: half, learn: learn}
	for s := range x.bases {
		x.bases[s] = uint32(s/2+1) * 0x9E3779B1
	}
	zipf := rand.NewZipf(r, 1.3, 2, 1<<p.IDBits()-1)
	for k := range x.words {
		x.words[k] = uint32(zipf.Uint64())
	}
	return x
}

// few reduces a batch to the given number of rows, so that caches answer many of its lookups. Some
// words differ from these rows in one bit.
func (x batch) few(r *rand.Rand, rows, bits int) {
	for k := range x.words {
		x.words[k] %= uint32(max(1, rows))
		if r.Intn(8) == 0 {
			x.words[k] ^= 1 << r.Intn(bits)
		}
	}
}

// TestEverySlotCount: the slots of words are correct for every L, regardless of its relation to E.
func TestEverySlotCount(t *testing.T) {
	for name, p := range shapes {
		t.Run(name, func(t *testing.T) {
			d, err := hw.Elaborate(Of(p))
			require.NoError(t, err)
			b := newBench(t, d, p, 1)
			b.net = newStub(b, eal.NewTracker(p))
			r := rand.New(rand.NewSource(6))
			for slots := 1; slots <= p.Slots; slots++ {
				_, err := b.run(random(r, p, 9*p.Engines+1, slots, 0, slots%3 == 0))
				require.NoError(t, err, "%d slots", slots)
			}
		})
	}
}
