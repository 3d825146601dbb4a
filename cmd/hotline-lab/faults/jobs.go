package faults

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// batch is a classified mini-batch in a half of the buffer. It contains the hot rows at the time of
// classification.
type batch struct {
	words   []uint32
	blocks  map[uint32]uint32
	popular []bool
}

func id(table, row int) uint32 { return uint32(table*tableRows + row) }

// draw samples the jobs of a round. No job writes data that another job reads or writes.
func (m *machine) draw() (jobs []*job) {
	if m.rng.IntN(4) == 0 {
		return []*job{m.setScale()}
	}
	if m.rng.IntN(8) == 0 {
		return m.learning()
	}
	used := map[uint32]bool{} // rows in use
	half := m.rng.IntN(2)     // half of the buffer that the batch uses
	switch b := m.held[half]; {
	case b != nil:
		for i, w := range b.words {
			used[id(tableOf[i%slots], int(w))] = true
		}
		jobs = append(jobs, m.gather(half, b))
	case m.rng.IntN(2) == 0:
		jobs = append(jobs, m.classify(half, m.inputs(1+m.rng.IntN(mostBatch), tableRows)))
	}
	if m.rng.IntN(16) == 0 {
		jobs = append(jobs, m.readHotSet())
	}
	for n := m.rng.IntN(mostJobs + 1); len(jobs) < max(n, 1); {
		switch m.rng.IntN(6) {
		case 0:
			jobs = append(jobs, m.nothing(driver.Fence()))
		case 1:
			registers := m.registers()
			jobs = append(jobs, m.nothing(registers[m.rng.IntN(tables)])) // written redundantly
		case 2, 3:
			jobs = append(jobs, m.rows(len(jobs), used))
		default:
			jobs = append(jobs, m.update(len(jobs), 1-half, used))
		}
	}
	m.rng.Shuffle(len(jobs), func(i, k int) { jobs[i], jobs[k] = jobs[k], jobs[i] })
	return jobs
}

// learning returns a round of jobs in which the accelerator learns.
func (m *machine) learning() (jobs []*job) {
	first := m.rng.IntN(2)
	for half := first; half < 2; half++ {
		jobs = append(jobs, m.learn(half), m.nothing(driver.Fence()))
	}
	return jobs
}

// nothing returns a job of one command without an effect.
func (m *machine) nothing(c arch.Command) *job {
	return &job{commands: []arch.Command{c}, written: nowhere, done: func(driver.Completion) error { return nil }}
}

func nowhere() []part { return nil }

// setScale returns a job that changes the scale of updates.
func (m *machine) setScale() *job {
	scale := float32(m.rng.IntN(17)-8) / 64
	return &job{
		commands: []arch.Command{driver.SWrite(arch.RegScale, uint64(math.Float32bits(scale)))}, written: nowhere,
		done: func(driver.Completion) error {
			m.scale = scale
			return nil
		},
	}
}

// inputs samples the lookups of n inputs. Row indices are below rows, and most lookups are below
// hotRows.
func (m *machine) inputs(n, rows int) (words []uint32) {
	for range n * slots {
		limit := hotRows
		if m.rng.IntN(4) == 0 {
			limit = rows
		}
		words = append(words, uint32(m.rng.IntN(limit)))
	}
	return words
}

// stage stores lookups of inputs in the memory of a half. The mini-batch in the half is no longer
// valid.
func (m *machine) stage(half int, words []uint32) error {
	m.held[half] = nil
	var p []byte
	for _, w := range words {
		p = binary.LittleEndian.AppendUint32(p, w)
	}
	return m.words[half].store(0, p)
}

// learn returns a job in which the accelerator learns from random inputs.
func (m *machine) learn(half int) *job {
	n := 1 + m.rng.IntN(mostBatch/4)
	words := m.inputs(n, hotRows)
	return &job{
		commands: []arch.Command{driver.Learn(half, m.words[half].Address(), n)}, written: nowhere,
		ready: func() error { return m.stage(half, words) },
		done: func(c driver.Completion) error {
			if m.listed {
				m.before, m.listed = maps.Clone(m.learned), false
			}
			for i, w := range words {
				m.learned[id(tableOf[i%slots], int(w))] = true
			}
			m.unread = true
			return values(c, len(words), 0)
		},
	}
}

// values compares the values of a completion.
func values(c driver.Completion, value0, value1 int) error {
	if int(c.Value0) != value0 || int(c.Value1) != value1 {
		return fmt.Errorf("values %d and %d, expected %d and %d", c.Value0, c.Value1, value0, value1)
	}
	return nil
}

// classify returns a job that classifies the inputs of a half.
func (m *machine) classify(half int, words []uint32) *job {
	n := len(words) / slots
	bytes := ceil(n, 128) * 16
	return &job{
		commands: []arch.Command{driver.Classify(half, m.words[half].Address(), n, m.bitmap[half].Address())},
		ready:    func() error { return m.stage(half, words) },
		written: func() []part {
			return []part{{m.bitmap[half], 0, bytes}, {m.gpu[0].mailbox, 0, bytes}, {m.gpu[1].mailbox, 0, bytes}}
		},
		done: func(c driver.Completion) error {
			b := &batch{words: words, blocks: m.blocks, popular: make([]bool, n)}
			bitmap, count := make(arch.Bitmap, bytes), 0
			for i := range n {
				if b.popular[i] = m.allHot(words[i*slots:][:slots]); b.popular[i] {
					bitmap.Add(i)
					count++
				}
			}
			m.held[half] = b
			for _, a := range []*area{m.bitmap[half], m.gpu[0].mailbox, m.gpu[1].mailbox} {
				a.expect(0, bitmap)
			}
			return values(c, count, len(words))
		},
	}
}

func (m *machine) allHot(input []uint32) bool {
	for s, w := range input {
		if !m.learned[id(tableOf[s], int(w))] {
			return false
		}
	}
	return true
}

// gather returns a job that pools the rows of a classified half. If the half is no longer
// classified, the job classifies it again first.
func (m *machine) gather(half int, b *batch) *job {
	n := len(b.popular)
	return &job{
		commands: []arch.Command{driver.Gather(half, n)},
		ready: func() error {
			if m.held[half] == nil {
				if err := m.round([]*job{m.classify(half, b.words)}); err != nil {
					return err
				}
			}
			b = m.held[half]
			return nil
		},
		written: func() (list []part) {
			vectors := 0
			for _, popular := range b.popular {
				if !popular {
					vectors++
				}
			}
			for g := range gpus {
				list = append(list, part{m.gpu[g].pooled, 0, (vectors + gpus - 1 - g) / gpus * tables * m.rowBytes})
			}
			return list
		},
		done: func(c driver.Completion) error {
			var inputs []int
			for i, popular := range b.popular {
				if !popular {
					inputs = append(inputs, i)
				}
			}
			hot, k := 0, 0
			for group := range slices.Chunk(inputs, arch.Small().Geometry().Group(m.rowBytes)) {
				hot = m.pool(b, group, k, hot)
				k += len(group)
			}
			return values(c, hot, k*slots-hot)
		},
	}
}

// pool records the expected vectors of a group of inputs, which begins at vector k. The accelerator
// reads hot rows slot by slot, alternately from each GPU. hot is the number of hot rows before the
// group; pool returns the number after it.
func (m *machine) pool(b *batch, group []int, k, hot int) int {
	sums := make([][tables][]float32, len(group))
	for s := range slots {
		for n, i := range group {
			t, index := tableOf[s], int(b.words[i*slots+s])
			from := m.tables[t]
			if block, ok := b.blocks[id(t, index)]; ok {
				from, index = m.gpu[hot%gpus].hot, int(block)
				hot++
			}
			row := m.vector(from, index)
			if sums[n][t] == nil {
				sums[n][t] = row
				continue
			}
			for e, x := range row {
				sums[n][t][e] += x
			}
		}
	}
	for n, of := range sums {
		for t, sum := range of {
			m.put(m.gpu[(k+n)%gpus].pooled, (k+n)/gpus*tables+t, sum)
		}
	}
	return hot
}

// update returns a job that applies gradients to random unused rows. Their list is in entry k of
// the update lists.
func (m *machine) update(k, half int, used map[uint32]bool) *job {
	var rows []part
	var list []byte
	for range 1 + m.rng.IntN(mostRows) {
		t, i := m.rng.IntN(tables), m.rng.IntN(tableRows)
		if used[id(t, i)] {
			continue
		}
		used[id(t, i)] = true
		rows = append(rows, m.row(m.tables[t], i))
		list = binary.LittleEndian.AppendUint32(list, uint32(t))
		list = binary.LittleEndian.AppendUint32(list, uint32(i))
	}
	if len(rows) == 0 {
		return m.nothing(driver.Fence())
	}
	at := k * mostRows * arch.UpdateBytes
	if err := m.lists.store(at, list); err != nil {
		panic(err) // the area is large enough
	}
	m.held[half] = nil
	return &job{
		commands: []arch.Command{driver.Update(half, m.lists.Address()+uint64(at), len(rows))},
		written:  func() []part { return rows },
		done: func(c driver.Completion) error {
			for k, r := range rows {
				row, grad := m.vector(r.area, r.at/m.rowBytes), m.vector(m.gpu[k%gpus].grad, k/gpus)
				for e := range row {
					row[e] += float32(m.scale * grad[e])
				}
				m.put(r.area, r.at/m.rowBytes, row)
			}
			return values(c, len(rows), 0)
		},
	}
}

// rows returns a job that combines several rows of host memory and of GPUs with one command each.
// It writes the result to row k of a scratch area.
func (m *machine) rows(k int, used map[uint32]bool) *job {
	j := &job{rows: true}
	var sum []float32
	n := 1 + m.rng.IntN(4)
	read := make([][]float32, n)
	for i := range read {
		t, row, g, block := m.rng.IntN(tables), m.rng.IntN(tableRows), m.rng.IntN(gpus), m.rng.IntN(sizes.Blocks)
		if used[id(t, row)] || m.rng.IntN(2) == 0 {
			j.commands = append(j.commands, driver.GPURead(g, uint64(block)))
			read[i] = m.vector(m.gpu[g].hot, block)
			continue
		}
		used[id(t, row)] = true
		j.commands = append(j.commands, driver.DMARead(m.tables[t].Address()+uint64(row*m.rowBytes), uint64(m.rowBytes)))
		read[i] = m.vector(m.tables[t], row)
	}
	for i, row := range read {
		switch {
		case i > 0:
			j.commands = append(j.commands, driver.VAdd(false))
			for e, x := range row {
				sum[e] += x
			}
		case m.rng.IntN(2) == 0:
			j.commands = append(j.commands, driver.VAdd(true))
			sum = slices.Clone(row)
		default:
			j.commands = append(j.commands, driver.VMul(-0.375))
			for _, x := range row {
				sum = append(sum, x*-0.375)
			}
		}
	}
	to := m.row(m.scratch[m.rng.IntN(len(m.scratch))], k)
	j.commands = append(j.commands, driver.DMAWrite(to.Address()+uint64(to.at), uint64(m.rowBytes)))
	j.written = func() []part { return []part{to} }
	j.done = func(driver.Completion) error {
		m.put(to.area, k, sum)
		return nil
	}
	return j
}

// readHotSet returns a job that lists the hot rows of the sets that have changed. The hot rows are
// the learned rows, each in a block of its own.
func (m *machine) readHotSet() *job {
	return &job{
		commands: []arch.Command{driver.HotSet(m.entries.Address())},
		written:  func() []part { return []part{{m.entries, 0, ceil(8*len(m.changed()), 64) * 64}} },
		done: func(c driver.Completion) error {
			changed := m.changed()
			p := make([]byte, ceil(8*len(changed), 64)*64)
			if err := m.entries.Read(0, p); err != nil {
				return err
			}
			m.entries.expect(0, p)
			found, taken, le := maps.Clone(m.blocks), map[uint32]bool{}, binary.LittleEndian
			for i := range len(changed) {
				row, block := le.Uint32(p[8*i:]), le.Uint32(p[8*i+4:])
				if was, ok := found[row]; ok && was != block {
					return fmt.Errorf("row id %d is in block %d, expected %d as before", row, block, was)
				}
				if !changed[row] {
					return fmt.Errorf("row id %d is listed, and its set has not changed", row)
				}
				found[row] = block
			}
			for _, block := range found {
				taken[block] = true
			}
			if len(found) != len(m.learned) || len(taken) != len(found) {
				return fmt.Errorf("%d hot rows in %d blocks, expected %d in as many", len(found), len(taken), len(m.learned))
			}
			m.blocks, m.listed = found, true
			return values(c, len(changed), 0)
		},
	}
}

// changed returns the rows of the sets that have gained rows in this learning epoch.
func (m *machine) changed() map[uint32]bool {
	sets, rows := map[eal.Place]bool{}, map[uint32]bool{}
	for row := range m.learned {
		if !m.before[row] {
			sets[set(row)] = true
		}
	}
	for row := range m.learned {
		if sets[set(row)] {
			rows[row] = true
		}
	}
	return rows
}

// set returns the set of a row, as a place without a tag.
func set(row uint32) eal.Place {
	at := eal.PlaceOf(sizes, randomizer.Permute(sizes.IDBits(), row))
	return eal.Place{Bank: at.Bank, Set: at.Set}
}
