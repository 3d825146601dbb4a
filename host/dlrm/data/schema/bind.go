package schema

import (
	"errors"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/record"
)

// setter sets values of an input from the values of a column. If they are bad, it returns what it
// found and what it expected.
type setter func(in *Input, values [][]byte) (found []byte, want string)

// bind creates the fields and the tables. The fields of CSV and TSV are in the order of the line,
// so that the first bad field is reported.
func (l *Log) bind(rule index.Rule) error {
	s := l.schema
	var errs []error
	add := func(set setter, name string) { errs = append(errs, l.add(name, set)) }
	for _, c := range s.Checks {
		for _, name := range c.Columns {
			add(s.check(c), name)
		}
	}
	if s.Label != nil {
		add(label(s.Label), s.Label.Column)
	}
	for _, d := range s.Dense {
		for _, name := range d.Columns {
			add(s.dense(d, l.Dense), name)
			l.Dense++
		}
	}
	if h := s.History; h != nil {
		c := &Categorical{Kind: "decimal", Most: 1, Required: true}
		for i, name := range []string{h.User, h.Item, h.Category} {
			add(s.categorical(c, i), name)
			l.Tables = append(l.Tables, Table{[]string{"user", "item", "category"}[i], 1, rule})
		}
		add(visitTime, h.Time)
	}
	slot := 0
	for _, c := range s.Categorical {
		for _, name := range l.columns(c) {
			add(s.categorical(c, slot), name)
			l.Tables = append(l.Tables, Table{name, c.Most, c.rule(rule)})
			slot += c.Most
		}
	}
	slices.SortStableFunc(l.fields, func(a, b field) int { return a.column - b.column })
	return errors.Join(errs...)
}

// columns returns the columns of a block. By default these are all that no other block names.
func (l *Log) columns(c *Categorical) []string {
	if c.Columns != nil {
		return c.Columns
	}
	s := l.schema
	var named []string
	if s.Label != nil {
		named = append(named, s.Label.Column)
	}
	for _, d := range s.Dense {
		named = append(named, d.Columns...)
	}
	for _, c := range s.Checks {
		named = append(named, c.Columns...)
	}
	for _, c := range s.Categorical {
		named = append(named, c.Columns...)
	}
	if s.Format == record.NPZ {
		for i, name := range named {
			named[i], _, _ = strings.Cut(name, "[") // a column of an array
		}
	}
	return slices.DeleteFunc(slices.Clone(l.layout.Columns), func(name string) bool { return slices.Contains(named, name) })
}

// takesRest reports whether a block has the columns that no other block names.
func (s *Schema) takesRest() bool {
	return slices.ContainsFunc(s.Categorical, func(c *Categorical) bool { return c.Columns == nil })
}

// rule returns the index rule of the columns.
func (c *Categorical) rule(otherwise index.Rule) index.Rule {
	switch {
	case c.Vocabulary != nil:
		return index.MaxIndRange(len(c.Vocabulary) + 1) // the ids are the rows
	case c.Rows != nil:
		return index.Hash(*c.Rows)
	}
	return otherwise
}

// value returns the only value of a column, or nil if it is missing.
func (s *Schema) value(values [][]byte) (value []byte, ok bool) {
	switch {
	case len(values) == 0 || len(values) == 1 && s.isEmpty(values[0]):
		return nil, true
	case len(values) == 1:
		return values[0], true
	}
	return joined(values), false
}

func (s *Schema) isEmpty(value []byte) bool {
	return len(value) == 0 || len(s.Empty) > 0 && slices.Contains(s.Empty, string(value))
}

const wantOne = "a single value"

func label(l *Label) setter {
	return func(in *Input, values [][]byte) ([]byte, string) {
		if len(values) != 1 {
			return joined(values), "a label"
		}
		v := values[0]
		if l.Positive != nil {
			in.Label = 0
			if slices.Contains(l.Positive, string(v)) {
				in.Label = 1
			}
			return nil, ""
		}
		if len(v) != 1 || v[0] != '0' && v[0] != '1' {
			return v, "0 or 1"
		}
		in.Label = float32(v[0] - '0')
		return nil, ""
	}
}

// dense returns the setter of dense feature i.
func (s *Schema) dense(d *Dense, i int) setter {
	n := numbers[d.Kind]
	return func(in *Input, values [][]byte) ([]byte, string) {
		v, ok := s.value(values)
		switch {
		case !ok:
			return v, wantOne
		case v == nil && !d.Required:
			in.Dense[i] = float32(d.Missing)
			return nil, ""
		}
		x, ok := n.parse(v)
		if !ok {
			return v, n.want
		}
		if d.Transform == "log" {
			in.Dense[i] = logCount(x)
		} else {
			in.Dense[i] = float32(x)
		}
		return nil, ""
	}
}

// categorical returns the setter of the ids from slot at on.
func (s *Schema) categorical(c *Categorical, at int) setter {
	kind := ids[c.Kind]
	missing := uint64(index.Missing)
	if c.Vocabulary != nil {
		missing = uint64(len(c.Vocabulary))
		kind.parse = vocabulary(c.Vocabulary)
	}
	var parts [][]byte
	return func(in *Input, values [][]byte) ([]byte, string) {
		if c.Split != "" {
			parts = split(parts[:0], values, c.Split[0])
			values = parts
		}
		if c.Most == 1 && len(values) > 1 {
			return joined(values), wantOne
		}
		slots := in.IDs[at : at+c.Most]
		n := 0
		for _, v := range values {
			if n == c.Most {
				break
			}
			if s.isEmpty(v) {
				continue
			}
			id, ok := kind.parse(v)
			if !ok {
				return v, kind.want
			}
			slots[n] = id
			n++
		}
		if n == 0 && c.Required {
			return nil, kind.want
		}
		for ; n < c.Most; n++ {
			slots[n] = missing
		}
		return nil, ""
	}
}

// check returns the setter of a column that is not used.
func (s *Schema) check(c *Check) setter {
	return func(_ *Input, values [][]byte) ([]byte, string) {
		v, ok := s.value(values)
		if !ok {
			return v, wantOne
		}
		if c.Values != nil {
			if !slices.Contains(c.Values, string(v)) {
				return v, listed(c.Values)
			}
			return nil, ""
		}
		return v, valid(c.Kind, v)
	}
}

func visitTime(in *Input, values [][]byte) (found []byte, want string) {
	if len(values) == 1 {
		found = values[0]
	}
	t, ok := parseInt(found)
	in.Time = t
	if !ok {
		return found, "an integer"
	}
	return nil, ""
}
