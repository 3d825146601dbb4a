package papers

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// file is the records of a paper, as they are written.
type file struct {
	Title   string      `hcl:"title"`
	Profile string      `hcl:"profile"` // software whose times are compared with the paper's
	Items   []itemBlock `hcl:"item,block"`
}

// itemBlock is rows that have most in common.
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

// attributes are those of an item's rows, and of a row where they differ. The tolerance is a
// share of the value, within an absolute one.
type attributes struct {
	Value     *float64 `hcl:"value,optional"`
	Says      string   `hcl:"says,optional"`
	Low       *float64 `hcl:"low,optional"`
	High      *float64 `hcl:"high,optional"`
	Tolerance *float64 `hcl:"tolerance,optional"`
	Within    *float64 `hcl:"within,optional"`
	Unit      string   `hcl:"unit,optional"`
	Class     Class    `hcl:"class,optional"`
	Role      Role     `hcl:"role,optional"`
	By        string   `hcl:"by,optional"`
	NotRun    string   `hcl:"not_run,optional"`
	Rests     string   `hcl:"rests,optional"`
	Missing   string   `hcl:"missing,optional"`
}

// usualTolerance is that of a time.
const usualTolerance = 0.25

// shelf is the files by paper.
type shelf struct {
	files   map[string]file
	records []Record
	byID    map[string]Record
}

// library reads the embedded files, once. They are part of the program: a test reads them.
var library = sync.OnceValue(func() shelf {
	all := shelf{map[string]file{}, nil, map[string]Record{}}
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
	for _, r := range all.records {
		all.byID[r.ID] = r
	}
	return all
})

// Records are all rows of the papers' tables, paper after paper.
func Records() []Record { return library().records }

// published is the record of an ID that the program names. It panics if there is none.
func published(id string) Record {
	r, ok := library().byID[id]
	if !ok {
		panic("papers: there is no record " + id)
	}
	return r
}

// number is the value of such a record.
func number(id string) float64 { return *published(id).Value }

// parse reads the records of a paper. The error has file and line.
func parse(paper string, text []byte) (file, []Record, error) {
	var f file
	if err := hclfile.Decode(paper+".hcl", text, &f); err != nil {
		return f, nil, fmt.Errorf("papers: %w", err)
	}
	var list []Record
	for _, item := range f.Items {
		common := attributes{Role: HeldOut}
		if err := hclfile.Error(gohcl.DecodeBody(item.Common, nil, &common)); err != nil {
			return f, nil, fmt.Errorf("papers: %w", err)
		}
		for _, row := range item.Rows {
			a := common
			if err := hclfile.Error(gohcl.DecodeBody(row.Own, nil, &a)); err != nil {
				return f, nil, fmt.Errorf("papers: %w", err)
			}
			list = append(list, a.record(paper, item, row.On))
		}
	}
	return f, list, nil
}

// record is a row with the attributes of its item.
func (a attributes) record(paper string, item itemBlock, on string) Record {
	r := Record{
		ID: id(paper, item.Item, item.What, on), Paper: paper, Item: item.Item, What: item.What, On: on, Class: a.Class, Role: a.Role,
		Value: a.Value, Says: a.Says, Unit: a.Unit, By: a.By, NotRun: a.NotRun, Rests: a.Rests, Missing: a.Missing,
	}
	if a.NotRun != "" {
		r.By = "" // a row of an item that is evaluated
	}
	r.From, r.To = a.bounds()
	if r.Says == "" && a.Value != nil {
		r.Says = strconv.FormatFloat(*a.Value, 'f', -1, 64)
	}
	return r
}

// bounds are from where to where a row holds: that of orders is none the other way round.
func (a attributes) bounds() (from, to float64) {
	switch {
	case a.Low != nil && a.High != nil:
		return *a.Low, *a.High
	case a.Low != nil:
		return *a.Low, math.MaxFloat64
	case a.Value == nil:
		return 0, 0
	case a.Within != nil:
		return *a.Value - *a.Within, *a.Value + *a.Within
	case a.Tolerance != nil:
		return *a.Value * (1 - *a.Tolerance), *a.Value * (1 + *a.Tolerance)
	case a.Class == Timing:
		return *a.Value * (1 - usualTolerance), *a.Value * (1 + usualTolerance)
	}
	return *a.Value, *a.Value
}

// id names a row: paper, item, what and on, in small letters.
func id(parts ...string) string {
	for i, p := range parts {
		parts[i] = slug(p)
	}
	return strings.Join(parts, "/")
}

// slug keeps letters, digits and points of numbers; what is between becomes a dash.
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
