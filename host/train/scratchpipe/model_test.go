package scratchpipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// masks is the scratchpad of a table as described in the paper: a mask of six bits per slot, which
// shifts with every mini-batch. Bits are set for cached rows of the second mini-batch ahead, then
// for hits, then for misses. A miss takes the slot without a bit that was used first, or by the
// fewest mini-batches.
type masks struct {
	row, mask, used, uses []int // of slots
	clock                 int
	lfu                   bool
}

func newMasks(slots int, policy string) *masks {
	m := &masks{row: make([]int, slots), mask: make([]int, slots), used: make([]int, slots), uses: make([]int, slots), lfu: policy == scratchpipe.LFU}
	for i := range m.row {
		m.row[i] = -1
	}
	return m
}

const (
	bitAhead = 1 << 5
	bitNow   = 1 << 3
)

func (m *masks) find(row int) int {
	for slot, r := range m.row {
		if r == row {
			return slot
		}
	}
	return -1
}

// plan returns the number of lookups that hit, and of rows that arrive and leave.
func (m *masks) plan(now, ahead []int) (hits, fills, leaves int) {
	for slot := range m.mask {
		m.mask[slot] >>= 1
	}
	set := func(rows []int, bit int) {
		for _, row := range rows {
			if slot := m.find(row); slot >= 0 {
				m.mask[slot] |= bit
			}
		}
	}
	set(ahead, bitAhead)
	set(now, bitNow)
	seen := map[int]bool{}
	missing := map[int]bool{}
	for _, row := range now {
		if m.find(row) < 0 {
			missing[row] = true
		}
	}
	for _, row := range now {
		if !missing[row] {
			hits++
		}
		if !seen[row] && missing[row] {
			slot := m.victim()
			fills++
			if m.row[slot] >= 0 {
				leaves++
			}
			m.row[slot], m.mask[slot], m.uses[slot] = row, bitNow, 0
		}
		if !seen[row] {
			m.clock++
			m.used[m.find(row)] = m.clock
			m.uses[m.find(row)]++
		}
		seen[row] = true
	}
	return hits, fills, leaves
}

func (m *masks) victim() int {
	least := -1
	for slot := range m.row {
		switch {
		case m.mask[slot] != 0:
		case least < 0, m.lfu && m.uses[slot] < m.uses[least], (!m.lfu || m.uses[slot] == m.uses[least]) && m.used[slot] < m.used[least]:
			least = slot
		}
	}
	return least
}

// TestCounts: counts match the paper's data structures, for few and for many slots.
func TestCounts(t *testing.T) {
	for i, share := range []float64{0, 0.4, 0.8, 0, 0.4, 0.8} {
		j := newJob(t, 9, 2)
		j.opts.Share, j.opts.Policy = share, []string{scratchpipe.LRU, scratchpipe.LFU}[i/3]
		s := j.make(t, scratchpipe.New)
		got, err := train.Run(s, j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
		require.LessOrEqual(t, s.Turns(), 4, "mini-batches that are behind the window are forgotten")

		want := make([][4]int, len(got.Works)) // lookups that hit, slots, rows that arrive, rows that leave
		for table, size := range j.Model.Tables {
			slots := max(min(size.Rows, 6*j.Batch*size.Lookups), int(share*float64(size.Rows)))
			m := newMasks(slots, j.opts.Policy)
			for b := range want {
				hits, fills, leaves := m.plan(rowsOf(j, b, table), rowsOf(j, b+2, table))
				for i, n := range []int{hits, slots, fills, leaves} {
					want[b][i] += n
				}
			}
		}
		hits, rows := 0, 0
		for b, w := range got.Works {
			hits += want[b][0]
			require.Equal(t, want[b][1:], []int{own(w).Slots, own(w).Fills, own(w).Leaves}, "%s, share %v, mini-batch %d", j.opts.Policy, share, b)
			rows += distinct(j, b)
		}
		require.EqualValues(t, hits, got.Count(scratchpipe.CountHits))
		require.EqualValues(t, rows, got.Count(scratchpipe.CountRows))
		require.EqualValues(t, len(j.Inputs)*7, got.Count(scratchpipe.CountLookups))
		require.EqualValues(t, 48+24+3+72, got.Count(scratchpipe.CountWindow))
		require.LessOrEqual(t, got.Count(scratchpipe.CountHeld), got.Count(scratchpipe.CountWindow))
	}
}

// rowsOf returns the rows of a table in a mini-batch, or none after the last mini-batch.
func rowsOf(j *job, b, table int) (rows []int) {
	for i := b * j.Batch; i < min((b+1)*j.Batch, len(j.Inputs)); i++ {
		at := 0
		for _, size := range j.Model.Tables[:table] {
			at += size.Lookups
		}
		for _, row := range j.Inputs[i].Sparse[at:][:j.Model.Tables[table].Lookups] {
			rows = append(rows, int(row))
		}
	}
	return rows
}

func distinct(j *job, b int) int {
	n := 0
	for table := range j.Model.Tables {
		seen := map[int]bool{}
		for _, row := range rowsOf(j, b, table) {
			seen[row] = true
		}
		n += len(seen)
	}
	return n
}

// TestPolicies: frequent rows stay longer with LFU than with LRU. With any policy, the number of
// lookups matches the click log.
func TestPolicies(t *testing.T) {
	hits := map[string]int64{}
	for _, policy := range scratchpipe.Policies() {
		j := newJob(t, 9, 1)
		j.Model.Tables = []dlrm.Table{{Name: "a", Rows: 2000, Lookups: 2}}
		j.skew = 1.2
		j.generate(t, 9, 2000)
		j.opts.Policy, j.opts.Share = policy, 0.05
		got, err := train.Run(j.make(t, scratchpipe.New), j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
		require.EqualValues(t, 4000, got.Count(scratchpipe.CountLookups))
		hits[policy] = got.Count(scratchpipe.CountHits)
	}
	require.Greater(t, hits[scratchpipe.LFU], hits[scratchpipe.LRU])
	require.Greater(t, hits[scratchpipe.LRU], hits[scratchpipe.Random])
}

// The default model of the paper, with eight tables of 10 million rows.
func paper() dlrm.Config {
	m := dlrm.Config{Dense: 13, Dim: 128, Bottom: []int{13, 512, 256, 128}, Top: []int{1024, 1024, 512, 256, 1}, LearningRate: 0.1}
	for range 8 {
		m.Tables = append(m.Tables, dlrm.Table{Name: "t", Rows: 10e6, Lookups: 20})
	}
	return m
}

// TestMemoryOfThePaper compares with Section VI-D of the paper: 960 MB of Storage for the rows of
// six mini-batches at worst, less than 1 GB for the Hit-Map, 300 MB for other structures, 4 GB in
// total.
func TestMemoryOfThePaper(t *testing.T) {
	const mib = 1 << 20
	slots := 0
	for _, table := range paper().Tables {
		slots += scratchpipe.WindowSlots(table.Rows, table.Lookups, 2048, 6)
	}
	require.Equal(t, 1_006_632_960, slots*128*4)
	require.Equal(t, 960*mib, slots*128*4)

	for share, want := range map[float64]map[string]uint64{
		0:    {"scratchpad": 960 * mib, "hit map": 30 * mib, "hold masks and order of use": 25_559_040, "rows on their way": 640 * mib, "vectors of own tables and their gradients": 16 * mib},
		0.10: {"scratchpad": 8e6 * 512, "hit map": 8e6 * 16, "hold masks and order of use": 8e6 * 13, "rows on their way": 640 * mib, "vectors of own tables and their gradients": 16 * mib},
	} {
		j := &job{Job: systemtest.Job{Model: paper(), Seed: 5, Batch: 2048, GPUs: 1, Valueless: true}, opts: scratchpipe.DefaultOptions()}
		j.opts.Share = share
		j.generate(t, 1, 1)
		j.Machine = func(c *server.Config) { c.GPUMemoryGiB = 0.5 } // so that nothing fits, and the error lists all parts
		got := j.memory(t)
		for what, bytes := range want {
			require.InDelta(t, bytes, got[what], 8*4096, "%s, in whole pages a table", what)
		}
		require.Less(t, got["hit map"], uint64(1e9))
		require.Less(t, got["hold masks and order of use"], uint64(300e6))
		if share == 0 {
			require.Less(t, got["scratchpad"]+got["hit map"]+got["hold masks and order of use"]+got["rows on their way"], uint64(4e9))
		}
	}
}

// memory returns the memory that a GPU needs, from the error of a GPU with too little memory.
func (j *job) memory(t *testing.T) map[string]uint64 {
	_, err := train.Run(j.make(t, scratchpipe.New), j.Batches(t), train.Unwatched{}, nil)
	got := map[string]uint64{}
	for _, p := range outOfMemory(t, err).Parts {
		got[p.What] = p.Bytes
	}
	return got
}

// TestMemoryOfStates: the states of Adagrad take as much memory as rows, in slots and in transit.
func TestMemoryOfStates(t *testing.T) {
	j := &job{Job: systemtest.Job{Model: paper(), Seed: 5, Batch: 512, GPUs: 2, Valueless: true}, opts: scratchpipe.DefaultOptions()}
	j.Machine = func(c *server.Config) { c.GPUMemoryGiB = 0.1 }
	j.generate(t, 1, 1)
	sgd := j.memory(t)
	j.Model.Optimiser = dlrm.Adagrad
	adagrad := j.memory(t)
	require.Equal(t, adagrad["scratchpad"], adagrad["optimiser states of scratchpad"])
	require.Equal(t, 2*sgd["rows on their way"], adagrad["rows on their way"])
	require.EqualValues(t, 4*200_000*512, sgd["scratchpad"], "half of the tables")
}

// TestSlots: a 2 % scratchpad has fewer slots than the window needs at worst, so it is enlarged.
// The straw-man's window is only the mini-batch itself.
func TestSlots(t *testing.T) {
	table := paper().Tables[0]
	require.Equal(t, 245_760, scratchpipe.WindowSlots(table.Rows, table.Lookups, 2048, 6))
	require.Greater(t, 245_760, 10_000_000*2/100)
	require.Equal(t, 1000, scratchpipe.WindowSlots(1000, 20, 2048, 6), "no more than there are rows")
	j := newJob(t, 9, 1)
	for kind, window := range map[string]int64{"pipelined": 48 + 24 + 3 + 72, "straw-man": 8 + 4 + 3 + 12, "ideal": 24 + 12 + 3 + 36} {
		got, err := train.Run(j.make(t, constructors[kind]), j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
		require.Equal(t, window, got.Count(scratchpipe.CountWindow), kind)
		require.Equal(t, window, got.Count(scratchpipe.CountSlots), kind)
	}
}
