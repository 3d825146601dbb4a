package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"thousands": format.Thousands,
	"count":     func(n int) string { return format.Thousands(int64(n)) },
	"percent":   func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) },
}).Parse(pageText))

// fact is a line of a list.
type fact struct{ Label, Text string }

// htmlPage contains the content of the page, section by section.
type htmlPage struct {
	*Report
	Heading        string
	Many           bool // many systems, so that long parts are collapsed
	Style          template.CSS
	Facts, Outcome []fact
	Comparisons    []Comparison
	SpeedUps       []*speedUpTable
	Staleness      template.HTML
	Stacks         template.HTML
	Reading        string
	Phases         []phaseTable
	Timelines      []miniBatchSection
	Series         []template.HTML
	Counts         []fact
	Machine        *machine.Machine
	Software       []fact
	Effective      []fact
}

// WriteHTML writes the report as a self-contained page with plots. The page is also well-formed
// XML. It contains the timelines that the job requested with HTML.
func (r *Report) WriteHTML(w io.Writer) error {
	p := htmlPage{
		Report: r, Heading: r.heading(), Many: len(r.Systems) > few, Style: template.CSS(picture.Style), Facts: r.facts(), Comparisons: r.comparisonsOfPage(), SpeedUps: r.speedUpTables(), Staleness: r.staleness(), Phases: r.phaseTables(), Stacks: r.stacks(), Reading: r.reading(), Timelines: r.miniBatchSections(),
		Series: r.seriesPictures(), Machine: r.On, Software: r.softwareFacts(), Effective: effective("", r.Configuration),
	}
	p.Outcome = printed(r.printMore)
	if r.Accelerator != nil {
		p.Counts = printed(r.Accelerator.print)
	}
	var b strings.Builder
	if err := page.Execute(&b, p); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Map(inXML, b.String()))
	return err
}

// few is the largest number of systems that are named in the heading and whose parts are expanded.
const few = 3

func (r *Report) heading() string {
	if len(r.Systems) > few {
		return fmt.Sprintf("%s on %s", format.Plural(len(r.Systems), "system"), r.Data)
	}
	var list []string
	for _, s := range r.Systems {
		list = append(list, s.System)
	}
	return strings.Join(list, ", ") + " on " + r.Data
}

// inXML replaces characters that are invalid in XML.
func inXML(c rune) rune {
	if c < ' ' && c != '\n' && c != '\t' || c == 0xfffe || c == 0xffff {
		return '\ufffd'
	}
	return c
}

// facts returns the inputs on which a result depends.
func (r *Report) facts() []fact {
	where := r.Source.Kind
	if r.Source.Path != "" {
		where += ", " + r.Source.Path
	}
	list := []fact{
		{"configuration", r.Config}, {"data", fmt.Sprintf("%s (%s)", r.Data, where)},
		{"mini-batches", fmt.Sprintf("%s, %s inputs", format.Thousands(int64(r.MiniBatches)), format.Thousands(int64(r.Inputs)))},
		{"servers", fmt.Sprintf("%s with %s each", format.Plural(r.Nodes, "server"), format.Plural(r.GPUs, "GPU"))},
		{"machine", r.Machine}, {"software profile", r.Profile}, {"seed", fmt.Sprint(r.Seed)}, {"version", r.Version},
	}
	if r.Epochs != nil {
		list = append(list, fact{"epochs", r.Epochs.String()})
	}
	if r.Resumed > 0 {
		list = append(list, fact{"resumed", fmt.Sprintf("behind %s; those of this page are counted from there", format.Plural(r.Resumed, "mini-batch"))})
	}
	if r.On != nil {
		list[4].Text += ": " + r.On.Title
		list[5].Text += ": " + r.Software.Title
	}
	return list
}

func (r *Report) softwareFacts() []fact {
	p := r.Software
	return []fact{
		{"processes", p.Processes}, {"launch", p.Launch}, {"loader", p.Loader}, {"tables", p.Tables}, {"cpu", p.CPU}, {"copies", p.Copies},
		{"hot_exchange", p.HotExchange}, {"replicate", fmt.Sprint(p.Replicate)}, {"pipelined", fmt.Sprint(p.Pipelined)},
		{"slices", p.Slices}, {"misses", p.Misses},
	}
}

// effective lists the attributes of a configuration, sorted by name.
func effective(prefix string, values map[string]any) []fact {
	var list []fact
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if block, ok := values[name].(map[string]any); ok {
			list = append(list, effective(prefix+name+".", block)...)
			continue
		}
		text, err := json.Marshal(values[name])
		if err != nil {
			panic(err) // --json encodes the same values
		}
		list = append(list, fact{prefix + name, string(text)})
	}
	return list
}

// printed returns the lines that print prints.
func printed(print func(printer)) []fact {
	var list []fact
	print(func(label, format string, args ...any) {
		list = append(list, fact{strings.TrimSpace(label), fmt.Sprintf(format, args...)})
	})
	return list
}
