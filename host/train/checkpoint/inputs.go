package checkpoint

import (
	"errors"
	"io"
	"iter"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// InputsFormat identifies the format of exported inputs. It changes whenever the format does.
const InputsFormat = "hotline.inputs/1"

// ExportInputs writes the inputs of mini-batches, in their order, for other programs: dense
// features, row indices and labels. Together with an Export of the model before these mini-batches,
// they determine a sequential training. The inputs are read once for each array and once to count
// them, so the export needs little memory. It returns an error if reading or writing fails.
func ExportInputs(path string, s *train.State, b *train.Batches) error {
	training, err := fingerprintOf(s.Model, s.Seed, b.Size())
	if err != nil {
		return err
	}
	r := inputs{of: b}
	n := 0
	for batch := range r.each {
		n += batch.Len()
	}
	if r.err != nil {
		return r.err
	}
	err = safetensors.Write(path, map[string]string{formatKey: InputsFormat, trainingKey: training, dataKey: b.Source().Name()}, []safetensors.Tensor{
		safetensors.F32Rows("dense", []int{n, s.Model.DenseWidth()}, part(&r, func(b dlrm.Batch) []float32 { return b.Dense })),
		safetensors.I64Rows("sparse", []int{n, s.Model.Lookups()}, part(&r, func(b dlrm.Batch) []uint32 { return b.Sparse })),
		safetensors.F32Rows("labels", []int{n}, part(&r, func(b dlrm.Batch) []float32 { return b.Labels })),
	})
	if r.err != nil {
		return r.err // Write refuses an array that lacks inputs
	}
	return err
}

// inputs visits mini-batches and keeps the first error.
type inputs struct {
	of  *train.Batches
	err error
}

// each visits the mini-batches with a reader of its own.
func (r *inputs) each(yield func(dlrm.Batch) bool) {
	b := r.of.Again()
	defer b.Close()
	for m := b.First(); ; m++ {
		batch, err := b.At(m)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.err = err
			}
			return
		}
		if !yield(batch) {
			return
		}
	}
}

// part visits one part of all mini-batches.
func part[T any](r *inputs, of func(dlrm.Batch) []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for batch := range r.each {
			if !yield(of(batch)) {
				return
			}
		}
	}
}
