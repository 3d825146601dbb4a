package papers

import "github.com/hotline-rtl/hotline/host/train/timing"

// effect is a change of software.
type effect struct {
	name  string
	apply func(p *timing.Profile)
}

// steps lead from profile hotline-2024-a to sceptic and on to sceptic-pipelined.
var steps = []effect{
	{"loader hidden for all", func(p *timing.Profile) { p.Loader = "hidden" }},
	{"hot rows exchanged where changed", func(p *timing.Profile) { p.HotExchange = "sparse" }},
	{"no copies of dense parameters", func(p *timing.Profile) { p.Replicate = false }},
	{"a process per GPU", func(p *timing.Profile) { p.Processes = "per-gpu" }},
	{"pinned copies", func(p *timing.Profile) { p.Copies = "pinned" }},
	{"all tables together", func(p *timing.Profile) { p.Tables = "together" }},
	{"operators in graphs", func(p *timing.Profile) { p.Launch = "graph" }},
	{"baseline pipelined", func(p *timing.Profile) { p.Pipelined = true }},
}

// effects show what makes the trend over GPUs: changes of software, one after the
// other and each by itself.
func (h hotline) effects() []Figure {
	begin := h.profiles[1]
	together := h.overGPUs(Figure{
		Name: "Trend over GPUs", Title: "Hotline over the hybrid system, mean of rm1 to rm4, software changed step by step",
		Note: "From `hotline-2024-a`, the paper's values beside it; the last but one step is `sceptic`, the last `sceptic-pipelined`. Each row keeps the changes above it.",
	}, begin)
	alone := h.overGPUs(Figure{
		Name: "Trend over GPUs, one effect", Title: "the same, each change by itself",
		Note: "From `hotline-2024-a`.",
	}, begin)
	p := begin
	for _, s := range steps {
		s.apply(&p)
		together.Rows = append(together.Rows, h.trend(s.name, p))
		one := begin
		s.apply(&one)
		alone.Rows = append(alone.Rows, h.trend(s.name, one))
	}
	return []Figure{together, alone}
}

// overGPUs begins a figure whose columns are numbers of GPUs.
func (h hotline) overGPUs(f Figure, begin timing.Profile) Figure {
	f.Labels, f.Columns = []string{"software"}, []string{"1 GPU", "2 GPUs", "4 GPUs"}
	first := h.trend("`"+begin.Name+"`", begin)
	for i, gpus := range []int{1, 2, 4} {
		first.Paper[i] = published(byGPUs("hotline/figure-19/hotline-over-intel-optimised-dlrm")[gpus]).Says
	}
	f.Rows = []FigureRow{first}
	return f
}

// trend is a row over numbers of GPUs.
func (h hotline) trend(label string, p timing.Profile) FigureRow {
	r := FigureRow{Labels: []string{label}, Paper: []string{"", "", ""}, Records: []string{}}
	for _, gpus := range []int{1, 2, 4} {
		pairs := over("hybrid", h.models, gpus, gpus*perGPU)
		r.Cells = append(r.Cells, Cell{what: func(p timing.Profile) measure { return speedUp(p, pairs...) }, profile: p})
	}
	return r
}
