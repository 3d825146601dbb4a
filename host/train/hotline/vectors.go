package hotline

import (
	"math"

	"github.com/hotline-rtl/hotline/host/server"
)

// notArrived marks memory that the accelerator is about to write. It is a NaN
// that neither the reducer makes, whose NaN is 7FC00000, nor a row holds, as a
// training ends before its parameters have one; and as a row id it is too large.
const notArrived = 0xffdead00

// markVectors overwrites the area of the pooled vectors that the accelerator will
// gather for the non-popular inputs.
func (h *System) markVectors(others int) error {
	for g := range h.gpu {
		words := h.cluster.Share(others, g) * len(h.model.Bags()) * h.model.Dim
		if err := mark(h.gpu[g].pooled, words); err != nil {
			return err
		}
	}
	return nil
}

// mark overwrites the first words of an area.
func mark(area *server.Region, words int) error {
	var marks [1024]uint32
	for i := range marks {
		marks[i] = notArrived
	}
	for at := 0; at < words; at += len(marks) {
		if err := area.WriteUint32s(at*wordBytes, marks[:min(len(marks), words-at)]); err != nil {
			return err
		}
	}
	return nil
}

// readVectors reads the pooled vectors of an input, which is the k-th of those
// on GPU g, and reports the first that has not arrived whole.
func (h *System) readVectors(g, k, input int, pooled []float32) error {
	if err := h.gpu[g].pooled.ReadFloat32s(k*len(pooled)*wordBytes, pooled); err != nil {
		return err
	}
	for i, v := range pooled {
		if math.Float32bits(v) == notArrived {
			t := h.model.Bags()[i/h.model.Dim].Table
			return wrong("hotline: the pooled vector of input %d and table %d (%q) has not arrived: element %d is as it was before the gather",
				input, t, h.model.Tables[t].Name, i%h.model.Dim)
		}
	}
	return nil
}
