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
)

// Plan says what goes wrong.
type Plan struct {
	Seed  uint64 // of what is random
	Rules []Rule
}

// Rule is a fault that happens once or again and again.
type Rule struct {
	Kind  Kind
	Place Place
	// Nth is the first TLP at the place that it may happen to, from 1; After the time
	// before which it does not.
	Nth   int
	After des.Time
	// Probability is that of each TLP from there on; Times is how often it happens at
	// most, 0 for no limit.
	Probability float64
	Times       int
}

// file is a plan in HCL.
type file struct {
	Seed   uint64  `hcl:"seed,optional"`
	Faults []entry `hcl:"fault,block"`
}

type entry struct {
	Kind        string   `hcl:"kind,label"`
	Place       string   `hcl:"place"`
	Nth         *int     `hcl:"nth,optional"`
	After       *int64   `hcl:"after_ps,optional"`
	Probability *float64 `hcl:"probability,optional"`
	Times       *int     `hcl:"times,optional"`

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

// Parse reads a plan; name is that of its file in errors. What is wrong with a fault
// begins with file and line.
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

// rule is the entry with its defaults: once, unless it is by chance.
func (e entry) rule() Rule {
	r := Rule{Kind: Kind(e.Kind), Place: Place(e.Place), Nth: 1, Probability: 1, Times: 1}
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

// check tells what is wrong with the rule of e, and where that stands.
func (e entry) check(r Rule) (at hcl.Range, err error) {
	switch {
	case !slices.Contains(kindsAt(allPlaces()), r.Kind):
		return e.At, fmt.Errorf("there is no fault %q; expected one of %s", r.Kind, list(kindsAt(allPlaces())))
	case !slices.Contains(allPlaces(), r.Place):
		return e.PlaceAt, fmt.Errorf("there is no place %q; expected one of %s", r.Place, list(allPlaces()))
	case !slices.Contains(r.Place.Kinds(), r.Kind):
		return e.At, fmt.Errorf("there is no fault %q at %s; expected one of %s", r.Kind, r.Place, list(r.Place.Kinds()))
	case r.Nth < 1:
		return e.NthAt, fmt.Errorf("nth is %d; expected at least 1", r.Nth)
	case r.After < 0:
		return e.AfterAt, fmt.Errorf("after_ps is %d; expected 0 or more", int64(r.After))
	case !(r.Probability > 0 && r.Probability <= 1):
		return e.ProbabilityAt, fmt.Errorf("probability is %v; expected above 0 and at most 1", r.Probability)
	case r.Times < 0:
		return e.TimesAt, fmt.Errorf("times is %d; expected 0 (no limit) or more", r.Times)
	}
	return at, nil
}

func list[T cmp.Ordered](names []T) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(names)), ", "), "[]")
}
