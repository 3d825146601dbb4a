package registry

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Training describes a training, for comparison with the limits of an accelerator.
type Training struct {
	Model dlrm.Config
	Of    string // source of the inputs for messages, such as the name of a data set
	GPUs  int
	Batch int // inputs of a mini-batch; 0 if unknown
}

// Misfit returns an error for the first limit of an accelerator that a training exceeds, with the
// block and the attribute of a configuration that state it.
func Misfit(g arch.Geometry, t Training) (block, attribute string, err error) {
	misfit := func(block, attribute, format string, args ...any) (string, string, error) {
		return block, attribute, fmt.Errorf(format, args...)
	}
	lookups, bags, rows := t.Model.Lookups(), len(t.Model.Bags()), t.Model.Rows()
	rowBytes, sets, step := arch.WordBytes*t.Model.Dim, g.Blocks/g.Ways, 2*g.Engines // of edram_words
	shortest, longest := g.RowBytes()
	switch words := t.Batch * lookups; {
	case t.GPUs > g.GPUs:
		return misfit("accelerator", "gpus", "gpus is %d, but the training uses %d GPUs; use an accelerator for more GPUs, at most %d, or systems without one",
			g.GPUs, t.GPUs, arch.MaxGPUs)
	case lookups > g.Slots:
		return misfit("accelerator", "slots", "slots is %d, but an input of %s has %d lookups", g.Slots, t.Of, lookups)
	case lookups < g.LeastSlots():
		return misfit("accelerator", "engines", "engines is %d, but an input of %s has %d lookups, which feed at most %d", g.Engines, t.Of, lookups, arch.MostEnds*lookups)
	case bags > g.Tables:
		return misfit("accelerator", "tables", "tables is %d, but an input of %s has %d bags", g.Tables, t.Of, bags)
	case rows > 1<<g.IDBits:
		return misfit("accelerator", "tag_bits", "tag_bits is %d, which with %d sets makes row ids of %d bits, enough for %d rows, but the tables of %s have %d",
			g.IDBits-arch.Log2(sets), sets, g.IDBits, 1<<g.IDBits, t.Of, rows)
	case rowBytes&(rowBytes-1) != 0 || rowBytes < shortest || rowBytes > longest:
		return misfit("model", "dim", "dim is %d, so that an embedding row has %d bytes, but the accelerator takes powers of two from %d to %d", t.Model.Dim, rowBytes, shortest, longest)
	case words > g.HalfWords:
		return misfit("training", "batch", "a mini-batch of %d inputs with %d lookups each has %d words, but half of the accelerator's eDRAM holds %d: use a batch of at most %d, or edram_words of at least %d",
			t.Batch, lookups, words, g.HalfWords, g.HalfWords/lookups, (2*words+step-1)/step*step)
	}
	return "", "", nil
}
