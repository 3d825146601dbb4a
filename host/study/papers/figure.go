package papers

import (
	"context"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Figure is a table of what times make: speed-ups, minutes of a training.
type Figure struct {
	Name    string      `json:"name"` // as in its paper
	Title   string      `json:"title"`
	Note    string      `json:"note"`
	Columns []string    `json:"columns"` // of the cells: profiles, or numbers of GPUs
	Labels  []string    `json:"labels"`  // what a row's labels are
	Rows    []FigureRow `json:"rows"`
}

// FigureRow is a row of a figure.
type FigureRow struct {
	Labels  []string `json:"labels"`
	Records []string `json:"records"` // IDs that it is beside: of the row, or one a cell, empty if none is
	Paper   []string `json:"paper"`   // as published: one for the row, or one a cell; empty if none is
	Cells   []Cell   `json:"cells"`

	readings []reading // of the paper, which are tried where nothing else makes a row hold
}

// reading is another figure that the paper's own numbers have for a row, or why they cannot be:
// then there is no figure.
type reading struct {
	name string
	what func(p timing.Profile) measure
}

// Cell is a figure with its range, or why there is none.
type Cell struct {
	*timing.Spread
	None string `json:"none,omitempty"`

	what    func(p timing.Profile) measure
	profile timing.Profile
}

// row is a row with a cell for each profile, beside records of which the first is printed.
func row(profiles []timing.Profile, records []string, cell func(p timing.Profile) measure, labels ...string) FigureRow {
	r := FigureRow{Labels: labels, Paper: []string{""}, Records: records}
	if len(records) > 0 {
		r.Paper[0] = published(records[0]).Says
	}
	for _, p := range profiles {
		r.Cells = append(r.Cells, Cell{what: cell, profile: p})
	}
	return r
}

// beside names records for a row; an empty one is none.
func beside(ids ...string) []string {
	return slices.DeleteFunc(ids, func(s string) bool { return s == "" })
}

func columns(profiles []timing.Profile) []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	return names
}

// find evaluates a figure, and what of it is beside records: cells of a profile.
func (f Figure) find(ctx context.Context, k *clock, profile string) (Finding, error) {
	found := Finding{Figure: &f}
	for _, r := range f.Rows {
		all := make([][]float64, len(r.Cells))
		for i := range r.Cells {
			c := &r.Cells[i]
			if c.None != "" {
				continue
			}
			if err := context.Cause(ctx); err != nil {
				return found, err
			}
			values, err := c.what(c.profile)(k)
			if err != nil {
				return found, err
			}
			s := k.variants.Spread(values)
			c.Spread, all[i] = &s, values
		}
		outcomes, err := r.outcomes(k, profile, all)
		if err != nil {
			return found, err
		}
		found.Outcomes = append(found.Outcomes, outcomes...)
	}
	return found, nil
}

// outcomes are those of the cell with a profile, of whose values on each variant there are some.
func (r FigureRow) outcomes(k *clock, profile string, values [][]float64) (list []Outcome, err error) {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.profile.Name == profile })
	if i < 0 || values[i] == nil {
		return nil, nil
	}
	for _, id := range r.Records {
		record, c := published(id), r.Cells[i]
		o := Outcome{Record: id, Ours: c.Value, Low: c.Low, High: c.High}
		if !record.holds(c.Value) && record.Role != Calibration {
			if o.Because, err = c.because(k, record, values[i], r.Cells); err != nil {
				return nil, err
			}
			if o.Because == nil {
				if o.Because, err = c.read(k, record, r.readings); err != nil {
					return nil, err
				}
			}
			if o.Because == nil {
				if o.Note, err = c.nearest(k, record); err != nil {
					return nil, err
				}
			}
		}
		list = append(list, o)
	}
	return list, nil
}

// holds tells whether a value is within the bounds of a record.
func (r Record) holds(v float64) bool { return r.From <= v && v <= r.To }

// because are the changes, each by itself, with which a figure holds: of a constant to an end of
// its range, or of the software, or another profile, of which the others are. If there is none,
// constants may do it together, or else two changes of the software.
func (c Cell) because(k *clock, r Record, values []float64, others []Cell) ([]string, error) {
	var list []string
	for _, d := range k.variants.Dependences(values) {
		if r.holds(d.AtLow) {
			list = append(list, fmt.Sprintf("%s %v: %s", d.Constant, d.Low, short(d.AtLow)))
		}
		if r.holds(d.AtHigh) {
			list = append(list, fmt.Sprintf("%s %v: %s", d.Constant, d.High, short(d.AtHigh)))
		}
	}
	software, err := c.software(k, r, changes(c.profile))
	if err != nil {
		return nil, err
	}
	list = append(list, software...)
	for _, other := range others {
		if other.Spread != nil && r.holds(other.Value) {
			list = append(list, fmt.Sprintf("profile %s: %s", other.profile.Name, short(other.Value)))
		}
	}
	if list == nil && c.Low <= r.To && r.From <= c.High {
		d := c.Depends
		list = append(list, "constants together, most of them "+d[0].Constant+" and "+d[1].Constant)
	}
	if list == nil {
		list, err = c.software(k, r, twice(c.profile))
	}
	if list == nil && err == nil {
		list, err = c.partly(k, r)
	}
	return list, err
}

// partly tells whether a figure is on the other side of where it would hold if all slices are in
// a cache: then it holds with a part of them there.
func (c Cell) partly(k *clock, r Record) ([]string, error) {
	p := c.profile
	p.Slices = "cache"
	v, err := c.what(p)(k.alone())
	if err != nil || (c.Value < r.From || v[0] > r.From) && (c.Value > r.To || v[0] < r.To) {
		return nil, err
	}
	return []string{"slices in part in a cache; with all: " + short(v[0])}, nil
}

// read are the readings with which a figure holds, and those that say why it cannot.
func (c Cell) read(k *clock, r Record, readings []reading) (list []string, err error) {
	for _, x := range readings {
		if x.what == nil {
			list = append(list, x.name)
			continue
		}
		v, err := x.what(c.profile)(k.alone())
		if err != nil {
			return nil, err
		}
		if r.holds(v[0]) {
			list = append(list, x.name+": "+short(v[0]))
		}
	}
	return list, nil
}

// nearest tells which change of the software comes nearest, where none makes a figure hold.
func (c Cell) nearest(k *clock, r Record) (string, error) {
	off := func(v float64) float64 { return max(r.From-v, v-r.To) }
	name, best := "", c.Value
	for _, change := range changes(c.profile) {
		v, err := c.what(change.profile)(k.alone())
		if err != nil {
			return "", err
		}
		if off(v[0]) < off(best) {
			name, best = change.name, v[0]
		}
	}
	if name == "" {
		return "no change of the software comes nearer", nil
	}
	return fmt.Sprintf("nearest with %s: %s", name, short(best)), nil
}

// software are changes of the software with which a figure holds.
func (c Cell) software(k *clock, r Record, changes []change) (list []string, err error) {
	for _, change := range changes {
		v, err := c.what(change.profile)(k.alone())
		if err != nil {
			return nil, err
		}
		if r.holds(v[0]) {
			list = append(list, change.name+": "+short(v[0]))
		}
	}
	return list, nil
}
