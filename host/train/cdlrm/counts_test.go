package cdlrm_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// small is a model of cDLRM with rows and counts only: the location of each copy, and its number of
// updates.
type small struct {
	j      *job
	made   map[row]int
	host   map[row]int
	caches map[place]row
	cached map[row]int
	got    map[string]int64
	works  []timing.Work
}

type row struct{ table, index int }
type place struct{ table, set, way int }

func (m *small) sets(table int) (sets, ways int) {
	if n := m.j.Model.Tables[table].Rows; n <= m.j.opts.Sets {
		return n, 1
	}
	n := m.j.opts.Sets
	for d := 2; d < n; d++ {
		if n%d == 0 {
			n, d = n+1, 1
		}
	}
	return n, m.j.opts.Ways
}

// reads returns the rows of a range of inputs, in order, by GPU or for all GPUs.
func (m *small) reads(from, to, gpu int) []row {
	seen := map[row]bool{}
	for i := from; i < min(to, len(m.j.Inputs)); i++ {
		if gpu >= 0 && (i-from)%m.j.GPUs != gpu {
			continue
		}
		at := 0
		for t, table := range m.j.Model.Tables {
			for range table.Lookups {
				seen[row{t, int(m.j.Inputs[i].Sparse[at])}] = true
				at++
			}
		}
	}
	var list []row
	for r := range seen {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b row) int { return (a.table-b.table)<<32 + a.index - b.index })
	return list
}

// run trains on all windows. The queue of a window is filled before the previous window is cached.
func (m *small) run() {
	b, n, inputs := m.j.Batch, m.j.opts.Window, len(m.j.Inputs)
	queue := m.copies(m.reads(0, b*n, -1))
	for first := 0; first*b < inputs; first += n {
		now := queue
		end := min((first+n)*b, inputs)
		if end < inputs {
			queue = m.copies(m.reads(end, end+b*n, -1))
		}
		w := cdlrm.Work{Window: end - first*b, Unique: len(now)}
		m.window(first, now, &w)
		for k := first; k < first+n && k*b < inputs; k++ {
			m.miniBatch(k, w)
			w = cdlrm.Work{}
		}
	}
}

func (m *small) copies(rows []row) map[row]int {
	q := map[row]int{}
	for _, r := range rows {
		q[r] = m.host[r]
	}
	return q
}

func (m *small) window(first int, queue map[row]int, w *cdlrm.Work) {
	m.got[cdlrm.CountWindows]++
	m.got[cdlrm.CountListed] += int64(len(queue))
	winner, lots := map[place]row{}, map[place]uint64{}
	for r := range queue {
		if _, hit := m.cached[r]; hit {
			m.got[cdlrm.CountHits]++
			continue
		}
		sets, ways := m.sets(r.table)
		var free []place
		for way := range ways {
			at := place{r.table, r.index % sets, way}
			held, full := m.caches[at]
			if _, needed := queue[held]; !full || !needed {
				free = append(free, at)
			}
		}
		if len(free) == 0 {
			continue
		}
		lot := detmath.Hash(m.j.Seed, uint64(first), uint64(r.table)<<32|uint64(r.index))
		at := free[lot%uint64(len(free))]
		if _, taken := lots[at]; !taken || lot < lots[at] {
			winner[at], lots[at] = r, lot
		}
	}
	for at, r := range winner {
		if held, full := m.caches[at]; full {
			m.got[cdlrm.CountEvicted]++
			w.Evicted++
			m.host[held] = m.cached[held]
			delete(m.cached, held)
		}
		m.got[cdlrm.CountCached]++
		w.Cached++
		m.caches[at], m.cached[r] = r, queue[r]
		if m.host[r] > queue[r] {
			if m.j.opts.Released {
				m.got[cdlrm.CountOld]++
			} else {
				m.got[cdlrm.CountAgain]++
				w.Again++
				m.cached[r] = m.host[r]
			}
		}
	}
}

func (m *small) miniBatch(k int, own cdlrm.Work) {
	from, to := k*m.j.Batch, min((k+1)*m.j.Batch, len(m.j.Inputs))
	w := timing.Work{Inputs: to - from, HotTable: m.slots()}
	own.Averaged = m.j.GPUs > 1
	for g := range m.j.GPUs {
		read := m.reads(from, to, g)
		w.Listed += len(read)
		for _, r := range read {
			if _, hit := m.cached[r]; !hit {
				m.got[cdlrm.CountFetched]++
				own.Victims++
			}
		}
	}
	for _, r := range m.reads(from, to, -1) {
		m.got[cdlrm.CountReads]++
		has, hit := m.cached[r]
		if hit {
			w.HotRows++
			m.cached[r]++
		} else {
			w.ColdRows++
			m.got[cdlrm.CountVictims]++
			has = m.host[r]
			if m.j.opts.Released {
				m.got[cdlrm.CountLost]++
			} else {
				m.got[cdlrm.CountFlushed]++
				own.Flushed++
				m.host[r]++
			}
		}
		switch lacks := m.made[r] - has; {
		case lacks == 0:
		case lacks == 1:
			m.got[cdlrm.CountAge1]++
		case lacks == 2:
			m.got[cdlrm.CountAge2]++
		case lacks <= 4:
			m.got[cdlrm.CountAge4]++
		case lacks <= 8:
			m.got[cdlrm.CountAge8]++
		default:
			m.got[cdlrm.CountAgeMore]++
		}
		m.made[r]++
	}
	if m.j.GPUs > 1 {
		m.got[cdlrm.CountAveraged]++
	}
	own.Updated = m.j.GPUs*w.HotRows + own.Victims
	w.Own = own
	m.works = append(m.works, w)
}

func (m *small) slots() (n int) {
	for t := range m.j.Model.Tables {
		sets, ways := m.sets(t)
		n += sets * ways
	}
	return n
}

// TestCounts: counts and works match the small model.
func TestCounts(t *testing.T) {
	for _, window := range []int{1, 3} {
		for _, released := range []bool{false, true} {
			t.Run(fmt.Sprintf("window %d, released %v", window, released), func(t *testing.T) {
				j := newJob(t, 7, window)
				j.opts.Window, j.opts.Released = window, released
				want := small{j: j, made: map[row]int{}, host: map[row]int{}, caches: map[place]row{}, cached: map[row]int{}, got: map[string]int64{}}
				want.run()
				r, err := train.Run(j.system(t), j.Batches(t), train.Unwatched{}, nil)
				require.NoError(t, err)
				require.Equal(t, want.works, r.Works)
				for _, c := range r.Counts {
					require.Equal(t, want.got[c.Label], c.N, c.Label)
					delete(want.got, c.Label)
				}
				require.Empty(t, want.got)
			})
		}
	}
}

func TestNextPrime(t *testing.T) {
	for n, want := range map[int]int{1: 2, 2: 2, 3: 3, 9: 11, 25: 29, 40: 41, 50_000: 50_021, 150_000: 150_001} {
		require.Equal(t, want, cdlrm.NextPrime(n))
	}
}
