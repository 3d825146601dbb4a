package lookup

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	trial "github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// answers is the model of the cache including the results. It executes one operation at a time.
type answers struct {
	CacheModel
	p       arch.Params
	results [cacheWays][]Result
	asked   []asked // by ticket
	count   int     // number of lookups
}

type asked struct {
	id  uint32
	set int
}

func newAnswers(p arch.Params) *answers {
	m := &answers{CacheModel: NewCacheModel(p), p: p, asked: make([]asked, p.Window)}
	for w := range m.results {
		m.results[w] = make([]Result, Of(p).CacheSets())
	}
	return m
}

func (m *answers) lookup(id uint32, slot int) (hit bool, result Result) {
	set := CacheSet(m.p, id, slot)
	m.asked[m.count%m.p.Window] = asked{id, set}
	m.count++
	ways, result := m.find(asked{id, set})
	m.Stick(set, ways)
	return ways != 0, result
}

// find returns the ways that have an id, and their results.
func (m *answers) find(a asked) (ways uint8, result Result) {
	ways = m.Find(a.set, a.id)
	for w := range m.results {
		if ways>>w&1 != 0 {
			r := m.results[w][a.set]
			result = Result{result.Hit || r.Hit, result.Way | r.Way} // of both ways
		}
	}
	return ways, result
}

// start begins a run.
func (m *answers) start(forget bool) {
	m.count = 0
	if forget {
		m.Clear()
	}
}

func (m *answers) fill(ticket int, result Result) { m.enter(m.asked[ticket], result) }

// enter processes an answer.
func (m *answers) enter(a asked, result Result) {
	if way, enters := m.Fill(a.set, a.id); enters {
		m.results[way][a.set] = result
	}
}

func cacheOf(p arch.Params) lookupCache {
	return lookupCache{IDBits: p.IDBits(), Ways: p.Ways, Window: p.Window, Sets: Of(p).CacheSets()}
}

// compareCache drives the cache d with lookups and fills, one at a time.
func compareCache(t testing.TB, d *ir.Design, p arch.Params) error {
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[cachePorts](s, cacheOf(p))
	require.NoError(t, trial.Reset(s, 1))
	r := rand.New(rand.NewSource(1))
	step := func(enable bool) {
		tb.Enable.Poke(truth(enable))
		require.NoError(t, s.Step())
	}
	model := newAnswers(p)
	ids := make([]uint32, 2*p.Cache)
	for i := range ids {
		ids[i] = uint32(r.Intn(1 << p.IDBits()))
		if i%2 == 1 { // differs from another id in one bit
			ids[i] = ids[i-1] ^ 1<<r.Intn(p.IDBits())
		}
	}
	hits := 0
	for i := range 4000 {
		if r.Intn(200) == 0 {
			forget := r.Intn(2) == 0
			tb.Start.Poke(1)
			tb.Forget.Poke(truth(forget))
			step(false)
			tb.Start.Poke(0)
			tb.Forget.Poke(truth(r.Intn(2) == 0)) // must be ignored without start
			model.start(forget)
		}
		tb.Valid.Poke(0)
		if model.count > 0 && r.Intn(3) == 0 {
			ticket, result := r.Intn(min(model.count, p.Window)), Result{r.Intn(2) == 1, r.Intn(p.Ways)}
			model.fill(ticket, result)
			tb.Fill.Valid.Poke(1)
			tb.Fill.Ticket.Poke(uint64(ticket))
			tb.Fill.Hit.Poke(truth(result.Hit))
			tb.Fill.Way.Poke(uint64(result.Way))
			step(r.Intn(2) == 0)
			tb.Fill.Valid.Poke(0)
			step(r.Intn(2) == 0)
			continue
		}
		id, slot := ids[r.Intn(len(ids))], r.Intn(2)
		want, wantResult := model.lookup(id, slot)
		tb.Salt.Poke(uint64(slot * saltFactor % Of(p).CacheSets()))
		for k := 0; k < randomizer.Rounds; {
			enable := r.Intn(4) > 0
			tb.Valid.Poke(truth(k == 0 || !enable)) // waits behind a stall
			tb.ID.Poke(uint64(id))
			if k > 0 {
				tb.ID.Poke(uint64(r.Intn(1 << p.IDBits())))
			}
			step(enable)
			if enable {
				k++
			}
		}
		got, gotResult := tb.Hit.Peek() == 1, Result{tb.Result.Hit.Peek() == 1, int(tb.Result.Way.Peek())}
		if got != want || want && gotResult != wantResult {
			return fmt.Errorf("operation %d, id %#x: hit %v result %v, want %v, %v", i, id, got, gotResult, want, wantResult)
		}
		if got {
			hits++
		}
		tb.Valid.Poke(0)
		for range randomizer.Rounds {
			step(true)
			if tb.Hit.Peek() == 1 {
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
			d, err := hw.Elaborate(cacheOf(p))
			require.NoError(t, err)
			require.NoError(t, compareCache(t, d, p))
		})
	}
}

// TestCacheModelBeginsEmpty: an empty or cleared cache has no entries, not even for id 0.
func TestCacheModelBeginsEmpty(t *testing.T) {
	c := NewCacheModel(arch.Small())
	require.Zero(t, c.Find(3, 0))
	way, enters := c.Fill(3, 0)
	require.True(t, enters)
	require.EqualValues(t, 1<<way, c.Find(3, 0))
	require.Zero(t, c.Find(2, 0))
	c.Clear()
	require.Zero(t, c.Find(3, 0))
}
