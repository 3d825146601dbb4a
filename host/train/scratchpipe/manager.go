package scratchpipe

import "fmt"

// manager plans for one table which rows are in which slots. Its state is ahead of the slots: a row
// is in its slot only after Insert.
type manager struct {
	hitMap map[uint32]int // slots by row
	rows   []uint32       // rows of the slots used so far
	slots  int
	past   int
	// until is the latest mini-batch known to read the row of a slot. The slot is held while this
	// mini-batch is in the window. This is equivalent to a mask with one bit per mini-batch of the
	// window.
	until []int
	came  []int         // the mini-batch for which the row of a slot arrived
	turns map[int][]int // slots by planned mini-batch in the window
	free  *evictable
}

func newManager(policy string, slots, table, past int) *manager {
	return &manager{hitMap: map[uint32]int{}, slots: slots, past: past, until: make([]int, slots), came: make([]int, slots), turns: map[int][]int{}, free: newEvictable(policy, slots, table)}
}

// place is a row and its slot.
type place struct {
	row  uint32
	slot int
}

// planned is Plan's decision for a table.
type planned struct {
	slots  map[uint32]int // of all rows that are read
	fills  []place        // rows that arrive
	leaves []place        // rows that leave to free their slots
	hits   int            // lookups of rows that were already in slots
}

// look holds the slots of rows that a mini-batch reads when it enters the window.
func (m *manager) look(batch int, rows []uint32) {
	for _, row := range rows {
		if slot, ok := m.hitMap[row]; ok {
			m.hold(slot, batch)
		}
	}
}

func (m *manager) hold(slot, batch int) {
	m.free.hold(slot)
	m.until[slot] = max(m.until[slot], batch)
}

// plan assigns a slot to each row that a mini-batch reads. Rows that have a slot have been held
// since look, so no slot is taken for another row of the same mini-batch. Mini-batches must be
// planned in order. It returns an error if all slots are held.
func (m *manager) plan(batch int, rows []uint32) (planned, error) {
	m.release(batch - m.past - 1)
	p := planned{slots: map[uint32]int{}}
	for _, row := range rows {
		slot, ok := m.hitMap[row]
		if !ok {
			var err error
			if slot, err = m.fill(batch, row, &p); err != nil {
				return p, err
			}
		}
		if m.came[slot] != batch {
			p.hits++
		}
		if _, ok := p.slots[row]; !ok {
			p.slots[row] = slot
			m.hold(slot, batch)
			m.free.use(slot)
			m.turns[batch] = append(m.turns[batch], slot)
		}
	}
	return p, nil
}

// release allows the rows of a mini-batch that has left the window to leave, unless another
// mini-batch reads them.
func (m *manager) release(gone int) {
	for _, slot := range m.turns[gone] {
		if m.until[slot] == gone {
			m.free.release(slot)
		}
	}
	delete(m.turns, gone)
}

// fill assigns a slot to a row that has none. It prefers empty slots.
func (m *manager) fill(batch int, row uint32, p *planned) (slot int, err error) {
	slot = len(m.rows)
	switch {
	case slot < m.slots:
		m.rows = append(m.rows, 0)
	case m.free.Len() == 0:
		return 0, fmt.Errorf("all %d slots are held by mini-batches from %d on", m.slots, batch-m.past)
	default:
		slot = m.free.take()
		p.leaves = append(p.leaves, place{m.rows[slot], slot})
		delete(m.hitMap, m.rows[slot])
	}
	m.hitMap[row], m.rows[slot], m.until[slot], m.came[slot] = slot, row, batch, batch
	m.free.begin(slot)
	p.fills = append(p.fills, place{row, slot})
	return slot, nil
}

// held returns the number of slots whose rows must stay.
func (m *manager) held() int { return len(m.rows) - m.free.Len() }
