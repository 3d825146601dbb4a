package cdlrm

import "github.com/hotline-rtl/hotline/host/train"

// Faults for tests of the watch, and what they look at.

// Cached tells whether a row is cached.
func (s *System) Cached(table int, index uint32) bool {
	slot, _ := s.occupied[table].find(index)
	return slot != nil
}

// Forget takes a row's slot without bringing the row back to CPU memory.
func (s *System) Forget(table int, index uint32) {
	slot, _ := s.occupied[table].find(index)
	slot.full = false
}

// EvictEarly evicts a row, whether it is pinned or not.
func (s *System) EvictEarly(w train.Watch, table int, index uint32) error {
	slot, number := s.occupied[table].find(index)
	if err := s.readCache(0, number, s.row); err != nil {
		return err
	}
	slot.full = false
	s.versions.host[keyOf(table, index)] = slot.updates
	w.Drop(store, number)
	return s.Tables.Write(table, index, s.row)
}

// Misplace has the latest update of a row made in CPU memory in place of the caches,
// where it was before.
func (s *System) Misplace(table int, index uint32, before []float32) error {
	_, number := s.occupied[table].find(index)
	if err := s.readCache(0, number, s.row); err != nil {
		return err
	}
	if err := s.Tables.Write(table, index, s.row); err != nil {
		return err
	}
	for g := range s.gpu {
		if err := s.writeCache(g, number, before); err != nil {
			return err
		}
	}
	return nil
}

// Spoil changes a cached row on the last GPU.
func (s *System) Spoil(table int, index uint32) error {
	_, number := s.occupied[table].find(index)
	return s.writeCache(len(s.gpu)-1, number, make([]float32, s.model.Dim))
}
