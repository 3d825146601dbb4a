package hotline

import (
	"bytes"
	"fmt"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
)

// staging is what is known of the mini-batches in the two eDRAM halves; number
// m belongs to half m mod 2.
type staging struct {
	batch   [2]int // whose words are in the area; -1 for none
	ready   [2]node.Time
	popular [2]uint32 // as the accelerator counted
}

// stage lets the CPU put the words of mini-batch m into the area of its half,
// unless they are there.
func (h *System) stage(m int) error {
	half, st := m%2, &h.staging
	if st.ready[half] > 0 && st.batch[half] == m {
		return nil
	}
	if err := h.writeWords(half, h.batches.At(m)); err != nil {
		return err
	}
	size := len(h.batches.At(m)) * h.model.Lookups() * wordBytes
	_, st.ready[half] = h.s.CPU.Acquire("stage mini-batch", h.s.Config.Machine.CPUStreamTime(size))
	st.batch[half] = m
	return nil
}

// writeWords writes the words of inputs to an area.
func (h *System) writeWords(area int, batch []rec.Sample) error {
	size := h.model.Lookups() * wordBytes
	for i, in := range batch {
		if err := h.words[area].WriteUint32s(i*size, in.Sparse); err != nil {
			return err
		}
	}
	return nil
}

// classify submits mini-batch m as soon as it is staged.
func (h *System) classify(m int) error {
	if err := h.stage(m); err != nil {
		return err
	}
	half := m % 2
	if err := h.s.Kernel.RunTo(max(h.staging.ready[half], h.s.Kernel.Now())); err != nil {
		return err
	}
	c := driver.Classify(half, h.words[half].Address(), len(h.batches.At(m)), h.bitmap[half].Address())
	return h.submit(c, func(got driver.Completion) {
		h.staging.popular[half] = got.Value0
		h.counts.lookups += int64(got.Value1)
	})
}

// split is a mini-batch in its two parts: the numbers of its popular and of its
// other inputs.
type split struct{ popular, others []int }

// split reads what the accelerator found out about mini-batch m, in host memory
// and in every mailbox, and checks it against the hot set.
func (h *System) split(m int) (split, error) {
	batch, half := h.batches.At(m), m%2
	bitmap := make([]byte, bitmapBytes(h.drv.Geometry(), len(batch)))
	if err := h.bitmap[half].Read(0, bitmap); err != nil {
		return split{}, err
	}
	if err := h.checkMailboxes(bitmap); err != nil {
		return split{}, err
	}
	var s split
	for i, in := range batch {
		popular := bitmap[i/8]>>(i%8)&1 != 0
		if popular != h.allHot(in) {
			return split{}, fmt.Errorf("hotline: the accelerator classifies input %d as popular: %v, but its rows are all hot: %v", i, popular, !popular)
		}
		if popular {
			s.popular = append(s.popular, i)
		} else {
			s.others = append(s.others, i)
		}
	}
	if got := int(h.staging.popular[half]); got != len(s.popular) {
		return split{}, fmt.Errorf("hotline: the accelerator counts %d popular inputs, its bitmap has %d", got, len(s.popular))
	}
	h.counts.popular += int64(len(s.popular))
	h.counts.inputs += int64(len(batch))
	return s, nil
}

func (h *System) checkMailboxes(want []byte) error {
	got := make([]byte, len(want))
	for g := range h.gpu {
		if err := h.gpu[g].mailbox.Read(0, got); err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("hotline: the popularity bitmap in the mailbox of GPU %d differs from that in host memory", g)
		}
	}
	return nil
}

func (h *System) allHot(in rec.Sample) bool {
	hot := true
	h.eachSlot(func(slot, table int, _, _ bool) {
		if hot {
			_, hot = h.hot[h.ids.of(table, in.Sparse[slot])]
		}
	})
	return hot
}
