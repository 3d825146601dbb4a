package sweep

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// File is a sweep in HCL.
type File struct {
	Name   string
	Run    *Job           `hcl:"run,block"`
	Axes   []*Axis        `hcl:"axis,block"`
	Sample *Sample        `hcl:"sample,block"`
	Drawn  hcl.Expression `hcl:"plots,optional" type:"list of strings" doc:"columns to plot"`

	Plots []string // figures to plot, by column name

	file *hclfile.File
}

// Job describes what every point runs.
type Job struct {
	Program   string         `hcl:"program,label"` // a verb, or the path of a program
	Config    string         `hcl:"config,optional" default:"small" doc:"file for --config"`
	Machine   string         `hcl:"machine,optional" doc:"name or file for --machine"`
	Profile   string         `hcl:"profile,optional" doc:"name or file for --profile"`
	Arguments hcl.Expression `hcl:"arguments,optional" type:"list" doc:"other arguments; axes are variables"`
	At        hcl.Range      `hcl:",def_range"`
}

// Axis is a quantity with its values.
type Axis struct {
	Name      string         `hcl:"name,label"`
	Attribute string         `hcl:"attribute,optional" doc:"attribute to set: block.attribute"`
	Expr      hcl.Expression `hcl:"values" type:"list" doc:"values of the axis, each once"`
	At        hcl.Range      `hcl:",def_range"`

	Values []cty.Value
	places []hcl.Range // positions of the values
}

// Sample restricts a sweep to some points of the grid.
type Sample struct {
	Points int       `hcl:"points" doc:"points of the sample, at most the points of the grid"`
	Seed   uint64    `hcl:"seed" doc:"seed of the sample"`
	At     hcl.Range `hcl:",def_range"`
}

// Limits returns the ranges of the attributes. Parse also compares points with the grid.
func (*Sample) Limits() map[string]limits.Range {
	return map[string]limits.Range{"points": limits.Between(1, most)}
}

// Blocks describes the file of a sweep.
func Blocks() []hclfile.Block { return hclfile.Blocks(File{}) }

// most is the largest number of points.
const most = 1_000_000

// Limits on the characters of a value, and of the arguments of a point. Arguments may use a value
// often.
const (
	mostValue     = 1_000
	mostArguments = 100_000 // the limit of Linux for each argument is 131,072
)

// Load reads a sweep. The error contains all mistakes, with file and line.
func Load(name string) (*File, error) {
	text, err := hclfile.Read(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// Parse is like Load for a text.
func Parse(name string, text []byte) (*File, error) {
	file, err := hclfile.Parse(name, text)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, file: file}
	if err := file.Decode(f); err != nil {
		return nil, err
	}
	if err := file.Value(f.Drawn, nil, &f.Plots); err != nil {
		return nil, err
	}
	return f, f.check()
}

// at returns an error with a position.
func at(place hcl.Range, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", place.Filename, place.Start.Line, fmt.Sprintf(format, args...))
}

// check reads the values of the axes and checks constraints that types do not express.
func (f *File) check() error {
	if f.Run == nil {
		return fmt.Errorf(`%s:1: the block run "PROGRAM" is missing`, f.Name)
	}
	if len(f.Axes) == 0 {
		return fmt.Errorf(`%s:1: there is no block axis "NAME"; expected at least one`, f.Name)
	}
	var errs []error
	names := map[string]bool{}
	for _, a := range f.Axes {
		errs = append(errs, f.checkAxis(a, names))
		names[a.Name] = true
	}
	if err := format.Mistakes(errs...); err != nil {
		return err
	}
	return errors.Join(f.checkUse(), f.checkSize())
}

// reserved lists the columns of every table.
var reserved = []string{"point", "status", "message"}

// checkAxis reads the values of an axis. before contains the names of the previous axes.
func (f *File) checkAxis(a *Axis, before map[string]bool) error {
	if !hclIdentifier(a.Name) {
		return at(a.At, "axis %q: expected a name of letters, digits and _, which does not begin with a digit", a.Name)
	}
	for _, r := range reserved {
		if a.Name == r {
			return at(a.At, "axis %q: this is a column of every table; expected another name", a.Name)
		}
	}
	if before[a.Name] {
		return at(a.At, "axis %q is given twice", a.Name)
	}
	var list cty.Value
	if err := f.file.Value(a.Expr, &hcl.EvalContext{Functions: functions}, &list); err != nil {
		return err
	}
	place := a.Expr.Range()
	if t := list.Type(); !list.IsKnown() || list.IsNull() || !t.IsTupleType() && !t.IsListType() || list.LengthInt() == 0 {
		return at(place, "axis %q: values are %s; expected a list of at least one", a.Name, format.Cut(text(list)))
	}
	a.places = places(a.Expr, list.LengthInt())
	seen := map[string]bool{}
	for i, v := range list.AsValueSlice() {
		place = a.places[i]
		if !v.IsWhollyKnown() || v.IsNull() {
			return at(place, "axis %q: a value is null; expected numbers, strings, booleans, or lists and objects of them", a.Name)
		}
		s := text(v)
		switch {
		case len(s) > mostValue:
			return at(place, "axis %q: the value %s is longer than %s characters", a.Name, format.Cut(s), format.Thousands(mostValue))
		case seen[s]:
			return at(place, "axis %q: the value %s is given twice", a.Name, format.Cut(s))
		}
		seen[s] = true
		a.Values = append(a.Values, v)
	}
	return nil
}

// places returns the positions of the n values of an expression. A computed list, such as range(3),
// has only one position.
func places(e hcl.Expression, n int) (list []hcl.Range) {
	parts, _ := hcl.ExprList(e)
	for i := range n {
		place := e.Range()
		if len(parts) == n {
			place = parts[i].Range()
		}
		list = append(list, place)
	}
	return list
}

// hclIdentifier reports whether a name is valid as a variable and as a column.
func hclIdentifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// checkUse reports axes without an effect, and variables that are not axes.
func (f *File) checkUse() error {
	used := map[string]bool{}
	var errs []error
	for _, v := range f.Run.Arguments.Variables() {
		used[v.RootName()] = true
		if f.axis(v.RootName()) == nil {
			errs = append(errs, at(v.SourceRange(), "there is no axis %q; expected %s", v.RootName(), strings.Join(f.names(), ", ")))
		}
	}
	for _, a := range f.Axes {
		if a.Attribute == "" && !used[a.Name] {
			errs = append(errs, at(a.At, "axis %q changes nothing: it has no attribute, and arguments do not use it", a.Name))
		}
	}
	return format.Mistakes(errs...)
}

// checkSize reports a number of points that exceeds the limits.
func (f *File) checkSize() error {
	n := 1
	for _, a := range f.Axes {
		if n *= len(a.Values); n > 1<<40 {
			break
		}
	}
	if s := f.Sample; s != nil {
		if s.Points < 1 || s.Points > min(n, most) {
			return at(s.At, "points is %d; expected 1 to %d, of which the grid is", s.Points, min(n, most))
		}
		if n > 1<<40 {
			return at(s.At, "the grid has more than %d points", 1<<40)
		}
		return nil
	}
	if n > most {
		return fmt.Errorf("%s:1: the grid has more than %d points; a sample block chooses some", f.Name, most)
	}
	return nil
}

func (f *File) axis(name string) *Axis {
	for _, a := range f.Axes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func (f *File) names() (list []string) {
	for _, a := range f.Axes {
		list = append(list, a.Name)
	}
	return list
}

// Title returns the name of the sweep: the name of its file without folder and extension.
func (f *File) Title() string { return strings.TrimSuffix(filepath.Base(f.Name), ".hcl") }
