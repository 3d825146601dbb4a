package rec

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
	// TBSM is a DLRM for each time step under an attention layer (Ishkhanov et al., arXiv 2004.05738).
	TBSM
)

// Loss is what training makes small: its mean over a mini-batch.
type Loss int

const (
	// BCE is the binary cross-entropy.
	BCE Loss = iota
	// MSE is the squared error.
	MSE
)

// Optimiser is how gradients change parameters.
type Optimiser int

const (
	// SGD is plain stochastic gradient descent.
	SGD Optimiser = iota
	// Adagrad divides each step by the root of the sum of squares of the gradients so far (Duchi et al., 2011).
	Adagrad
)

// Config describes a model. Layer widths are written as in the DLRM reference ("13-64-16"): Bottom starts with Dense and ends
// with Dim; Top leaves out its first width, which follows from the interaction (TopIn), and ends with 1.
type Config struct {
	Name         string
	Kind         Kind
	Steps        int // time steps of an input; a DLRM has one, also written as 0
	Dense        int // dense features of a time step
	Tables       []Table
	Dim          int // values in an embedding row
	Bottom, Top  []int
	Attention    []int // TBSM: widths of the attention MLP
	Head         []int // TBSM: widths of the last MLP
	Loss         Loss
	Optimiser    Optimiser
	LearningRate float32
}

// Bag is a group of lookups whose rows are pooled into one vector.
type Bag struct{ Table, Lookups int }

// Bags returns the bags of an input: one for each time step and table, tables of the first time step first.
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

// Features returns the number of vectors that interact: the output of the bottom MLP and one pooled vector per table.
func (c Config) Features() int { return len(c.Tables) + 1 }

// TopIn returns the width of the top MLP's input: the bottom MLP's output and the dot products of all pairs of vectors.
func (c Config) TopIn() int {
	f := c.Features()
	return f*(f-1)/2 + c.Dim
}

// Lookups returns the number of rows that one input reads, over all bags.
func (c Config) Lookups() int {
	n := 0
	for _, t := range c.Tables {
		n += t.Lookups
	}
	return n * c.steps()
}

// Validate returns nil, or all that is wrong with the configuration, joined.
func (c Config) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf("model: "+format, args...)) }
	if c.Kind != DLRM || c.Loss != BCE || c.Optimiser != SGD {
		wrong("kind %d, loss %d, optimiser %d are not there yet", c.Kind, c.Loss, c.Optimiser)
	}
	if c.steps() > 1 {
		wrong("%d time steps, expected at most 1 for a DLRM", c.Steps)
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
	checkWidths(wrong, "bottom", c.Bottom, 2)
	checkWidths(wrong, "top", c.Top, 1)
	if b := c.Bottom; len(b) >= 2 && b[0] != c.Dense {
		wrong("bottom MLP starts with width %d, expected the %d dense features", b[0], c.Dense)
	}
	if b := c.Bottom; len(b) >= 2 && b[len(b)-1] != c.Dim {
		wrong("bottom MLP ends with width %d, expected the embedding dimension %d", b[len(b)-1], c.Dim)
	}
	if t := c.Top; len(t) >= 1 && t[len(t)-1] != 1 {
		wrong("top MLP ends with width %d, expected 1", t[len(t)-1])
	}
	if lr := float64(c.LearningRate); !(lr > 0) || math.IsInf(lr, 1) {
		wrong("learning rate is %v, expected a positive number", lr)
	}
	return errors.Join(errs...)
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

// Check returns nil if the sample fits the model: counts, row indices within their tables, finite features, label in [0, 1].
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
