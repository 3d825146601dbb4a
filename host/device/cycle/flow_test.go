package cycle_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// job is a small mini-batch with tables in host memory.
type job struct {
	r       *harness
	lookups []int // lookups per table
	rows    []int
	bases   []uint64 // of the tables in host memory
	ids     []uint32 // id of row 0 of each table
	slots   []int    // table of each feature field
	gpus    int
	words   region
	n       int
	index   []uint32
}

const (
	dim      = 16
	rowBytes = 4 * dim
	hotBase  = 0
	poolBase = 1 << 24
	gradBase = 1 << 25
	mailBase = 1 << 26
)

func newJob(t testing.TB, gpus, n int, seed uint64) *job {
	return newJobOn(newHarness(t, gpus), n, seed)
}

func newJobOn(r *harness, n int, seed uint64) *job {
	rng := rand.New(rand.NewPCG(seed, 1))
	t, gpus := r.t, len(r.gpus)
	j := &job{r: r, lookups: []int{1, 3, 1, 2}, rows: []int{50, 400, 9, 3000}, gpus: gpus, n: n}
	id := uint32(0)
	for table, rows := range j.rows {
		g := r.alloc(rows * rowBytes)
		j.bases = append(j.bases, g.at)
		j.ids = append(j.ids, id)
		id += uint32(rows)
		values := make([]float32, rows*dim)
		for i := range values {
			values[i] = rng.Float32() - 0.5
		}
		require.NoError(t, r.memory.WriteFloat32s(g.at, values))
		r.do(driver.SWrite(arch.RegTable+table, g.at))
		for k := range j.lookups[table] {
			r.do(driver.SWrite(arch.RegSlot+len(j.slots), arch.Slot{Base: j.ids[table], Table: table, First: k == 0, Last: k == j.lookups[table]-1}.Bits()))
			j.slots = append(j.slots, table)
		}
	}
	for g := range gpus {
		base := r.gpus[g].Base()
		r.do(driver.SWrite(arch.RegHot+g, base+hotBase))
		r.do(driver.SWrite(arch.RegPooled+g, base+poolBase))
		r.do(driver.SWrite(arch.RegGrad+g, base+gradBase))
		r.do(driver.SWrite(arch.RegMailbox+g, base+mailBase))
	}
	r.do(driver.SWrite(arch.RegSlots, uint64(len(j.slots))))
	r.do(driver.SWrite(arch.RegTables, uint64(len(j.rows))))
	r.do(driver.SWrite(arch.RegRowLog2, 6))
	r.do(driver.SWrite(arch.RegGPUs, uint64(gpus)))
	r.do(driver.SWrite(arch.RegScale, 0xbe800000)) // -0.25

	for range n {
		for _, table := range j.slots {
			// Skewed: mostly among the first rows.
			x := rng.Float64()
			j.index = append(j.index, uint32(float64(j.rows[table])*x*x*x*x*x))
		}
	}
	j.words = r.alloc(4 * len(j.index))
	require.NoError(t, r.memory.WriteUint32s(j.words.at, j.index))
	return j
}

func (j *job) id(i, s int) uint32 { return j.ids[j.slots[s]] + j.index[i*len(j.slots)+s] }

// hot learns the mini-batch and reads the hot set.
func (j *job) hot() map[uint32]uint32 {
	r := j.r
	done := r.do(driver.Learn(0, j.words.at, j.n))
	require.EqualValues(r.t, len(j.index), done.Value0)
	list := r.alloc(8 * 8192)
	entries := int(r.do(driver.HotSet(list.at)).Value0)
	raw := make([]byte, 8*entries)
	require.NoError(r.t, list.Read(0, raw))
	hot := map[uint32]uint32{}
	for i := range entries {
		id, block := binary.LittleEndian.Uint32(raw[8*i:]), binary.LittleEndian.Uint32(raw[8*i+4:])
		require.NotContains(r.t, hot, id)
		hot[id] = block
	}
	return hot
}

// TestFlow runs a mini-batch through all commands and checks the resulting memory.
func TestFlow(t *testing.T) {
	for _, gpus := range []int{1, 2, 3, 4} {
		j := newJob(t, gpus, 90, uint64(gpus))
		j.check()
		t.Logf("%d GPUs: %v, %d cycles, %d simulated", gpus, j.r.k.Now(), j.r.card.Cycles(), j.r.card.Simulated())
	}
}

func (j *job) check() {
	r, t := j.r, j.r.t
	hot := j.hot()
	seen := map[uint32]bool{}
	for i := range j.n {
		for s := range j.slots {
			seen[j.id(i, s)] = true
		}
	}
	require.Len(t, hot, len(seen), "all rows fit")

	// Replace some entries: use a second mini-batch with different rows.
	second := &job{r: r, lookups: j.lookups, rows: j.rows, bases: j.bases, ids: j.ids, slots: j.slots, gpus: j.gpus, n: j.n}
	rng := rand.New(rand.NewPCG(9, 9))
	for range second.n {
		for s, table := range j.slots {
			x := j.index[rng.IntN(j.n)*len(j.slots)+s]
			if rng.IntN(8) == 0 {
				x = uint32(rng.IntN(j.rows[table]))
			}
			second.index = append(second.index, x)
		}
	}
	second.words = r.alloc(4 * len(second.index))
	require.NoError(t, r.memory.WriteUint32s(second.words.at, second.index))
	second.place(hot)
	popular := second.classify(hot)
	second.gather(hot, popular)
	second.update(hot)
}

// place copies the hot rows to the GPUs and corrupts the copies in host memory.
func (j *job) place(hot map[uint32]uint32) {
	row := make([]float32, dim)
	for table, rows := range j.rows {
		for i := range rows {
			if block, ok := hot[j.ids[table]+uint32(i)]; ok {
				at := j.bases[table] + uint64(i*rowBytes)
				require.NoError(j.r.t, j.r.memory.ReadFloat32s(at, row))
				for _, g := range j.r.gpus {
					require.NoError(j.r.t, g.Memory().WriteFloat32s(hotBase+uint64(block)*rowBytes, row))
				}
				require.NoError(j.r.t, j.r.memory.WriteUint32s(at, make([]uint32, dim)))
			}
		}
	}
}

// classify checks the classification and returns which inputs are popular.
func (j *job) classify(hot map[uint32]uint32) []bool {
	r, t := j.r, j.r.t
	bitmap := r.alloc(4096)
	done := r.do(driver.Classify(1, j.words.at, j.n, bitmap.at))
	popular := make([]bool, j.n)
	count := 0
	bits := make([]byte, (j.n+7)/8)
	require.NoError(t, bitmap.Read(0, bits))
	for i := range popular {
		popular[i] = true
		for s := range j.slots {
			if _, ok := hot[j.id(i, s)]; !ok {
				popular[i] = false
			}
		}
		if popular[i] {
			count++
		}
		require.Equal(t, popular[i], bits[i/8]>>(i%8)&1 == 1, "input %d", i)
	}
	require.EqualValues(t, count, done.Value0)
	require.NotZero(t, count)
	require.NotEqual(t, j.n, count)
	for _, g := range r.gpus {
		mail := make([]byte, len(bits))
		require.NoError(t, g.Memory().Read(mailBase, mail))
		require.Equal(t, bits, mail)
	}
	return popular
}

// row reads a row from its current location.
func (j *job) row(hot map[uint32]uint32, table int, index uint32) []float32 {
	v := make([]float32, dim)
	if block, ok := hot[j.ids[table]+index]; ok {
		require.NoError(j.r.t, j.r.gpus[0].Memory().ReadFloat32s(hotBase+uint64(block)*rowBytes, v))
	} else {
		require.NoError(j.r.t, j.r.memory.ReadFloat32s(j.bases[table]+uint64(index)*rowBytes, v))
	}
	return v
}

func (j *job) gather(hot map[uint32]uint32, popular []bool) {
	r, t := j.r, j.r.t
	done := r.do(driver.Gather(1, j.n))
	var fromGPU, fromHost uint32
	order := 0
	for i := range j.n {
		if popular[i] {
			continue
		}
		s := 0
		for table, lookups := range j.lookups {
			var want []float32
			for range lookups {
				index := j.index[i*len(j.slots)+s]
				if _, ok := hot[j.id(i, s)]; ok {
					fromGPU++
				} else {
					fromHost++
				}
				row := j.row(hot, table, index)
				if want == nil {
					want = row
				} else {
					for k := range want {
						want[k] += row[k]
					}
				}
				s++
			}
			at := poolBase + uint64(order/j.gpus*len(j.rows)+table)*rowBytes
			got := make([]float32, dim)
			require.NoError(t, r.gpus[order%j.gpus].Memory().ReadFloat32s(at, got))
			require.Equal(t, want, got, "input %d table %d", i, table)
		}
		order++
	}
	require.Equal(t, fromGPU, done.Value0)
	require.Equal(t, fromHost, done.Value1)
}

// update changes all cold rows of the mini-batch.
func (j *job) update(hot map[uint32]uint32) {
	r, t := j.r, j.r.t
	rng := rand.New(rand.NewPCG(5, 5))
	type key struct {
		table int
		index uint32
	}
	var list []uint32
	want := map[key][]float32{}
	for i := range j.n {
		for s, table := range j.slots {
			k := key{table, j.index[i*len(j.slots)+s]}
			_, isHot := hot[j.id(i, s)]
			if _, dup := want[k]; dup || isHot {
				continue
			}
			grad := make([]float32, dim)
			row := j.row(hot, k.table, k.index)
			for x := range grad {
				grad[x] = rng.Float32()
				row[x] += float32(-0.25 * grad[x])
			}
			n := len(want)
			at := gradBase + uint64(n/j.gpus*rowBytes)
			require.NoError(t, r.gpus[n%j.gpus].Memory().WriteFloat32s(at, grad))
			list = append(list, uint32(k.table), k.index)
			want[k] = row
		}
	}
	words := r.alloc(4 * len(list))
	require.NoError(t, r.memory.WriteUint32s(words.at, list))
	done := r.do(driver.Update(1, words.at, len(want)))
	require.EqualValues(t, len(want), done.Value0)
	for k, row := range want {
		require.Equal(t, row, j.row(hot, k.table, k.index), "table %d row %d", k.table, k.index)
	}
}
