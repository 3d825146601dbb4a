package cover

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Schema identifies the format of a Record's file.
const Schema = "hotline.cover/1"

// Record contains what runs of one design have exercised.
type Record struct {
	Schema string `json:"schema"`
	Design string `json:"design"` // name of the top module
	Hash   string `json:"hash"`   // of the simulated design
	Runs   int    `json:"runs"`
	Cycles uint64 `json:"cycles"` // sum over all runs

	Bits       []Bits      `json:"bits"`
	Values     []Values    `json:"values"`
	Conditions []Condition `json:"conditions"`
}

// Point identifies the signal of an entry.
type Point struct {
	Path   string `json:"path"` // hierarchy below the top
	Module string `json:"module"`
	Name   string `json:"name"`  // of the signal in the module
	Place  string `json:"place"` // of its declaration, file:line, or ""
}

// Bits records which bits of a register or port rose and which fell.
type Bits struct {
	Point
	Width int  `json:"width"`
	Rise  Mask `json:"rise"`
	Fall  Mask `json:"fall"`
}

// Values lists the named values of a register or port and whether each occurred.
type Values struct {
	Point
	Names []string `json:"names"`
	Seen  []bool   `json:"seen"`
}

// Condition is a condition of Module.Cover with the number of times that it became true.
type Condition struct {
	Point
	Text  string `json:"text"`
	Times uint64 `json:"times"`
}

// Record returns what r has recorded so far.
func (r *Recorder) Record() *Record {
	if r.first > 0 && r.cycles == r.first {
		r.noteAll()
	}
	out := &Record{Schema: Schema, Design: r.plan.Design.Top.Name, Hash: ir.Hash(r.plan.Design), Runs: 1, Cycles: r.cycles}
	for i, x := range r.plan.points {
		s, p := r.seen[i], Point{x.path, x.module, x.sig.Name, source(x.sig.Pos)}
		switch a := r.plan.conditions[x.sig]; {
		case a != nil:
			out.Conditions = append(out.Conditions, Condition{p, a.Text, s.times})
		case s.values != nil:
			v := Values{Point: p, Seen: append([]bool(nil), s.values...)}
			for _, value := range x.sig.Enum.Values {
				v.Names = append(v.Names, value.Name)
			}
			out.Values = append(out.Values, v)
		default:
			out.Bits = append(out.Bits, Bits{p, x.width, slices.Clone(s.rise), slices.Clone(s.fall)})
		}
	}
	return out
}

// source returns the source position of a declaration, or "" if it is unknown.
func source(p ir.Pos) string {
	frames := p.Frames()
	if len(frames) == 0 {
		return ""
	}
	return frames[0].String()
}

// Merge adds the record o of other runs of the same design to r.
func (r *Record) Merge(o *Record) error {
	if r.Hash != o.Hash {
		return fmt.Errorf("records of two designs, %s (%.12s) and %s (%.12s), cannot be merged", r.Design, r.Hash, o.Design, o.Hash)
	}
	if !r.countsAs(o) {
		return fmt.Errorf("records of %s (%.12s) in which not the same counts cannot be merged: one is damaged, or of another version", r.Design, r.Hash)
	}
	r.Runs, r.Cycles = r.Runs+o.Runs, r.Cycles+o.Cycles
	for i := range r.Bits {
		b, c := &r.Bits[i], o.Bits[i]
		b.Rise.add(c.Rise)
		b.Fall.add(c.Fall)
	}
	for i, v := range r.Values {
		for k := range v.Seen {
			v.Seen[k] = v.Seen[k] || o.Values[i].Seen[k]
		}
	}
	for i := range r.Conditions {
		r.Conditions[i].Times += o.Conditions[i].Times
	}
	return nil
}

// countsAs reports whether both records have the same entries.
func (r *Record) countsAs(o *Record) bool {
	return slices.EqualFunc(r.Bits, o.Bits, func(a, b Bits) bool { return a.Point == b.Point && a.Width == b.Width }) &&
		slices.EqualFunc(r.Values, o.Values, func(a, b Values) bool { return a.Point == b.Point && slices.Equal(a.Names, b.Names) }) &&
		slices.EqualFunc(r.Conditions, o.Conditions, func(a, b Condition) bool { return a.Point == b.Point && a.Text == b.Text })
}

// Both returns the bits that rose and also fell.
func (b Bits) Both() Mask {
	out := slices.Clone(b.Rise)
	for i := range out {
		out[i] &= b.Fall[i]
	}
	return out
}

// Save writes r to a file.
func (r *Record) Save(file string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return outfile.WriteBytes(file, append(text, '\n'))
}

// Load reads a file written by Save. The error names the file and the problem.
func Load(file string) (*Record, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: not a record of coverage: %w", file, err)
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// check validates a record that was read from a file.
func (r *Record) check() error {
	if r.Schema != Schema {
		return fmt.Errorf("schema is %q, expected %q; record the coverage again with --cover", r.Schema, Schema)
	}
	for _, b := range r.Bits {
		if n := ir.Words(b.Width); b.Width < 1 || len(b.Rise) != n || len(b.Fall) != n {
			return fmt.Errorf("%s: expected numbers of %d bits, with 16 digits for each 64", b.Path, b.Width)
		}
	}
	for _, v := range r.Values {
		if len(v.Names) != len(v.Seen) {
			return errors.New(v.Path + ": expected as many names as values")
		}
	}
	return nil
}
