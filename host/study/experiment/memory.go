package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/kernel"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Memory is how much a run may take, and who says so.
type Memory struct {
	Bytes  float64
	Source string
}

func (m Memory) String() string { return fmt.Sprintf("%s, %s", format.Bytes(m.Bytes), m.Source) }

// need is what a part of a run takes. It grows with an attribute.
type need struct {
	what             string
	bytes            float64
	block, attribute string
	cure             string
}

// CheckMemory reports that the job needs more memory than there is: which parts need
// how much, and what to change. The estimate is of what all systems keep, not of what
// comes and goes; a run without values keeps none. The error begins with the place of
// the attribute that matters most.
func (j Job) CheckMemory(m Memory) error {
	c, needs := j.Config, j.needs()
	sum := sumOf(needs)
	if sum <= m.Bytes {
		return nil
	}
	slices.SortStableFunc(needs, func(a, b need) int { return cmp.Compare(b.bytes, a.bytes) })
	var parts []string
	for _, n := range needs {
		if n.bytes >= sum/1000 {
			parts = append(parts, fmt.Sprintf("%s for %s", format.Bytes(n.bytes), n.what))
		}
	}
	most := needs[0]
	return c.Errorf(most.block, most.attribute, "the run needs %s of memory, but there is less (%v): %s; %s",
		format.About(sum), m, strings.Join(parts, ", "), most.cure)
}

func sumOf(needs []need) float64 {
	sum := 0.0
	for _, n := range needs {
		sum += n.bytes
	}
	return sum
}

// inputs is how many a run reads, 0 if that is not known.
func inputs(c *configs.Config, source data.Source) float64 {
	n, known := source.Len()
	most := int64(c.Training.Batch) * int64(c.Training.Batches)
	if most > 0 && (!known || most < n) {
		return float64(most)
	}
	return float64(n)
}

// resultBytes is what is kept of an input: probability and label, and both in
// order for the AUC.
const resultBytes = 32

// watchedBytes is what a watch keeps of a row that was read, beside its values: its
// places in maps, and its history.
const watchedBytes = 300

// oldBytes is what a watch keeps of an old value of a row beside it: its places among
// those of the row and of all rows, with room to grow.
const oldBytes = 48

// needs lists what is kept in memory at the end of a run, when all machines are
// compared.
func (j Job) needs() []need {
	c := j.Config
	model, a, inputs := c.For(j.Data.Shape()), c.Accelerator, inputs(c, j.Data)
	machines, accelerators, watches := float64(len(j.Systems)), 0., 0.
	for _, s := range j.Systems {
		if s.Accelerated {
			accelerators++
		}
	}
	if j.Watch {
		watches = machines
	}
	dim, gpus, lookups, batch := float64(model.Dim), float64(c.Training.GPUs*c.Training.Nodes), float64(model.Lookups()), float64(c.Training.Batch)
	rows := float64(model.Rows())

	// Each GPU has its parameters and the exact sums of their gradients, which
	// one of them rounds, and the values of a worker and their gradients. Without
	// values, a machine has one net that nobody changes.
	share := (c.Training.Batch + int(gpus) - 1) / int(gpus)
	lanes := kernel.Panels(min(share, dlrm.WorkerInputs)) * kernel.Lanes
	// A watch has a net with exact sums, too.
	dense, values := machines*(4+4+gpus*(4+8))+watches*(4+4+8), machines*gpus*float64(lanes)*(4+4)
	if j.Valueless {
		dense, values = machines*4, 0
	}
	mlp := func(widths []int) float64 { return dense*weights(widths) + values*total(widths) }
	vectors := values * float64(model.Features()) * dim

	read, updates := rows, inputs*lookups // at most
	if inputs > 0 {
		read = min(rows, inputs*lookups)
	}
	if first, ok := countTouched(j.Data, model, inputs); ok {
		read, updates = first.of(model, inputs), inputs/batch*first.of(model, batch)
	}
	hot := min(read, float64(a.Blocks))

	list := []need{
		{"the bottom MLP", mlp(model.Bottom), "model", "bottom", "use fewer or narrower bottom layers"},
		{"the top MLP", mlp(append([]int{model.TopIn()}, model.Top...)), "model", "top", "use fewer or narrower top layers"},
		{"places of hot rows", accelerators * 100 * hot, "accelerator", "blocks", "use fewer blocks"},
		{"the EAL", accelerators * 16 * float64(a.Blocks), "accelerator", "blocks", "use fewer blocks"},
		{"the input eDRAM", accelerators * 16 * float64(a.EDRAMWords), "accelerator", "edram_words", "use fewer edram_words"},
	}
	if j.Valueless {
		return list
	}
	batches, rowsBlock, rowsAttribute := "batches", "model", "dim"
	if c.Training.Batches == 1 {
		batches = "batch"
	}
	if len(c.Data.Rows) > 0 {
		rowsBlock, rowsAttribute = "data", "rows"
	}
	if j.Watch {
		old := min(consistency.PastBytes/(4*dim), updates) * (4*dim + oldBytes)
		list = append(list, need{"what is checked", watches * (old + read*(watchedBytes+4*dim)), rowsBlock, rowsAttribute, "leave the check out"})
	}
	for _, s := range j.Systems {
		if s.Keeps != nil {
			n := s.Keeps(model, c.Setting(s), inputs)
			list = append(list, need{n.What, n.Bytes, s.Block, n.Attribute, n.Cure})
		}
	}
	return append(list,
		need{fmt.Sprintf("results of %s inputs", format.Thousands(int64(inputs))), inputs * resultBytes, "training", batches, "use fewer batches or a smaller batch"},
		need{fmt.Sprintf("%s embedding rows", format.Thousands(int64(rows))), machines * rowsBytes(rows, read, 4*dim), rowsBlock, rowsAttribute, "use smaller tables or a smaller dim"},
		need{"hot rows", accelerators * gpus * rowsBytes(float64(a.Blocks), hot, 4*dim), "accelerator", "blocks", "use fewer blocks"},
		need{"vectors and gradients of a mini-batch", vectors + batch*dim*(2*4*float64(len(model.Bags()))+machines*2*8*lookups), "training", "batch", "use a smaller batch"},
	)
}

// rowsBytes is about what tables of rows of size bytes take of which some are
// touched, as node.Rows keeps them: a pointer for each 64 rows, what these have in
// common if one of them is touched, and room to grow behind those that are.
func rowsBytes(rows, touched, size float64) float64 {
	groups := rows / 64
	return 8*groups + 40*min(groups, touched) + 1.25*size*touched
}

// weights counts the parameters of layers with these widths.
func weights(widths []int) float64 {
	n := 0.0
	for i, in := range widths[:len(widths)-1] {
		n += (float64(in) + 1) * float64(widths[i+1])
	}
	return n
}

func total(widths []int) float64 {
	n := 0.0
	for _, w := range widths {
		n += float64(w)
	}
	return n
}
