package hotline

import (
	"fmt"
	"sort"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// checkModel reports what of a model does not fit an accelerator.
func checkModel(g arch.Geometry, model dlrm.Config, gpus int) error {
	rows := uint64(model.Rows())
	rowBytes := arch.WordBytes * model.Dim
	shortest, longest := g.RowBytes()
	lookups, least := model.Lookups(), g.LeastSlots()
	switch {
	case rows > 1<<g.IDBits:
		return fmt.Errorf("hotline: the tables have %d rows in all, but the accelerator's row ids have %d bits, enough for %d: use smaller tables, or an accelerator with more blocks or tag bits",
			rows, g.IDBits, uint64(1)<<g.IDBits)
	case rowBytes&(rowBytes-1) != 0 || rowBytes < shortest || rowBytes > longest:
		return fmt.Errorf("hotline: an embedding row has %d bytes (dimension %d), but the accelerator takes powers of two from %d to %d: change the dimension",
			rowBytes, model.Dim, shortest, longest)
	case lookups < least || lookups > g.Slots:
		return fmt.Errorf("hotline: an input has %d lookups, but the accelerator takes %d to %d", lookups, least, g.Slots)
	case len(model.Bags()) > g.Tables:
		return fmt.Errorf("hotline: an input of the model has %d bags, but the accelerator takes at most %d tables", len(model.Bags()), g.Tables)
	case gpus > g.GPUs:
		return fmt.Errorf("hotline: the machine has %d GPUs, but the accelerator serves at most %d", gpus, g.GPUs)
	}
	return nil
}

// checkBatch reports that a mini-batch does not fit into half of the eDRAM.
func checkBatch(g arch.Geometry, model dlrm.Config, batch int) error {
	lookups := model.Lookups()
	if words := batch * lookups; words > g.HalfWords {
		return fmt.Errorf("hotline: a mini-batch of %d inputs with %d lookups each has %d words, but half of the accelerator's eDRAM holds %d: use mini-batches of at most %d inputs, or an accelerator with edram_words of at least %d",
			batch, lookups, words, g.HalfWords, g.HalfWords/lookups, 2*words)
	}
	return nil
}

// ids numbers the rows of all tables: table by table, row by row.
type ids []uint32 // of row 0 of each table

func newIDs(tables []dlrm.Table) ids {
	first, next := make(ids, len(tables)), uint32(0)
	for i, t := range tables {
		first[i] = next
		next += uint32(t.Rows)
	}
	return first
}

func (f ids) of(table int, index uint32) uint32 { return f[table] + index }

// row is the table and index of an id.
func (f ids) row(id uint32) (table int, index uint32) {
	table = sort.Search(len(f), func(i int) bool { return f[i] > id }) - 1
	return table, id - f[table]
}
