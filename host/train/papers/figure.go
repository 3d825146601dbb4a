package papers

import "github.com/hotline-rtl/hotline/host/train/timing"

// Figure is a table of what times make: speed-ups, ms a mini-batch.
type Figure struct {
	Name    string   `json:"name"` // as in its paper
	Title   string   `json:"title"`
	Note    string   `json:"note"`
	Columns []string `json:"columns"` // of the cells: profiles, or numbers of GPUs
	Labels  []string `json:"labels"`  // what a row's labels are
	Rows    []Row    `json:"rows"`
}

// Row is a row of a figure.
type Row struct {
	Labels []string `json:"labels"`
	Paper  []string `json:"paper"` // as published: one for the row, or one a cell; empty if none is
	Cells  []Cell   `json:"cells"`
}

// Cell is a figure with its range, or why there is none.
type Cell struct {
	*timing.Spread
	None string `json:"none,omitempty"`

	what measure
}

// evaluate fills the cell in.
func (c *Cell) evaluate(k *clock) error {
	values, err := c.what(k)
	if err != nil {
		return err
	}
	s := k.variants.Spread(values)
	c.Spread = &s
	return nil
}

// row is a row with a cell for each profile.
func row(profiles []timing.Profile, paper string, cell func(p timing.Profile) measure, labels ...string) Row {
	r := Row{Labels: labels, Paper: []string{paper}}
	for _, p := range profiles {
		r.Cells = append(r.Cells, Cell{what: cell(p)})
	}
	return r
}

func columns(profiles []timing.Profile) []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	return names
}
