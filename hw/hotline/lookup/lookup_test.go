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

// sized is a small accelerator with some sizes changed.
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
		for _, pace := range []int{8, 4, 1} {
			t.Run(fmt.Sprint(name, ", pace ", pace), func(t *testing.T) {
				require.NoError(t, p.Validate())
				d, err := hw.Elaborate(Lookup{p})
				require.NoError(t, err)
				require.NoError(t, compare(t, d, p, pace))
			})
		}
	}
}

// compare runs batches of many shapes on d, with a stub in place of the EAL.
func compare(t testing.TB, d *ir.Design, p arch.Params, pace int) error {
	b := newBench(t, d, p, int64(pace))
	tr := eal.NewTracker(p)
	b.net = newStub(b, tr, pace)
	r := rand.New(rand.NewSource(5))
	most := min(p.HalfWords(), 1500)
	for i, n := range []int{most, 0, 1, p.Engines - 1, p.Engines, 7*p.Engines + 3, most - 2, most / 2} {
		slots := 1 + r.Intn(p.Slots)
		if _, err := b.run(random(r, p, n, slots, uint64(i%2), i%2 == 0)); err != nil {
			return fmt.Errorf("batch %d, %d words, %d slots: %w", i, n, slots, err)
		}
	}
	return nil
}

// random is a batch of n words with skewed rows. Two lookup slots have a table;
// the tables are the same for all batches.
func random(r *rand.Rand, p arch.Params, n, slots int, half uint64, learn bool) batch {
	x := batch{words: make([]uint32, n), bases: make([]uint32, slots), half: half, learn: learn}
	for s := range x.bases {
		x.bases[s] = uint32(s/2) * 0x9E3779B1
	}
	zipf := rand.NewZipf(r, 1.3, 2, 1<<p.IDBits()-1)
	for k := range x.words {
		x.words[k] = uint32(zipf.Uint64())
	}
	return x
}

// Slots of words: any L, whatever its relation to E.
func TestEverySlotCount(t *testing.T) {
	for name, p := range shapes {
		t.Run(name, func(t *testing.T) {
			d, err := hw.Elaborate(Lookup{p})
			require.NoError(t, err)
			b := newBench(t, d, p, 1)
			b.net = newStub(b, eal.NewTracker(p), 8)
			r := rand.New(rand.NewSource(6))
			for slots := 1; slots <= p.Slots; slots++ {
				_, err := b.run(random(r, p, 9*p.Engines+1, slots, 0, slots%3 == 0))
				require.NoError(t, err, "%d slots", slots)
			}
		})
	}
}
