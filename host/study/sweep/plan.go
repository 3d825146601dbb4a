package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Programs describes the verbs that a sweep can run. It can also run any program by its path.
type Programs struct {
	// Version of all verbs; a part of every key.
	Version string
	// Verbs by name. A verb prints a JSON object if it is called with --json.
	Verbs map[string]Verb
	// Base returns the name and the text of a file of a kind: "config", for which an empty name
	// selects the default, "machine" or "profile".
	Base map[string]func(name string) (file string, text []byte, err error)
}

// Verb is a program whose inputs are HCL files.
type Verb struct {
	Kinds []string // kinds of files; each is passed with a flag of the same name
	// Keys lists the keys of the printed object in the notation of docs/reference/json.md. Plots
	// must match them. Without keys, plots are not checked.
	Keys []string
	// Check reports mistakes in arguments and files, without running the verb.
	Check func(ctx context.Context, arguments []string) error
}

// Kinds of files.
const (
	config  = "config"
	machine = "machine"
	profile = "profile"
)

// Schema identifies the JSON format of a plan.
const Schema = "hotline.sweep/1"

// Plan is a sweep with all its points.
type Plan struct {
	Schema  string   `json:"schema"`
	Version string   `json:"version"` // version of the programs
	Title   string   `json:"title"`
	File    string   `json:"file"` // from which the plan was created
	Program string   `json:"program"`
	Axes    []string `json:"axes"`
	Plots   []string `json:"plots"`
	Sampled bool     `json:"sampled"` // points are a sample of the grid
	Points  []Point  `json:"points"`

	at    hcl.Range
	check func(ctx context.Context, arguments []string) error
	f     *File // axes with their positions
	base  []PointFile
	drawn [][]int // indices of the values of each point
}

// Point is a point of a sweep.
type Point struct {
	Values    []json.RawMessage `json:"values"`    // values of the axes
	Key       string            `json:"key"`       // key of its result; points with the same key have the same result
	Arguments []string          `json:"arguments"` // all arguments except the flags for files
	Files     []PointFile       `json:"files"`
}

// PointFile is an HCL file with the attributes of a point.
type PointFile struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Text string `json:"text"`
}

// Plan creates the points. Errors begin with the position in the sweep.
func (f *File) Plan(p Programs) (*Plan, error) {
	plan := &Plan{Schema: Schema, Version: p.Version, Title: f.Title(), File: f.Name, Program: f.Run.Program, Axes: f.names(), Plots: f.Plots, Sampled: f.Sample != nil, at: f.Run.At}
	verb, err := f.verb(p)
	if err != nil {
		return nil, err
	}
	plan.check = verb.Check
	if err := f.checkPlots(verb.Keys); err != nil {
		return nil, err
	}
	base, err := f.base(p, verb)
	if err != nil {
		return nil, err
	}
	plan.f, plan.base, plan.drawn = f, base, f.grid()
	for _, numbers := range plan.drawn {
		point, err := f.point(base, numbers, none)
		if err != nil {
			return nil, err
		}
		point.Key = key(plan, point)
		plan.Points = append(plan.Points, point)
	}
	return plan, nil
}

// byPath reports whether a program is a path and not a verb.
func byPath(program string) bool { return strings.ContainsAny(program, `/\`) }

// verb returns the verb that the sweep runs. For a program by its path, it returns a verb without
// files.
func (f *File) verb(p Programs) (Verb, error) {
	if byPath(f.Run.Program) {
		if _, err := exec.LookPath(f.Run.Program); err != nil {
			return Verb{}, at(f.Run.At, "%v", err)
		}
		return Verb{Check: func(context.Context, []string) error { return nil }}, nil
	}
	v, ok := p.Verbs[f.Run.Program]
	if !ok {
		return v, at(f.Run.At, "run %q: expected %s, or the path of a program, as ./scripts/random-designs", f.Run.Program, strings.Join(slices.Sorted(maps.Keys(p.Verbs)), ", "))
	}
	return v, nil
}

// base returns the files that points modify.
func (f *File) base(p Programs, v Verb) (list []PointFile, err error) {
	given := map[string]string{config: f.Run.Config, machine: f.Run.Machine, profile: f.Run.Profile}
	for _, kind := range []string{config, machine, profile} {
		takes := slices.Contains(v.Kinds, kind)
		if !takes && given[kind] != "" {
			return nil, at(f.Run.At, "%s is %q, but %s takes no %s", kind, given[kind], f.Run.Program, kind)
		}
		if !takes || given[kind] == "" && kind != config {
			continue
		}
		name, text, err := p.Base[kind](given[kind])
		if err != nil {
			return nil, at(f.Run.At, "%s: %v", kind, err)
		}
		list = append(list, PointFile{kind, filepath.Base(name), string(text)})
	}
	return list, nil
}

// none is the index of no axis.
const none = -1

// point returns a point with its arguments and with the attributes of all axes except the axis
// without.
func (f *File) point(base []PointFile, numbers []int, without int) (p Point, err error) {
	p.Files = slices.Clone(base)
	variables := map[string]cty.Value{}
	for i, a := range f.Axes {
		value := a.Values[numbers[i]]
		v, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			return p, at(a.places[numbers[i]], "%v", err)
		}
		p.Values = append(p.Values, v)
		variables[a.Name] = value
		if a.Attribute != "" && i != without {
			if err := p.set(a, value); err != nil {
				return p, at(a.At, "axis %q: attribute %q: %v", a.Name, a.Attribute, err)
			}
		}
	}
	p.Arguments, err = f.arguments(variables)
	return p, err
}

// set sets the attribute of an axis in the file of its kind.
func (p *Point) set(a *Axis, value cty.Value) error {
	kind, path, _ := strings.Cut(a.Attribute, ".")
	if kind != machine && kind != profile {
		kind, path = config, a.Attribute
	}
	for i := range p.Files {
		if f := &p.Files[i]; f.Kind == kind {
			text, err := override(f.Name, []byte(f.Text), path, value)
			f.Text = string(text)
			return err
		}
	}
	return fmt.Errorf("there is no %s to set it in: expected one in the block run, of a verb that takes it", kind)
}

// arguments returns the arguments of a point.
func (f *File) arguments(variables map[string]cty.Value) (list []string, err error) {
	e := f.Run.Arguments
	var v cty.Value
	if err := f.file.Value(e, &hcl.EvalContext{Variables: variables, Functions: functions}, &v); err != nil {
		return nil, err
	}
	if v.IsNull() {
		return nil, nil
	}
	v, err = convert.Convert(v, cty.List(cty.String))
	if err != nil || !v.IsWhollyKnown() {
		return nil, at(e.Range(), "arguments are not a list of strings and numbers")
	}
	length := 0
	for _, s := range v.AsValueSlice() {
		if s.IsNull() {
			return nil, at(e.Range(), "an argument is null; expected a string or a number")
		}
		list = append(list, s.AsString())
		if length += len(s.AsString()) + 1; length > mostArguments {
			return nil, at(e.Range(), "the arguments are longer than %s characters", format.Thousands(mostArguments))
		}
	}
	return list, nil
}

// key returns a hash of everything on which a result depends, as far as the sweep knows it.
func key(plan *Plan, p Point) string {
	b, err := json.Marshal([]any{plan.Version, plan.Program, p.Arguments, p.Files})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// label returns a description of a point, such as "banks 4, machine v100".
func (p *Plan) label(n int) string {
	var parts []string
	for i, name := range p.Axes {
		parts = append(parts, name+" "+plain(p.Points[n].Values[i]))
	}
	return strings.Join(parts, ", ")
}

// plain formats a value; a string has no quotes.
func plain(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// fileArguments returns the flags for the files of a point in a folder.
func (p Point) fileArguments(dir string) (list []string) {
	for _, f := range p.Files {
		list = append(list, "--"+f.Kind, filepath.Join(dir, f.Name))
	}
	return list
}
