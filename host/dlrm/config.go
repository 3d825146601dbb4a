package dlrm

import (
	"errors"
	"fmt"
	"math"
)

// Table describes one embedding table.
type Table struct {
	Name    string
	Rows    int // number of rows, at most 2^32
	Lookups int // rows that one input reads and sums, at least 1
}

// Kind is the architecture of a model.
type Kind int

const (
	// DLRM is the model of Naumov et al. (arXiv 1906.00091).
	DLRM Kind = iota
	// TBSM applies a DLRM to each time step and combines them with an attention layer (Ishkhanov et
	// al., arXiv 2008.11922).
	TBSM
)

// Config describes a model. Layer widths are written as in the DLRM reference ("13-64-16"). Bottom
// starts with Dense and ends with Dim. Top, Attention and Head omit their first width, which the
// model determines: Top's follows from the interaction (TopIn), Attention's and Head's from the
// time steps and Top. Top ends with 1 in a DLRM, and with the vector size of a time step in a TBSM.
// Attention ends with the number of time steps of the history (Steps-1), Head with 1.
type Config struct {
	Name         string
	Kind         Kind
	Steps        int // time steps of an input; a TBSM has history and candidate, a DLRM has one, also written as 0
	Dense        int // dense features per time step
	Tables       []Table
	Dim          int // values per embedding row
	Bottom, Top  []int
	Attention    []int // TBSM only
	Head         []int // TBSM only
	Loss         Loss
	Optimiser    Optimiser
	LearningRate float32
}

// Bag is a group of lookups whose rows are pooled into one vector.
type Bag struct{ Table, Lookups int }

// Bags returns the bags of an input: one for each time step and table, ordered by time step.
func (c Config) Bags() []Bag {
	bags := make([]Bag, 0, c.steps()*len(c.Tables))
	for range c.steps() {
		for t, table := range c.Tables {
			bags = append(bags, Bag{t, table.Lookups})
		}
	}
	return bags
}

func (c Config) steps() int { return max(1, c.Steps) }

// DenseWidth returns the number of dense values of an input.
func (c Config) DenseWidth() int { return c.steps() * c.Dense }

// Features returns the number of interacting vectors: the output of the bottom MLP and one pooled
// vector per table.
func (c Config) Features() int { return len(c.Tables) + 1 }

// TopIn returns the width of the top MLP's input: the bottom MLP's output and the dot products of
// all pairs of vectors.
func (c Config) TopIn() int {
	f := c.Features()
	return f*(f-1)/2 + c.Dim
}

// Rows returns the total number of rows of all tables.
func (c Config) Rows() int {
	n := 0
	for _, t := range c.Tables {
		n += t.Rows
	}
	return n
}

// Lookups returns the number of rows that one input reads, over all bags.
func (c Config) Lookups() int {
	n := 0
	for _, t := range c.Tables {
		n += t.Lookups
	}
	return n * c.steps()
}

// Activations returns the number of forward values per input. These are the inputs of all layers of
// all MLPs, the outputs of the last layers, and the pooled vectors. Each has a gradient in the
// backward pass.
func (c Config) Activations() int {
	n := len(c.Bags()) * c.Dim
	for part, widths := range c.widths() {
		times := 1
		if part == bottom || part == top {
			times = c.steps()
		}
		for _, w := range widths {
			n += times * w
		}
	}
	return n
}

// towerOut returns the width of the top MLP's output.
func (c Config) towerOut() int { return c.Top[len(c.Top)-1] }

// Parts of a network.
const (
	bottom = iota
	top
	inner // the matrix A of a TBSM's inner product
	attention
	head
)

var partNames = [...]string{"bottom", "top", "inner", "attention", "head"}

// widths returns the layer widths of all parts of the network.
func (c Config) widths() [][]int {
	after := func(in int, widths []int) []int { return append([]int{in}, widths...) }
	all := [][]int{bottom: c.Bottom, top: after(c.TopIn(), c.Top)}
	if c.Kind == TBSM {
		m := c.towerOut()
		all = append(all, []int{m, m}, after(c.Steps-1, c.Attention), after(2*m, c.Head))
	}
	return all
}

// Validate returns nil, or all errors of the configuration, joined.
func (c Config) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf("model: "+format, args...)) }
	for _, choice := range []struct {
		what     string
		got, end int
	}{{"kind", int(c.Kind), int(TBSM) + 1}, {"loss", int(c.Loss), int(MSE) + 1}, {"rule of the optimiser", int(c.Optimiser.Rule), len(ruleNames)}} {
		if choice.got < 0 || choice.got >= choice.end {
			wrong("%s %d, expected 0 to %d", choice.what, choice.got, choice.end-1)
		}
	}
	if c.Dense < 1 {
		wrong("%d dense features, expected at least 1", c.Dense)
	}
	if c.Dim < 1 {
		wrong("embedding dimension is %d, expected at least 1", c.Dim)
	}
	if len(c.Tables) == 0 {
		wrong("no embedding tables, expected at least 1")
	}
	for i, t := range c.Tables {
		if t.Rows < 1 || uint64(t.Rows) > 1<<32 {
			wrong("table %d (%q) has %d rows, expected 1 to 2^32", i, t.Name, t.Rows)
		}
		if t.Lookups < 1 {
			wrong("table %d (%q) has %d lookups per input, expected at least 1", i, t.Name, t.Lookups)
		}
	}
	c.validateMLPs(wrong)
	if lr := float64(c.LearningRate); !(lr > 0) || math.IsInf(lr, 1) {
		wrong("learning rate is %v, expected a positive number", lr)
	}
	c.Optimiser.validate(wrong)
	return errors.Join(errs...)
}

func (c Config) validateMLPs(wrong func(string, ...any)) {
	checkWidths(wrong, "bottom", c.Bottom, 2)
	checkWidths(wrong, "top", c.Top, 1)
	if b := c.Bottom; len(b) >= 2 && b[0] != c.Dense {
		wrong("bottom MLP starts with width %d, expected the %d dense features", b[0], c.Dense)
	}
	checkEnd(wrong, "bottom", c.Bottom, c.Dim, "the embedding dimension ")
	if c.Kind != TBSM {
		checkEnd(wrong, "top", c.Top, 1, "")
		if c.Steps < 0 || c.Steps > 1 {
			wrong("%d time steps, expected at most 1 for a DLRM", c.Steps)
		}
		if len(c.Attention)+len(c.Head) > 0 {
			wrong("attention or head MLP, expected none for a DLRM")
		}
		return
	}
	if c.Steps < 2 {
		wrong("%d time steps, expected at least 2 for a TBSM", c.Steps)
	}
	checkWidths(wrong, "attention", c.Attention, 1)
	checkWidths(wrong, "head", c.Head, 1)
	checkEnd(wrong, "attention", c.Attention, c.Steps-1, "the time steps of the history ")
	checkEnd(wrong, "head", c.Head, 1, "")
}

func checkEnd(wrong func(string, ...any), name string, widths []int, want int, what string) {
	if n := len(widths); n > 0 && widths[n-1] != want {
		wrong("%s MLP ends with width %d, expected %s%d", name, widths[n-1], what, want)
	}
}

func checkWidths(wrong func(string, ...any), name string, widths []int, least int) {
	if len(widths) < least {
		wrong("%s MLP lists %d widths, expected at least %d", name, len(widths), least)
	}
	for i, w := range widths {
		if w < 1 {
			wrong("%s MLP has width %d at position %d, expected at least 1", name, w, i)
		}
	}
}

// Check returns nil if the sample fits the model: counts, row indices within their tables, finite
// features, label in [0, 1].
func (c Config) Check(s Sample) error {
	if len(s.Dense) != c.DenseWidth() {
		return fmt.Errorf("sample has %d dense features, expected %d", len(s.Dense), c.DenseWidth())
	}
	for i, x := range s.Dense {
		if x-x != 0 {
			return fmt.Errorf("dense feature %d is %v, expected a finite number", i, x)
		}
	}
	if len(s.Sparse) != c.Lookups() {
		return fmt.Errorf("sample has %d row indices, expected %d", len(s.Sparse), c.Lookups())
	}
	slot := 0
	for _, bag := range c.Bags() {
		for _, index := range s.Sparse[slot : slot+bag.Lookups] {
			if t := c.Tables[bag.Table]; uint64(index) >= uint64(t.Rows) {
				return fmt.Errorf("row index %d in table %d (%q), expected below its %d rows", index, bag.Table, t.Name, t.Rows)
			}
		}
		slot += bag.Lookups
	}
	if !(s.Label >= 0 && s.Label <= 1) {
		return fmt.Errorf("label is %v, expected 0 to 1", s.Label)
	}
	return nil
}
