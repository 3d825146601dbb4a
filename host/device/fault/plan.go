package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Plan specifies what goes wrong.
type Plan struct {
	Seed  uint64 // of the random rules
	Rules []Rule
}

// Rule is a fault that occurs once or repeatedly.
type Rule struct {
	Kind  Kind  `json:"kind"`
	Place Place `json:"place"`
	// Nth is the first TLP at the place that the fault may affect, counted from 1. The fault does
	// not occur before time After.
	Nth   int      `json:"-"`
	After des.Time `json:"-"`
	// Probability applies to each TLP from there on. Times is the maximum number of occurrences, 0
	// for no limit.
	Probability float64 `json:"-"`
	Times       int     `json:"-"`
	// Required makes it an error of the run if the fault never occurs.
	Required bool `json:"required"`
}

// String returns the kind and the place.
func (r Rule) String() string { return fmt.Sprintf("%s at %s", r.Kind, r.Place) }

// file is the HCL form of a plan.
type file struct {
	Seed   uint64  `hcl:"seed,optional" doc:"seed of faults with a probability"`
	Faults []entry `hcl:"fault,block"`
}

type entry struct {
	Kind        string   `hcl:"kind,label"`
	Place       string   `hcl:"place" doc:"traffic that the fault affects"`
	Nth         *int     `hcl:"nth,optional" doc:"first TLP at the place that the fault may affect"`
	After       *int64   `hcl:"after_ps,optional" unit:"ps" doc:"earliest time"`
	Probability *float64 `hcl:"probability,optional" doc:"probability for each TLP from there on"`
	Times       *int     `hcl:"times,optional" default:"1; with a probability 0" doc:"most occurrences; 0: no limit"`
	Required    bool     `hcl:"required,optional" doc:"fail the run if the fault never occurs"`

	At            hcl.Range `hcl:",def_range"`
	PlaceAt       hcl.Range `hcl:"place,attr_range"`
	NthAt         hcl.Range `hcl:"nth,attr_range"`
	AfterAt       hcl.Range `hcl:"after_ps,attr_range"`
	ProbabilityAt hcl.Range `hcl:"probability,attr_range"`
	TimesAt       hcl.Range `hcl:"times,attr_range"`
}

// Load reads a plan from a file.
func Load(name string) (*Plan, error) {
	text, err := hclfile.Read(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// Parse parses a plan. It uses name as the file name in errors. Errors about a fault begin with
// file and line.
func Parse(name string, text []byte) (*Plan, error) {
	if !strings.HasSuffix(name, ".hcl") {
		return nil, fmt.Errorf("%s: expected a file that ends with .hcl", name)
	}
	var f file
	if err := hclfile.Decode(name, text, &f); err != nil {
		return nil, err
	}
	if len(f.Faults) == 0 {
		return nil, fmt.Errorf("%s: there is no fault; expected blocks as fault \"timeout\" { place = \"dma_rd\" }", name)
	}
	p := &Plan{Seed: f.Seed}
	var errs []error
	for _, e := range f.Faults {
		r := e.rule()
		if at, err := e.check(r); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, at.Start.Line, err))
		}
		p.Rules = append(p.Rules, r)
	}
	return p, format.Mistakes(errs...)
}

// rule returns the entry with its defaults. A rule without a probability occurs once by default.
func (e entry) rule() Rule {
	r := Rule{Kind: Kind(e.Kind), Place: Place(e.Place), Nth: 1, Probability: 1, Times: 1, Required: e.Required}
	if e.Probability != nil {
		r.Probability, r.Times = *e.Probability, 0
	}
	if e.Nth != nil {
		r.Nth = *e.Nth
	}
	if e.After != nil {
		r.After = des.Time(*e.After)
	}
	if e.Times != nil {
		r.Times = *e.Times
	}
	return r
}

// check returns the first error in the rule of e and its source range.
func (e entry) check(r Rule) (at hcl.Range, err error) {
	switch {
	case !slices.Contains(kindsAt(allPlaces()), r.Kind):
		return e.At, fmt.Errorf("there is no fault %q; expected one of %s", r.Kind, list(kindsAt(allPlaces())))
	case !slices.Contains(allPlaces(), r.Place):
		return e.PlaceAt, fmt.Errorf("there is no place %q; expected one of %s", r.Place, list(allPlaces()))
	case !slices.Contains(r.Place.Kinds(), r.Kind):
		return e.At, fmt.Errorf("there is no fault %q at %s; expected one of %s", r.Kind, r.Place, list(r.Place.Kinds()))
	}
	name, err := limits.First(e)
	return map[string]hcl.Range{"nth": e.NthAt, "after_ps": e.AfterAt, "probability": e.ProbabilityAt, "times": e.TimesAt}[name], err
}

// Check returns the first error in the rule.
func (r Rule) Check() error {
	after := int64(r.After)
	_, err := entry{Kind: string(r.Kind), Place: string(r.Place), Nth: &r.Nth, After: &after, Probability: &r.Probability, Times: &r.Times}.check(r)
	return err
}

// HCL returns the plan as a file.
func (p *Plan) HCL() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed = %d\n", p.Seed)
	for _, r := range p.Rules {
		b.WriteString(r.HCL())
	}
	return b.String()
}

// HCL returns the rule as a block of a plan.
func (r Rule) HCL() string {
	return fmt.Sprintf("fault %q {\n  place       = %q\n  nth         = %d\n  after_ps    = %d\n  probability = %v\n  times       = %d\n  required    = %v\n}\n",
		r.Kind, r.Place, r.Nth, r.After, r.Probability, r.Times, r.Required)
}

// Limits returns the ranges of the attributes of a fault.
func (entry) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"place": limits.OneOf(allPlaces()...), "nth": limits.AtLeast(1), "after_ps": limits.AtLeast(0),
		"probability": limits.Share(), "times": limits.AtLeast(0),
	}
}

// Blocks describes the file of a plan.
func Blocks() []hclfile.Block {
	r := entry{}.rule()
	after := int64(r.After)
	return hclfile.Blocks(file{Faults: []entry{{Nth: &r.Nth, After: &after, Probability: &r.Probability, Times: &r.Times}}})
}

func list[T cmp.Ordered](names []T) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(names)), ", "), "[]")
}
