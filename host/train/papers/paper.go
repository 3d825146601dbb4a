package papers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Paper is what a paper publishes, beside what is here.
type Paper struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Results []Result `json:"results"`
	Figures []Figure `json:"figures"`
	Orders  []Order  `json:"orders"`

	results []trained // make Results, in this order
}

// trained makes results, perhaps by trainings.
type trained func(ctx context.Context) ([]Result, error)

// Names are the papers that [Evaluate] knows.
func Names() []string { return []string{"hotline", "fae", "cdlrm", "elrec", "scratchpipe"} }

// plan is a paper, not evaluated yet.
func plan(ctx context.Context, name string, m *machine.Machine) (Paper, error) {
	var profiles []timing.Profile
	for _, name := range timing.ProfileNames() {
		p, err := timing.LoadProfile(name)
		if err != nil {
			return Paper{}, err
		}
		profiles = append(profiles, p)
	}
	switch name {
	case "hotline":
		return hotlinePaper(profiles, m), nil
	case "fae":
		return faePaper(profiles), nil
	case "cdlrm":
		return cdlrmPaper(ctx, profiles), nil
	case "elrec":
		return elrecPaper(ctx, profiles), nil
	case "scratchpipe":
		return scratchpipePaper(ctx, profiles), nil
	}
	return Paper{}, fmt.Errorf("there is no paper %q, expected %s", name, strings.Join(Names(), ", "))
}

// Evaluate puts what papers publish beside what a machine makes of it, on as many cores as
// there are. progress, unless nil, is called after each step, one at a time. The error is
// the context's, or tells that there is no such paper, or that the machine does not fit.
func Evaluate(ctx context.Context, m *machine.Machine, names []string, progress func(done, total int)) ([]Paper, error) {
	var list []Paper
	for _, name := range names {
		p, err := plan(ctx, name, m)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	k := newClock(m)
	var long, short []step
	for i := range list {
		p := &list[i]
		results := make([][]Result, len(p.results))
		for j, make := range p.results {
			long = append(long, func() (err error) {
				results[j], err = make(ctx)
				return err
			})
		}
		defer func() { p.Results = slices.Concat(results...) }()
		short = append(short, p.times(k)...)
	}
	return list, inParallel(ctx, append(long, short...), progress)
}

// times are the steps that fill in what times make.
func (p *Paper) times(k *clock) []step {
	var steps []step
	for _, f := range p.Figures {
		for _, r := range f.Rows {
			for i := range r.Cells {
				if r.Cells[i].None == "" {
					steps = append(steps, func() error { return r.Cells[i].evaluate(k) })
				}
			}
		}
	}
	for _, o := range p.Orders {
		for i := range o.Rows {
			steps = append(steps, func() error { return o.evaluate(k, &o.Rows[i]) })
		}
	}
	return steps
}
