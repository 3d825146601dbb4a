package train

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
)

// Batches are the mini-batches of a data set, in its order. The last one holds
// what is left.
type Batches struct {
	samples []rec.Sample
	size    int
}

// NewBatches cuts a set into mini-batches of size inputs. Errors: the set is
// empty or does not fit the model; size is not positive.
func NewBatches(model rec.Config, set *data.Set, size int) (Batches, error) {
	if size < 1 {
		return Batches{}, fmt.Errorf("train: mini-batches of %d inputs, expected at least 1", size)
	}
	if len(set.Samples) == 0 {
		return Batches{}, fmt.Errorf("train: data set %q has no inputs", set.Name)
	}
	for i, s := range set.Samples {
		if err := model.Check(s); err != nil {
			return Batches{}, fmt.Errorf("train: input %d of data set %q: %w", i, set.Name, err)
		}
	}
	return Batches{set.Samples, size}, nil
}

// Len is the number of mini-batches.
func (b Batches) Len() int { return (len(b.samples) + b.size - 1) / b.size }

// Size is the number of inputs of every mini-batch but the last.
func (b Batches) Size() int { return b.size }

// Inputs is the number of inputs of all mini-batches.
func (b Batches) Inputs() int { return len(b.samples) }

// At is mini-batch i, a copy.
func (b Batches) At(i int) rec.Batch {
	var batch rec.Batch
	for _, s := range b.samples[i*b.size : min((i+1)*b.size, len(b.samples))] {
		batch.Append(s)
	}
	return batch
}
