package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// Comparison is a table that compares the systems, one in each row.
type Comparison struct {
	Title, Note string
	Columns     []table.Column
	Rows        [][]string
	Text        string // follows the table
}

func names(columns ...string) []table.Column {
	list := []table.Column{text("system")}
	for _, c := range columns {
		list = append(list, table.Column{Name: c})
	}
	return list
}

// text returns a column of text.
func text(name string) table.Column { return table.Column{Name: name, Text: true} }

// Comparisons returns all comparisons of a report.
func (r *Report) Comparisons() []Comparison {
	list := []Comparison{r.times(), r.breakdown(), r.traffic()}
	if len(r.SpeedUps) > 0 {
		list = append(list, r.speedUps(), r.dependences())
	}
	list = append(list, r.models())
	if epochs := r.epochs(); len(epochs.Rows) > 0 {
		list = append(list, epochs)
	}
	if audits := r.audits(); len(audits.Rows) > 0 {
		list = append(list, audits)
	}
	return list
}

// withoutEmpty omits columns in which all cells are empty.
func (c Comparison) withoutEmpty() Comparison {
	out := Comparison{Title: c.Title, Note: c.Note, Text: c.Text, Rows: make([][]string, len(c.Rows))}
	for i, column := range c.Columns {
		if !slices.ContainsFunc(c.Rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		out.Columns = append(out.Columns, column)
		for j, row := range c.Rows {
			out.Rows[j] = append(out.Rows[j], row[i])
		}
	}
	return out
}

// times compares the times of a mini-batch.
func (r *Report) times() Comparison {
	c := Comparison{
		Title: "Time of a mini-batch", Note: fmt.Sprintf("simulated: %s, profile %s; in brackets the range over their constants", r.Machine, r.Profile),
		Columns: append(names("time", "range"), text("bound by"), text("idle")),
		Text:    r.reading(),
	}
	for _, s := range r.Systems {
		if why := s.missing(); why != "" {
			c.Rows = append(c.Rows, []string{s.System, why, "", "", ""})
			continue
		}
		time, low, high := s.time()
		c.Rows = append(c.Rows, []string{s.System, time, fmt.Sprintf("(%s to %s)", low, high), s.BoundBy, s.Idle})
	}
	return c.withoutEmpty()
}

// reading returns sentences that explain the times, or "" without tables.
func (r *Report) reading() string {
	if r.TableBytes == 0 {
		return ""
	}
	gpu, gpus := r.On.GPUMemoryGiB*(1<<30), r.GPUs*r.Nodes
	bytes, all := float64(r.TableBytes), gpu*float64(gpus)
	text := fmt.Sprintf("The embedding tables (%s) exceed the memory of all GPUs (%s), so rows must stay in host memory.", format.Bytes(bytes), format.Bytes(all))
	switch {
	case bytes <= gpu:
		text = fmt.Sprintf("The embedding tables (%s) fit into one GPU (%s), so systems that keep all rows on GPUs have an advantage.", format.Bytes(bytes), format.Bytes(gpu))
	case bytes <= all:
		text = fmt.Sprintf("The embedding tables (%s) exceed one GPU (%s) but fit into all of them (%s), so systems that distribute the tables need no host memory.",
			format.Bytes(bytes), format.Bytes(gpu), format.Bytes(all))
	}
	if bound := r.boundBy(); bound != "" {
		text += fmt.Sprintf(" All systems are bound by the %s.", bound)
	}
	return text
}

// boundBy returns the resource by which all of several systems are bound, or "".
func (r *Report) boundBy() string {
	bound, n := "", 0
	for _, s := range r.Systems {
		if s.missing() != "" {
			continue
		}
		if n++; n > 1 && s.BoundBy != bound {
			return ""
		}
		bound = s.BoundBy
	}
	if n < 2 {
		return ""
	}
	return bound
}

// leastShare is the smallest share of a phase that is printed.
const leastShare = 0.01

// breakdown lists the phases of each system, the longest first.
func (r *Report) breakdown() Comparison {
	c := Comparison{Title: "What it goes to", Note: fmt.Sprintf("shares of at least %.0f %%", 100*leastShare), Columns: []table.Column{text("system"), text("phases")}}
	for _, s := range r.Systems {
		phases := slices.Clone(s.Phases)
		slices.SortStableFunc(phases, func(a, b timing.Phase) int { return cmp.Compare(b.Time, a.Time) })
		var list []string
		for _, p := range phases {
			if share := part(p.Time, s.Time); share >= leastShare {
				list = append(list, fmt.Sprintf("%s %.0f %%", p.Label, 100*share))
			}
		}
		c.Rows = append(c.Rows, []string{s.System, strings.Join(list, ", ")})
	}
	return c
}

// traffic compares the bytes of a mini-batch by link, the hits and the memory.
func (r *Report) traffic() Comparison {
	var links []string
	for _, s := range r.Systems {
		for _, l := range s.Links {
			if l.Bytes > 0 && !slices.Contains(links, l.Name) {
				links = append(links, l.Name)
			}
		}
	}
	c := Comparison{
		Title: "Bytes of a mini-batch by link, hits, memory", Note: "hits: lookups of rows that the GPUs held; memory is what is kept, of the GPUs in the fullest",
		Columns: names(append(links, "hits", "host memory", "GPU memory")...),
	}
	for _, s := range r.Systems {
		row := []string{s.System}
		for _, name := range links {
			cell := ""
			for _, l := range s.Links {
				if l.Name == name {
					cell = format.Bytes(float64(l.Bytes) / float64(max(1, s.MiniBatches)))
				}
			}
			row = append(row, cell)
		}
		hits := ""
		if s.Hits != nil {
			hits = fmt.Sprintf("%.1f %%", 100**s.Hits)
		}
		host, gpu := s.memory()
		c.Rows = append(c.Rows, append(row, hits, host, gpu))
	}
	return c.withoutEmpty()
}

// memory returns the memory in use on the host and on the GPU that uses most.
func (s *System) memory() (host, gpu string) {
	if len(s.Memory) == 0 {
		return "", ""
	}
	fullest := slices.MaxFunc(s.Memory[1:], func(a, b server.Use) int { return cmp.Compare(a.Needs, b.Needs) })
	return format.Bytes(float64(s.Memory[0].Needs)), format.Bytes(float64(fullest.Needs))
}

// speedUps compares the speed-ups over the first system, by software profile.
func (r *Report) speedUps() Comparison {
	var profiles []string
	rows := map[string][]string{}
	c := Comparison{Title: "Speed-up over " + r.SpeedUps[0].Over, Note: "by software profile; a model's, not measured; in brackets the range over constants"}
	for _, s := range r.SpeedUps {
		if !slices.Contains(profiles, s.Profile) {
			profiles = append(profiles, s.Profile)
		}
		rows[s.System] = append(rows[s.System], s.ranged())
	}
	c.Columns = names(profiles...)
	for _, s := range r.Systems {
		if cells, ok := rows[s.System]; ok {
			c.Rows = append(c.Rows, append([]string{s.System}, cells...))
		}
	}
	return c
}

// dependences lists the constants that change speed-ups most, in the profile of the run.
func (r *Report) dependences() Comparison {
	c := Comparison{
		Title: "What speed-ups depend on most", Note: fmt.Sprintf("profile %s; the speed-up at both ends of a constant's range", r.Profile),
		Columns: []table.Column{text("system"), text("constant = range: speed-ups")},
	}
	for _, s := range r.SpeedUps {
		if s.Profile != r.Profile {
			continue
		}
		var list []string
		for _, d := range s.Depends {
			list = append(list, fmt.Sprintf("%s = %v to %v: %.2f to %.2f", d.Constant, d.Low, d.High, d.AtLow, d.AtHigh))
		}
		c.Rows = append(c.Rows, []string{s.System, strings.Join(list, ", ")})
	}
	return c
}

// models compares the predictions and the parameters of the systems.
func (r *Report) models() Comparison {
	c := Comparison{Title: "Models", Note: "loss and AUC of predictions before training on the inputs; compared bit by bit", Columns: names("parameters")}
	heldOut := slices.ContainsFunc(r.Systems, func(s System) bool { return s.HeldOut != nil })
	if !r.Values {
		c.Note = "values off"
	} else {
		c.Columns = names("loss", "AUC")
		if heldOut {
			c.Note += "; held out are " + r.heldOutInputs()
			c.Columns = append(c.Columns, names("held-out log loss", "accuracy", "AUC", "calibration")[1:]...)
		}
		c.Columns = append(c.Columns, table.Column{Name: "parameters"}, text("promise"), text("outcome"))
	}
	checked := slices.ContainsFunc(r.Systems, func(s System) bool { return s.Check != nil })
	if checked {
		c.Columns = append(c.Columns, text("check"))
	}
	for _, s := range r.Systems {
		row := append([]string{s.System}, s.model(r.Values, heldOut)...)
		if checked {
			row = append(row, checkText(s.Check))
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

func (r *Report) heldOutInputs() string {
	for _, s := range r.Systems {
		if s.HeldOut != nil {
			return format.Plural(s.HeldOut.Inputs, "input")
		}
	}
	return ""
}

// model returns the cells of a system in models.
func (s *System) model(values, heldOut bool) []string {
	parameters := format.Thousands(s.Parameters)
	if s.Parameters == 0 { // there is no model
		parameters = ""
	}
	if !values {
		return []string{parameters}
	}
	cells := []string{"", ""}
	if s.Loss != nil {
		cells = []string{fmt.Sprintf("%.6f", *s.Loss), shown4(s.AUC)}
	}
	if heldOut {
		more := []string{"", "", "", ""}
		if e := s.HeldOut; e != nil {
			more = []string{fmt.Sprintf("%.6f", e.LogLoss), fmt.Sprintf("%.2f %%", 100*e.Accuracy), shown4(e.AUC), shown4(e.Calibration)}
		}
		cells = append(cells, more...)
	}
	return append(cells, parameters, s.Promise, s.outcome())
}

// outcome returns the result of the comparison of the parameters.
func (s *System) outcome() string {
	switch {
	case s.missing() != "":
		return s.missing()
	case s.Identical == nil:
		return "not compared"
	case *s.Identical:
		return "bit-identical"
	}
	return "DIFFERENT"
}

// shown4 formats a figure with four digits. It returns a dash if there is none.
func shown4(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *x)
}

// format formats the comparison for a terminal of this width, or of any width if it is 0.
func (c Comparison) format(width int) string {
	t := table.Table{Columns: c.Columns, Rows: c.Rows, Indent: 2}
	text := table.Wrap(fmt.Sprintf("\n%s (%s)\n", c.Title, c.Note), width, 2) + t.Format(width)
	if c.Text != "" {
		text += table.Wrap("  "+c.Text+"\n", width, 2)
	}
	return text
}
