package papers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// file is the HCL file of a paper.
type file struct {
	Title     string          `hcl:"title"`
	Profile   string          `hcl:"profile"` // software profile of the paper's times
	Loader    string          `hcl:"loader,optional"`
	Cause     *Cause          `hcl:"cause,block"`
	Workloads []workloadBlock `hcl:"workload,block"`
	Groups    []group         `hcl:"group,block"`
	Items     []itemBlock     `hcl:"item,block"`
}

// workloadBlock is a workload, or its differences from a workload above it.
type workloadBlock struct {
	Name string   `hcl:"name,label"`
	Like string   `hcl:"like,optional"`
	Own  hcl.Body `hcl:",remain"`
}

// group is a name for several workloads.
type group struct {
	Name      string   `hcl:"name,label"`
	Workloads []string `hcl:"workloads"`
}

// itemBlock is a series of a figure or a table, whose rows have most attributes in common.
type itemBlock struct {
	Item   string     `hcl:"item,label"`
	What   string     `hcl:"what,label"`
	Rows   []rowBlock `hcl:"row,block"`
	Common hcl.Body   `hcl:",remain"`
}

type rowBlock struct {
	On  string   `hcl:"on,label"`
	Own hcl.Body `hcl:",remain"`
}

// attributes describe the rows of an item. A row may override each of them.
type attributes struct {
	Value  *float64 `hcl:"value,optional"`
	Says   string   `hcl:"says,optional"`
	Low    *float64 `hcl:"low,optional"`
	High   *float64 `hcl:"high,optional"`
	Within *float64 `hcl:"within,optional"` // tolerance relative to the value, in both directions
	Unit   string   `hcl:"unit,optional"`
	Class  Class    `hcl:"class,optional"`
	Rule   string   `hcl:"rule,optional"`
	NotRun string   `hcl:"not_run,optional"`
	Long   bool     `hcl:"long,optional"`

	Rest       hcl.Body `hcl:",remain"` // parameters
	parameters parameters
}

// decode reads attributes. Attributes that the body omits keep their values.
func (a *attributes) decode(body hcl.Body) error {
	diags := gohcl.DecodeBody(body, nil, a)
	if !diags.HasErrors() {
		diags = gohcl.DecodeBody(a.Rest, nil, &a.parameters)
	}
	if err := hclfile.Error(diags); err != nil {
		return fmt.Errorf("papers: %w", err)
	}
	return nil
}

// shelf contains the files by paper.
type shelf struct {
	files   map[string]file
	records []Record
}

// library reads the embedded files once. They are part of the program, and a test checks them.
var library = sync.OnceValue(func() shelf {
	all := shelf{files: map[string]file{}}
	for _, paper := range Names() {
		text, err := recordFiles.ReadFile("records/" + paper + ".hcl")
		if err != nil {
			panic(err)
		}
		f, list, err := parse(paper, text)
		if err != nil {
			panic(err)
		}
		all.files[paper] = f
		all.records = append(all.records, list...)
	}
	return all
})

// Records returns the rows of all papers.
func Records() []Record { return library().records }

// parse reads the rows of a paper. The error contains the file and the line.
func parse(paper string, text []byte) (file, []Record, error) {
	var f file
	if err := hclfile.Decode(paper+".hcl", text, &f); err != nil {
		return f, nil, fmt.Errorf("papers: %w", err)
	}
	workloads, groups := map[string]Workload{}, map[string][]string{}
	for _, g := range f.Groups {
		groups[g.Name] = g.Workloads
	}
	for _, block := range f.Workloads {
		w, ok := workloads[block.Like]
		if !ok && block.Like != "" {
			return f, nil, fmt.Errorf("papers: %s.hcl: workload %q: there is no workload %q above it", paper, block.Name, block.Like)
		}
		w.Name = block.Name
		if err := hclfile.Error(gohcl.DecodeBody(block.Own, nil, &w)); err != nil {
			return f, nil, fmt.Errorf("papers: %w", err)
		}
		workloads[w.Name] = w
	}
	var list []Record
	for _, item := range f.Items {
		var common attributes
		if err := common.decode(item.Common); err != nil {
			return f, nil, err
		}
		for _, row := range item.Rows {
			a := common
			if err := a.decode(row.Own); err != nil {
				return f, nil, err
			}
			if w := a.parameters.Workloads; len(w) == 1 && groups[w[0]] != nil {
				a.parameters.Workloads = groups[w[0]]
			}
			r, err := a.record(paper, item, row.On, workloads)
			if err != nil {
				return f, nil, fmt.Errorf("papers: %s.hcl: %s: %w", paper, r.ID, err)
			}
			list = append(list, r)
		}
	}
	return f, list, nil
}

// record returns a row with the attributes of its item.
func (a attributes) record(paper string, item itemBlock, on string, workloads map[string]Workload) (Record, error) {
	r := Record{
		ID: id(paper, item.Item, item.What, on), Paper: paper, Item: item.Item, What: item.What, On: on, Class: a.Class,
		Unit: a.Unit, Rule: a.Rule, NotRun: a.NotRun, Long: a.Long, parameters: a.parameters,
	}
	r.Value, r.Says = a.Value, a.Says
	if a.Value != nil && a.Says == "" {
		r.Says = strconv.FormatFloat(*a.Value, 'f', -1, 64)
	}
	if a.NotRun != "" {
		r.Measure = "" // a row of an item that is evaluated
	}
	var err error
	if r.From, r.To, err = a.bounds(); err != nil {
		return r, err
	}
	if r.cases, err = a.parameters.expand(workloads); err != nil {
		return r, err
	}
	return r, r.check()
}

// check reports what is missing for a row to be evaluated or understood.
func (r Record) check() error {
	result := slices.Contains(Results, r.Class)
	_, counted := counts[r.Measure]
	_, clocked := times[r.Measure]
	_, reduced := reductions[r.Reduce]
	switch {
	case !result && !slices.Contains(Listed, r.Class):
		return fmt.Errorf("there is no class %q", r.Class)
	case r.Says == "":
		return fmt.Errorf("it has neither value nor says")
	case r.Measure == "" && r.NotRun == "" && result:
		return fmt.Errorf("it has neither measure nor not_run")
	case r.Measure != "" && r.Measure != "order" && !counted && !clocked:
		return fmt.Errorf("there is no measure %q", r.Measure)
	case r.Measure == "order" && (len(r.Systems) < 2 || len(r.Systems) != len(r.Times)):
		return fmt.Errorf("%d systems have %d times", len(r.Systems), len(r.Times))
	case !reduced:
		return fmt.Errorf("there is no reduction %q", r.Reduce)
	case r.Measure != "" && !(counted && len(r.Workloads) == 0) && len(r.cases) == 0:
		return fmt.Errorf("it has no workload")
	}
	return nil
}

// Minimum and maximum ratio of our gain, or time, to the published value.
const (
	leastPart = 3. / 4
	mostPart  = 4. / 3
)

// bounds returns the bounds within which a row holds: its own bounds, or the bounds of its class. A
// speed-up is judged by its gain, so that a model without any effect does not hold.
func (a attributes) bounds() (from, to float64, err error) {
	from, to = -math.MaxFloat64, math.MaxFloat64
	switch v := a.Value; {
	case a.Low != nil || a.High != nil:
		if a.Low != nil {
			from = *a.Low
		}
		if a.High != nil {
			to = *a.High
		}
		if a.Class == Trend && a.Low != nil {
			from = math.Nextafter(from, math.Inf(1)) // a series that does not change has no trend
		}
	case v == nil:
		return 0, 0, nil
	case a.Within != nil:
		from, to = *v-*a.Within, *v+*a.Within
	case a.Class != Timing && a.Class != Functional:
		from, to = *v, *v
	case a.Unit == "x" && *v == 1:
		return 0, 0, fmt.Errorf("a speed-up of 1 needs bounds")
	case a.Unit == "x":
		from, to = 1+(*v-1)*leastPart, 1+(*v-1)*mostPart
	default:
		from, to = *v*leastPart, *v*mostPart
	}
	return min(from, to), max(from, to), nil
}

// id returns the name of a row: paper, item, what and on, in lower case.
func id(parts ...string) string {
	for i, p := range parts {
		parts[i] = slug(p)
	}
	return strings.Join(parts, "/")
}

// slug keeps letters, digits and decimal points, and replaces everything between them by a dash.
func slug(text string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(strings.ReplaceAll(text, ",", "")) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.':
			b.WriteRune(c)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}
