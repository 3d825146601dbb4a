package oracle

import "fmt"

// Knowledge about a row, instead of a block number.
const (
	hotSomewhere = -1
	cold         = -2
)

// hotSet is the knowledge about the hot rows between two learn commands.
type hotSet struct {
	o        *Oracle
	rows     map[uint32]int // block number, hotSomewhere or cold; missing rows are unknown
	blocks   map[int]uint32
	complete bool // missing rows are cold
}

func newHotSet(o *Oracle) *hotSet {
	return &hotSet{o: o, rows: map[uint32]int{}, blocks: map[int]uint32{}}
}

// state returns the knowledge about a row.
func (h *hotSet) state(id uint32) (state int, known bool) {
	if s, ok := h.rows[id]; ok {
		return s, true
	}
	return cold, h.complete || !h.o.learned[id]
}

// isCold records that a row is cold. It returns an error if the row is known to be hot.
func (h *hotSet) isCold(id uint32) error {
	if s, known := h.state(id); known && s != cold {
		return fmt.Errorf("row id %#x is cold, but was hot (block %d) before", id, s)
	}
	h.rows[id] = cold
	return nil
}

// isHot records that a row is hot, in a block or hotSomewhere. It returns an error if that
// contradicts earlier observations.
func (h *hotSet) isHot(id uint32, block int) error {
	s, known := h.state(id)
	switch {
	case !h.o.learned[id]:
		return fmt.Errorf("row id %#x is hot, but was never learned", id)
	case known && s == cold:
		return fmt.Errorf("row id %#x is hot, but was cold before", id)
	case block == hotSomewhere:
		if !known {
			h.rows[id] = block
		}
		return nil
	case known && s >= 0 && s != block:
		return fmt.Errorf("row id %#x is in block %d, but was in block %d before", id, block, s)
	case block >= h.o.p.Blocks || uint64(block/h.o.p.Ways) != h.o.set(id):
		return fmt.Errorf("row id %#x is in block %d, but its set is %d", id, block, h.o.set(id))
	}
	if other, ok := h.blocks[block]; ok && other != id {
		return fmt.Errorf("row ids %#x and %#x are both in block %d", id, other, block)
	}
	h.rows[id], h.blocks[block] = block, id
	return nil
}

// input records whether an input with these rows is popular.
func (h *hotSet) input(ids []uint32, popular bool) error {
	if popular {
		for _, id := range ids {
			if err := h.isHot(id, hotSomewhere); err != nil {
				return fmt.Errorf("an input is popular: %w", err)
			}
		}
		return nil
	}
	unknown := map[uint32]bool{}
	for _, id := range ids {
		switch s, known := h.state(id); {
		case !known:
			unknown[id] = true
		case s == cold:
			return nil
		}
	}
	if len(unknown) == 0 {
		return fmt.Errorf("an input is not popular, but its rows %x are all hot", ids)
	}
	for id := range unknown {
		if len(unknown) == 1 {
			return h.isCold(id)
		}
	}
	return nil
}

// epoch is a learning epoch: the hot rows at its beginning, and the rows learned since.
type epoch struct {
	before  map[uint32]int // blocks of rows
	learned map[uint32]bool
	read    map[uint32]int // blocks of all hot rows; nil if the hot set was not read out
}

// learn begins a new epoch if the hot set was read out.
func (s *epoch) learn() {
	if s.read != nil {
		*s = epoch{before: s.read, learned: map[uint32]bool{}}
	}
}

// readOut records a hot set, which lists the rows of the sets that have changed in this epoch.
func (o *Oracle) readOut(entries map[uint32]int) error {
	s, hot, listed := &o.epoch, map[uint32]int{}, map[uint64]bool{}
	for id, block := range entries {
		hot[id], listed[o.set(id)] = block, true
	}
	for id, block := range s.before {
		if !listed[o.set(id)] {
			hot[id] = block
		}
	}
	changed := map[uint64]bool{}
	for id := range s.learned {
		changed[o.set(id)] = true
		if _, was := s.before[id]; !was && !listed[o.set(id)] {
			return fmt.Errorf("row id %#x was learned and not hot before, but its set is not listed", id)
		}
	}
	for set := range listed {
		if !changed[set] {
			return fmt.Errorf("set %d is listed, but no row of it was learned since it was", set)
		}
	}
	if err := o.hot.all(hot); err != nil {
		return err
	}
	s.read = hot
	return nil
}

// all records that the hot rows are exactly these entries.
func (h *hotSet) all(entries map[uint32]int) error {
	for id, block := range entries {
		if err := h.isHot(id, block); err != nil {
			return err
		}
	}
	for id, s := range h.rows {
		if _, ok := entries[id]; s != cold && !ok {
			return fmt.Errorf("row id %#x is not in the hot set, but was hot before", id)
		}
	}
	sets := map[uint64]bool{}
	for id := range entries {
		sets[h.o.set(id)] = true
	}
	for id := range h.o.learned {
		if !sets[h.o.set(id)] {
			return fmt.Errorf("row id %#x was learned, but its set is empty", id)
		}
	}
	h.complete = true
	return nil
}

// set returns the set of a row in the EAL. The number of a block consists of its set and its way.
func (o *Oracle) set(id uint32) uint64 {
	return feistel(o.p.IDBits()).forward(id) & uint64(o.p.Sets()-1)
}
