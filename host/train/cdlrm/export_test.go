package cdlrm

import "github.com/hotline-rtl/hotline/host/train"

// Faults for tests of the watch, and inspection.

// Cached reports whether a row is cached.
func (s *System) Cached(table int, index uint32) bool {
	slot, _ := s.occupied[table].find(index)
	return slot != nil
}

// Forget frees a row's slot without writing the row back to CPU memory.
func (s *System) Forget(table int, index uint32) {
	slot, _ := s.occupied[table].find(index)
	slot.full = false
}

// EvictEarly evicts a row, even if it is pinned.
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

// Misplace moves the latest update of a row from the caches to CPU memory.
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
