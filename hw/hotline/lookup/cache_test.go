package lookup

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/feistel"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// cacheModel is the policy of the cache, one operation at a time.
type cacheModel struct {
	p       arch.Params
	entries [cacheWays][]cacheEntry
	pointer []int
	asked   []asked // by window slot
	count   int     // lookups so far
}

type cacheEntry struct {
	live, sticky bool
	id           uint32
	result       uint64
}

type asked struct {
	id  uint32
	set int
}

func newCacheModel(p arch.Params) *cacheModel {
	m := &cacheModel{p: p, pointer: make([]int, cacheSets(p)), asked: make([]asked, p.Window)}
	for w := range m.entries {
		m.entries[w] = make([]cacheEntry, cacheSets(p))
	}
	return m
}

func (m *cacheModel) lookup(id uint32, slot int) (hit bool, result uint64) {
	set := CacheSet(m.p, id, slot)
	m.asked[m.count%m.p.Window] = asked{id, set}
	m.count++
	for w := range m.entries {
		if e := &m.entries[w][set]; e.live && e.id == id {
			e.sticky, hit, result = true, true, result|e.result
		}
	}
	return hit, result
}

func (m *cacheModel) fill(windowSlot int, result uint64) {
	a := m.asked[windowSlot]
	e := &m.entries[m.pointer[a.set]][a.set]
	if e.sticky {
		e.sticky = false
	} else {
		*e = cacheEntry{live: true, id: a.id, result: result}
	}
	m.pointer[a.set] ^= 1
}

// compareCache drives the cache d with lookups and fills, one at a time.
func compareCache(t testing.TB, d *ir.Design, p arch.Params) error {
	s, err := interp.New(d)
	require.NoError(t, err)
	pin := func(name string) sim.Pin { return sim.Find(s, name) }
	require.NoError(t, trial.Reset(s, 1))
	r := rand.New(rand.NewSource(1))
	step := func(enable bool) {
		pin("enable").SetBool(enable)
		require.NoError(t, s.Step())
	}
	model := newCacheModel(p)
	ids := make([]uint32, 2*p.Cache)
	for i := range ids {
		ids[i] = uint32(r.Intn(1 << p.IDBits()))
	}
	hits := 0
	for i := range 4000 {
		if r.Intn(200) == 0 {
			pin("clear").Set(1)
			step(false)
			pin("clear").Set(0)
			model = newCacheModel(p)
		}
		pin("valid").Set(0)
		if model.count > 0 && r.Intn(3) == 0 {
			slot, result := r.Intn(min(model.count, p.Window)), r.Intn(1<<eal.ResultWidth(p))
			model.fill(slot, uint64(result))
			pin("fill").Set(1)
			pin("answer").Set(uint64(slot<<eal.ResultWidth(p) | result))
			step(r.Intn(2) == 0)
			pin("fill").Set(0)
			step(r.Intn(2) == 0)
			continue
		}
		id, slot := ids[r.Intn(len(ids))], r.Intn(2)
		want, wantResult := model.lookup(id, slot)
		pin("salt").Set(uint64(slot * saltFactor % cacheSets(p)))
		for k := 0; k < feistel.Rounds; {
			enable := r.Intn(4) > 0
			pin("valid").SetBool(k == 0 || !enable) // what waits behind a stall
			pin("id").Set(uint64(id))
			if k > 0 {
				pin("id").Set(uint64(r.Intn(1 << p.IDBits())))
			}
			step(enable)
			if enable {
				k++
			}
		}
		got, gotResult := pin("hit").Bool(), pin("result").Get()
		if got != want || want && gotResult != wantResult {
			return fmt.Errorf("operation %d, id %#x: hit %v result %#x, want %v, %#x", i, id, got, gotResult, want, wantResult)
		}
		if got {
			hits++
		}
		pin("valid").Set(0)
		for range feistel.Rounds {
			step(true)
			if pin("hit").Bool() {
				return fmt.Errorf("operation %d: a hit without a lookup", i)
			}
		}
	}
	if hits < 200 {
		return fmt.Errorf("%d hits; want at least 200", hits)
	}
	return nil
}

func TestCacheFollowsItsPolicy(t *testing.T) {
	for name, p := range shapes {
		t.Run(name, func(t *testing.T) {
			d, err := hw.Elaborate(cache{p})
			require.NoError(t, err)
			require.NoError(t, compareCache(t, d, p))
		})
	}
}
