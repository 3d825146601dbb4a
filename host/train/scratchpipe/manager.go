package scratchpipe

import "fmt"

// manager plans for one table which rows are in which slots. What it knows is ahead of the
// slots: a row is in its slot once Insert has been there.
type manager struct {
	hitMap map[uint32]int // slots by row
	rows   []uint32       // of the slots that have been taken
	slots  int
	past   int
	// until is the latest mini-batch known to read the row of a slot. The slot is held if
	// that is in the window, which is what a mask with a bit for each mini-batch of the
	// window says if any bit is set.
	until []int
	came  []int         // the mini-batch for which the row of a slot came
	turns map[int][]int // slots by mini-batch that is planned and in the window
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

// planned is what Plan decides for a table.
type planned struct {
	slots  map[uint32]int // of all rows that are read
	fills  []place        // those of them that come
	leaves []place        // rows that make room for them
	hits   int            // lookups of rows that do not come
}

// look holds the rows in slots that a mini-batch reads which enters the window.
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

// plan gives each row that a mini-batch reads a slot. Those that have one are held since the
// mini-batch was looked at, so that no slot is taken for another row of it. Mini-batches are
// planned one after the other. The error is that all slots are held.
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

// release lets the rows leave of a mini-batch that has left the window, unless another one
// reads them.
func (m *manager) release(gone int) {
	for _, slot := range m.turns[gone] {
		if m.until[slot] == gone {
			m.free.release(slot)
		}
	}
	delete(m.turns, gone)
}

// fill takes a slot for a row that has none: an empty one, as long as there are any.
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

// held is the number of slots whose rows must stay.
func (m *manager) held() int { return len(m.rows) - m.free.Len() }
