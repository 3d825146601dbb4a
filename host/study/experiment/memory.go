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
	"github.com/hotline-rtl/hotline/host/train/audit"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Memory is the memory that a run may use, and the source of this limit.
type Memory struct {
	Bytes  float64
	Source string
}

func (m Memory) String() string { return fmt.Sprintf("%s, %s", format.Bytes(m.Bytes), m.Source) }

// need is the memory of a part of a run, and the attribute that increases it.
type need struct {
	what             string
	bytes            float64
	block, attribute string
	cure             string
}

// CheckMemory returns an error if the job needs more memory than m. The error lists the parts with
// their sizes and the change that helps most. The estimate covers data that all systems keep, but
// not temporary data; a run without values keeps no values. The error begins with the file and line
// of the most important attribute.
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

// inputs returns the number of inputs of an epoch, or 0 if it is unknown.
func inputs(c *configs.Config, source data.Source) float64 {
	n, known := source.Len()
	most := int64(c.Training.Batch) * int64(c.Training.Batches)
	if most > 0 && (!known || most < n) {
		return float64(most)
	}
	return float64(n)
}

// resultBytes is the memory of the results of an input: probability and label, and both again,
// sorted, for the AUC.
const resultBytes = 32

// watchedBytes is the memory of a consistency checker for each row that was read, without its
// values: map entries and the history.
const watchedBytes = 300

// oldBytes is the memory of a checker for each old value of a row, without the value: entries in
// the lists of the row and of all rows, including spare capacity.
const oldBytes = 48

// auditedBytes is the memory of the audit for each row that it remembers: an entry of a map.
const auditedBytes = 40

// listedBytes is the memory of a system for each lookup of a mini-batch: entries of three lists of
// row gradients.
const listedBytes = 3 * 16

// needs lists the memory in use at the end of a run, when all systems are compared.
func (j Job) needs() []need {
	c := j.Config
	model, a, epoch := c.For(j.Data.Shape()), c.Accelerator, inputs(c, j.Data)
	inputs := epoch * float64(c.Training.Epochs)
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

	// Each GPU has its parameters and the exact sums of their gradients. One GPU rounds the sums and
	// keeps the step of each parameter. A GPU also has the values and gradients of a worker. Without values, a server has one net that is
	// never updated.
	share := (c.Training.Batch + int(gpus) - 1) / int(gpus)
	lanes := kernel.Panels(min(share, dlrm.WorkerInputs)) * kernel.Lanes
	// A checker also has a net with exact sums.
	dense, values := machines*(4+4+4+gpus*(4+8))+watches*(4+4+8), machines*gpus*float64(lanes)*(4+4)
	if j.Valueless {
		dense, values = machines*4, 0
	}
	mlp := func(widths []int) float64 { return dense*weights(widths) + values*total(widths) }
	vectors := values * float64(model.Features()) * dim

	read, updates := rows, inputs*lookups // upper bounds
	if epoch > 0 {
		read = min(rows, epoch*lookups)
	}
	if first, ok := countTouched(j.Data, model, epoch); ok {
		read, updates = first.of(model, epoch), inputs/batch*first.of(model, batch)
	}
	hot := min(read, float64(a.Blocks))

	list := []need{
		{"the bottom MLP", mlp(model.Bottom), "model", "bottom", "use fewer or narrower bottom layers"},
		{"the top MLP", mlp(append([]int{model.TopIn()}, model.Top...)), "model", "top", "use fewer or narrower top layers"},
		{"places of hot rows", accelerators * 100 * hot, "accelerator", "blocks", "use fewer blocks"},
		{"the EAL", accelerators * 16 * float64(a.Blocks), "accelerator", "blocks", "use fewer blocks"},
		{"the input eDRAM", accelerators * 16 * float64(a.EDRAMWords), "accelerator", "edram_words", "use fewer edram_words"},
	}
	if window := float64(c.Training.Shuffle); window > 0 {
		if epoch > 0 {
			window = min(window, epoch)
		}
		bytes := 1.25*4*float64(1+model.DenseWidth()+model.Lookups()) + 8 // with spare capacity, and its place
		list = append(list, need{"samples that are shuffled", machines * window * bytes, "training", "shuffle", "use a smaller window"})
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
		audited := auditedBytes * min(updates, batch*lookups*audit.Remembered)
		list = append(list, need{"what is checked", watches * (old + read*(watchedBytes+4*dim) + audited), rowsBlock, rowsAttribute, "leave the check out"})
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
		need{"vectors and gradients of a mini-batch", vectors + batch*(dim*(2*4*float64(len(model.Bags()))+machines*2*8*lookups)+machines*lookups*listedBytes), "training", "batch", "use a smaller batch"},
	)
}

// rowsBytes estimates the memory of tables of which touched rows have been accessed; a row has size
// bytes. des.Rows has a pointer for each 64 rows, a header for each group with a touched row, and
// spare capacity.
func rowsBytes(rows, touched, size float64) float64 {
	groups := rows / 64
	return 8*groups + 40*min(groups, touched) + 1.25*size*touched
}

// weights returns the number of parameters of layers with these widths.
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
