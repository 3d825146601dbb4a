package cdlrm

import (
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// places maps rows to their places in the victim table of a GPU.
type places map[key]int

// fetchVictims copies the rows of a mini-batch that are not cached to the victim tables of the GPUs
// whose inputs read them. It returns the number of lookups of cached rows.
func (s *System) fetchVictims(batch dlrm.Batch) (hits int, err error) {
	s.victims = make([]places, len(s.gpu))
	for g := range s.victims {
		s.victims[g] = places{}
	}
	eachLookup(s.model.Bags(), batch, func(input int, k key) {
		if slot, _ := s.occupied[k.table()].find(k.index()); slot != nil {
			hits++
			return
		}
		own := s.victims[input%len(s.gpu)] // inputs are dealt round-robin
		if _, there := own[k]; !there {
			own[k] = len(own)
		}
	})
	for g, own := range s.victims {
		s.counts.fetched += int64(len(own))
		s.own.Victims += len(own)
		if err := s.fetch(g, own); err != nil {
			return 0, err
		}
	}
	return hits, nil
}

// fetch reads the victims of a GPU from CPU memory.
func (s *System) fetch(g int, own places) error {
	if s.Cluster.Valueless() {
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(own)) {
		if err := s.Tables.Read(k.table(), k.index(), s.row); err != nil {
			return err
		}
		if err := s.writeVictim(g, own[k], s.row); err != nil {
			return err
		}
	}
	return nil
}

// updateVictim updates all copies of a row by its gradient over all inputs, and writes it back to
// CPU memory. The released program does not write it back.
func (s *System) updateVictim(r dlrm.RowGrad) error {
	k := keyOf(r.Table, r.Index)
	if s.opts.Released {
		s.counts.lost++
	} else {
		s.counts.flushed++
		s.own.Flushed++
		s.versions.host[k]++
	}
	if s.Cluster.Valueless() {
		return nil
	}
	holder := 0
	for g, own := range s.victims {
		place, there := own[k]
		if !there {
			continue
		}
		holder = g
		if err := s.readVictim(g, place, s.row); err != nil {
			return err
		}
		dlrm.UpdateRow(s.row, r.Grad, -s.model.LearningRate)
		if err := s.writeVictim(g, place, s.row); err != nil {
			return err
		}
	}
	if s.opts.Released {
		return nil
	}
	if err := s.readVictim(holder, s.victims[holder][k], s.row); err != nil {
		return err
	}
	return s.Tables.Write(r.Table, r.Index, s.row)
}
