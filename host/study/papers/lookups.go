package papers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// perSweep is how many inputs a mini-batch has that the accelerator learns from in studies.
const perSweep = 4096

// withBlocks is the accelerator of the paper with so many blocks in its EAL, and as many rows that
// it can tell apart.
func withBlocks(n int) arch.Params {
	p := arch.Paper()
	p.TagBits += arch.Log2(p.Blocks) - arch.Log2(n)
	p.Blocks = n
	return p
}

// words gives what the accelerator looks up for inputs, mini-batch after mini-batch.
type words struct {
	bases []uint32 // ids of row 0 of the table of each lookup of an input
	next  func(inputs int) ([]uint32, error)
	close func() error
}

// wordsOf reads the inputs of a source from one on. Behind its end there is an error.
func wordsOf(source data.Source, from int64) (words, error) {
	var bases []uint32
	for range max(1, source.Shape().Steps) {
		base := uint32(0)
		for _, t := range source.Shape().Tables {
			for range t.Lookups {
				bases = append(bases, base)
			}
			base += uint32(t.Rows)
		}
	}
	r, err := source.Open(from)
	if err != nil {
		return words{}, err
	}
	return words{bases, func(inputs int) (list []uint32, err error) {
		var b dlrm.Batch
		if err := r.Read(&b, inputs); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		for i := range b.Len() {
			list = append(list, b.At(i).Sparse...)
		}
		if list == nil {
			return nil, fmt.Errorf("%s: it has too few inputs for studies, which take up to 9,000", source.Name())
		}
		return list, nil
	}, r.Close}, nil
}

// uniform are rows of tables, each as likely as any other.
func uniform(tables int) words {
	r := detmath.NewStream(Seed)
	return words{make([]uint32, tables), func(inputs int) ([]uint32, error) {
		list := make([]uint32, inputs*tables)
		for i := range list {
			list[i] = uint32(r.Uint64() >> 33)
		}
		return list, nil
	}, func() error { return nil }}
}

// ids are those of the rows of words.
func (w words) ids(list []uint32) []uint32 {
	ids := slices.Clone(list)
	for i := range ids {
		ids[i] += w.bases[i%len(w.bases)]
	}
	return ids
}

// rate is how many words the accelerator classifies in a cycle of a sweep over so many inputs, with
// caches that have answered another such sweep.
func (w words) rate(p arch.Params, caches bool, inputs int) (float64, error) {
	engines, rate := functional.NewLookups(p, caches), 0.
	for range 2 {
		list, err := w.next(inputs)
		if err != nil {
			return 0, err
		}
		rate = engines.Sweep(list, w.bases, nil).Rate()
	}
	return rate, w.close()
}

// learned is an EAL that has learned, and how often each row was read meanwhile.
type learned struct {
	tracker *eal.Tracker
	bits    int
	reads   map[uint32]int // by id
}

// learn lets the accelerator learn inputs from the first one on. Unless merged, each lookup has
// its turn, in their order, as no accelerator does it.
func learn(source data.Source, p arch.Params, inputs int, merged bool) (learned, error) {
	x := learned{eal.NewTracker(p), p.IDBits(), map[uint32]int{}}
	w, err := wordsOf(source, 0)
	if err != nil {
		return x, err
	}
	engines := functional.NewLookups(p, true)
	for ; inputs > 0; inputs -= perSweep {
		list, err := w.next(min(inputs, perSweep))
		if err != nil {
			return x, err
		}
		if merged {
			engines.Sweep(list, w.bases, x.tracker)
		}
		for _, id := range w.ids(list) {
			x.reads[id]++
			if !merged {
				x.tracker.Access(x.key(id))
			}
		}
	}
	return x, w.close()
}

func (x learned) key(id uint32) uint32 { return randomizer.Permute(x.bits, id) }

// holds tells whether the EAL has a row.
func (x learned) holds(id uint32) bool {
	hit, _ := x.tracker.Probe(x.key(id))
	return hit
}

// most are the rows that were read most, as many as an oracle keeps that knows all reads.
func (x learned) most(n int) []uint32 {
	ids := make([]uint32, 0, len(x.reads))
	for id := range x.reads {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uint32) int { return cmp.Or(cmp.Compare(x.reads[b], x.reads[a]), cmp.Compare(a, b)) })
	return ids[:min(n, len(ids))]
}

// popular is the percentage of inputs of a source, from one on, of which hot says that all rows are.
func popular(source data.Source, from, inputs int, hot func(id uint32) bool) (float64, error) {
	w, err := wordsOf(source, int64(from))
	if err != nil {
		return 0, err
	}
	list, err := w.next(inputs)
	if err != nil {
		return 0, err
	}
	n, all := 0, 0
	for input := range slices.Chunk(w.ids(list), len(w.bases)) {
		if all++; !slices.ContainsFunc(input, func(id uint32) bool { return !hot(id) }) {
			n++
		}
	}
	return 100 * float64(n) / float64(all), w.close()
}
