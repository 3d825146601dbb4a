package experiment

import (
	"math"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/rec/data/gen"
)

// Clicks are the generated ones of a configuration, without end.
func Clicks(c *configs.Config) (data.Source, error) {
	return gen.New(c.Clicks(), math.MaxInt64)
}

// Check reports, before anything runs, that there is no such machine, or that a
// model for the tables of a data set does not fit the accelerator. The error
// begins with file and line of the configuration.
func Check(c *configs.Config, source data.Source) error {
	name := source.Name()
	model, a, batch := c.For(source.Shape()), c.Accelerator, c.Training.Batch
	if err := model.Validate(); err != nil {
		return c.Errorf("model", "", "%v", err)
	}
	if err := serverOf(c).Check(); err != nil {
		return c.Errorf("training", "machine", "%v", err)
	}
	lookups, rows := model.Lookups(), totalRows(model.Tables)
	step := 2 * a.Engines // of edram_words
	switch words := batch * lookups; {
	case lookups > a.Slots:
		return c.Errorf("accelerator", "slots", "slots is %d, but an input of %s has %d lookups", a.Slots, name, lookups)
	case 4*lookups < a.Engines:
		return c.Errorf("accelerator", "engines", "engines is %d, but an input of %s has %d lookups, which feed at most %d", a.Engines, name, lookups, 4*lookups)
	case len(model.Bags()) > a.Tables:
		return c.Errorf("accelerator", "tables", "tables is %d, but an input of %s has %d bags", a.Tables, name, len(model.Bags()))
	case rows > 1<<a.IDBits():
		return c.Errorf("accelerator", "tag_bits", "tag_bits is %d, which with %d sets makes row ids of %d bits, enough for %d rows, but the tables of %s have %d",
			a.TagBits, a.Sets(), a.IDBits(), 1<<a.IDBits(), name, rows)
	case words > a.HalfWords():
		return c.Errorf("training", "batch", "a mini-batch of %d inputs with %d lookups each has %d words, but half of the accelerator's eDRAM holds %d: use a batch of at most %d, or edram_words of at least %d",
			batch, lookups, words, a.HalfWords(), a.HalfWords()/lookups, (2*words+step-1)/step*step)
	}
	return nil
}

func totalRows(tables []rec.Table) int {
	n := 0
	for _, t := range tables {
		n += t.Rows
	}
	return n
}
