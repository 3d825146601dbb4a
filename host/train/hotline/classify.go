package hotline

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// staging is the state of the mini-batches in the two eDRAM halves. Mini-batch m uses half m mod 2.
type staging struct {
	batch   [2]int    // the mini-batch whose words are in the area; -1 for none
	popular [2]uint32 // number of popular inputs, counted by the accelerator
}

// stage writes the words of mini-batch m to the area of its half, unless they are already there. It
// returns the number of inputs.
func (h *System) stage(from *train.Batches, m int) (inputs int, err error) {
	batch, err := from.At(m)
	if half := m % 2; err == nil && h.staging.batch[half] != m {
		h.staging.batch[half] = m
		err = h.writeWords(half, batch)
	}
	return batch.Len(), err
}

// writeWords writes the words of inputs to an area.
func (h *System) writeWords(area int, batch dlrm.Batch) error {
	return h.words[area].WriteUint32s(0, batch.Sparse)
}

// classify submits the classification of mini-batch m.
func (h *System) classify(m int) error {
	inputs, err := h.stage(h.batches, m)
	if err != nil {
		return err
	}
	half := m % 2
	c := driver.Classify(half, h.words[half].Address(), inputs, h.bitmap[half].Address())
	return h.submit(c, func(got driver.Completion, took des.Time) {
		h.next.commands.Classify = took
		h.staging.popular[half] = got.Value0
		h.counts.lookups += int64(got.Value1)
		h.claim(got, h.bitmaps(half, inputs))
	})
}

// split divides a mini-batch into the numbers of its popular and its non-popular inputs.
type split struct{ popular, others []int }

// split returns the popular and non-popular inputs of mini-batch m. It checks the accelerator's
// bitmaps, in host memory and in every mailbox, against the hot set.
func (h *System) split(m int, batch dlrm.Batch) (split, error) {
	half := m % 2
	var s split
	bitmap := h.drv.Geometry().NewBitmap(batch.Len())
	for i := range batch.Len() {
		if h.allHot(batch.At(i)) {
			bitmap.Add(i)
			s.popular = append(s.popular, i)
		} else {
			s.others = append(s.others, i)
		}
	}
	if err := checkBitmap(h.bitmap[half], "host memory", bitmap, batch.Len()); err != nil {
		return split{}, err
	}
	for g := range h.gpu {
		if err := checkBitmap(h.gpu[g].mailbox, fmt.Sprintf("the mailbox of GPU %d", g), bitmap, batch.Len()); err != nil {
			return split{}, err
		}
	}
	if got := int(h.staging.popular[half]); got != len(s.popular) {
		return split{}, wrong("hotline: the accelerator counts %d popular inputs, its bitmap has %d", got, len(s.popular))
	}
	h.counts.popular += int64(len(s.popular))
	h.counts.inputs += int64(batch.Len())
	return s, nil
}

// checkBitmap returns an error for the first bit of the accelerator's bitmap of n inputs that
// differs from want.
func checkBitmap(at *server.Region, place string, want arch.Bitmap, n int) error {
	got := make(arch.Bitmap, len(want))
	if err := at.Read(0, got); err != nil {
		return err
	}
	for i := range 8 * len(want) {
		switch popular := got.Has(i); {
		case popular == want.Has(i):
		case i < n:
			return wrong("hotline: the popularity bitmap in %s says of input %d that it is popular: %v, but its rows are all hot: %v", place, i, popular, !popular)
		default:
			return wrong("hotline: the popularity bitmap in %s says of input %d that it is popular, but there are %d inputs", place, i, n)
		}
	}
	return nil
}

func (h *System) allHot(in dlrm.Sample) bool {
	hot := true
	h.eachSlot(func(slot, _, table int, _, _ bool) {
		if hot {
			_, hot = h.hot[h.ids.of(table, in.Sparse[slot])]
		}
	})
	return hot
}
