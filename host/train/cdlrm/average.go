package cdlrm

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// average replaces, on all GPUs, the slots that the GPUs have updated separately by their average.
// With a lambda of 1 there are no such slots, because the GPUs exchange gradients.
func (s *System) average() error {
	if len(s.gpu) == 1 {
		return nil
	}
	s.counts.averaged++
	s.own.Averaged = true
	s.Cluster.Ledger().Averaged()
	defer clear(s.apart)
	if s.Cluster.Valueless() {
		return nil
	}
	for _, number := range slices.Sorted(maps.Keys(s.apart)) {
		if err := s.mean(number, s.row); err != nil {
			return err
		}
		for g := range s.gpu {
			if err := s.gpu[g].caches.Deliver(number*s.rowBytes(), s.row); err != nil {
				return err
			}
		}
	}
	return nil
}

// mean writes the average of a slot over all GPUs to dst, summed in double precision and rounded
// once.
func (s *System) mean(number int, dst []float32) error {
	sum, row := make([]float64, len(dst)), make([]float32, len(dst))
	for g := range s.gpu {
		if err := s.inspectCache(g, number, row); err != nil {
			return err
		}
		for i, v := range row {
			sum[i] += float64(v)
		}
	}
	for i, v := range sum {
		dst[i] = float32(v / float64(len(s.gpu)))
	}
	return nil
}

// Row implements train.System. It reads a cached row from all GPUs. If the GPUs have updated the
// row separately since the last average, Row returns the average; otherwise it returns an error if
// their values differ.
func (s *System) Row(table int, index uint32, dst []float32) error {
	slot, number := s.occupied[table].find(index)
	if slot == nil {
		return s.Tables.Read(table, index, dst)
	}
	if _, ok := s.apart[number]; ok {
		return s.mean(number, dst)
	}
	if err := s.readCache(0, number, dst); err != nil {
		return err
	}
	return s.checkAlike(table, index, number, dst)
}

// checkAlike returns an error if the caches of a GPU do not hold want, the value on GPU 0.
func (s *System) checkAlike(table int, index uint32, number int, want []float32) error {
	row := make([]float32, len(want))
	for g := 1; g < len(s.gpu); g++ {
		if err := s.inspectCache(g, number, row); err != nil {
			return err
		}
		if e := dlrm.FirstDiff(want, row); e >= 0 {
			return fmt.Errorf("cdlrm: cached row %d of table %d (%q), slot %d: GPU %d has %v in element %d, GPU 0 has %v",
				index, table, s.model.Tables[table].Name, number, g, row[e], e, want[e])
		}
	}
	return nil
}
