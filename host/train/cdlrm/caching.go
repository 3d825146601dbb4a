package cdlrm

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// store names the caches in a watch.
const store = "embedding caches"

// cache copies the rows of a window from the queue into the caches of all GPUs.
func (s *System) cache(w *window) error {
	s.counts.windows++
	s.counts.listed += int64(len(w.rows))
	for _, c := range s.choose(w, s.pin(w)) {
		if err := s.evict(c); err != nil {
			return err
		}
		if err := s.insert(w, c); err != nil {
			return err
		}
	}
	return nil
}

// pin pins the cached rows of a window, and returns the places of the other rows.
func (s *System) pin(w *window) (misses []int) {
	for place, r := range w.rows {
		if slot, _ := s.occupied[r.table()].find(r.index()); slot != nil {
			slot.pinned = w.first
			s.counts.hits++
		} else {
			misses = append(misses, place)
		}
	}
	return misses
}

// choice is a row of a window that gets a slot.
type choice struct {
	place  int // in the queue
	key    key
	way    int
	number int // of the slot
	lot    uint64
}

// choose samples, for each row, one of the ways of its set that are not pinned. Rows choose
// concurrently, so several rows may choose the same way. The row with the lowest lot gets the way;
// the other rows are victims. Rows without an unpinned way are victims, too.
func (s *System) choose(w *window, misses []int) (winners []choice) {
	best := map[int]choice{} // by slot
	for _, place := range misses {
		k := w.rows[place].key
		o := &s.occupied[k.table()]
		ways := o.unpinned(k.index(), w.first)
		if len(ways) == 0 {
			continue
		}
		c := choice{place: place, key: k, lot: detmath.Hash(s.seed, uint64(w.first), uint64(k))}
		c.way = ways[c.lot%uint64(len(ways))]
		c.number = o.number(k.index(), c.way)
		if other, taken := best[c.number]; !taken || c.lot < other.lot {
			best[c.number] = c
		}
	}
	for _, c := range best {
		winners = append(winners, c)
	}
	slices.SortFunc(winners, func(a, b choice) int { return cmp.Compare(a.number, b.number) })
	return winners
}

// evict writes the row of a slot, if there is one, back to CPU memory.
func (s *System) evict(c choice) error {
	slot := s.occupied[c.key.table()].way(c.key.index(), c.way)
	if !slot.full {
		return nil
	}
	s.counts.evicted++
	s.own.Evicted++
	s.versions.host[keyOf(c.key.table(), slot.index)] = slot.updates
	if s.Cluster.Valueless() {
		return nil
	}
	if err := s.readCache(0, c.number, s.row); err != nil {
		return err
	}
	return s.Tables.Write(c.key.table(), slot.index, s.row)
}

// insert writes a row into its slot on all GPUs.
func (s *System) insert(w *window, c choice) error {
	table, index := c.key.table(), c.key.index()
	updates, err := s.newest(w, c.place)
	if err != nil {
		return err
	}
	*s.occupied[table].way(index, c.way) = slot{full: true, index: index, pinned: w.first, updates: updates}
	s.Cluster.Watch.Keep(store, c.number, table, index)
	s.counts.cached++
	s.own.Cached++
	if s.Cluster.Valueless() {
		return nil
	}
	return s.broadcast(c.number)
}

// broadcast writes the current row into a slot of GPU 0, which sends it to the other GPUs.
func (s *System) broadcast(number int) error {
	if err := s.writeCache(0, number, s.row); err != nil {
		return err
	}
	for g := 1; g < len(s.gpu); g++ {
		if err := s.gpu[0].caches.Send(number*s.rowBytes(), s.row); err != nil {
			return err
		}
		if err := s.writeCache(g, number, s.row); err != nil {
			return err
		}
	}
	return nil
}

// newest reads a row from the queue, or again from CPU memory if the copy there is newer. It
// returns the number of updates in the row. The released program always uses the queue.
func (s *System) newest(w *window, place int) (updates uint32, err error) {
	r := w.rows[place]
	old := r.updates < s.versions.host[r.key]
	again := old && !s.opts.Released
	switch {
	case again:
		r.updates = s.versions.host[r.key]
		s.counts.again++
		s.own.Again++
	case old:
		s.counts.old++
	}
	switch {
	case s.Cluster.Valueless():
	case again:
		err = s.Tables.Read(r.table(), r.index(), s.row)
	default:
		err = s.readQueue(w.half, place, s.row)
	}
	return r.updates, err
}
