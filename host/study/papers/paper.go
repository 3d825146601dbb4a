package papers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train/machine"
)

// Paper is what of a paper is more than a row.
type Paper struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Profile string   `json:"profile"` // software whose times are compared with the paper's
	Others  []Other  `json:"others"`
	Figures []Figure `json:"figures"`
	Orders  []Order  `json:"orders"`
	Studies []Study  `json:"studies"`
}

// Reproduction is what papers publish beside what is found here.
type Reproduction struct {
	Rows   []Row   `json:"rows"`
	Papers []Paper `json:"papers"`

	// Done and Total count experiments. If fewer are done than there are, only the rows of these
	// are there.
	Done  int `json:"-"`
	Total int `json:"-"`
}

// Names are the papers.
func Names() []string { return []string{"hotline", "fae", "cdlrm", "elrec", "scratchpipe"} }

// Options are how to reproduce.
type Options struct {
	Machine  *machine.Machine
	What     []string    // papers and items, as beginnings of records' IDs; none is all
	All      bool        // experiments that take minutes, too
	Clicks   data.Source // a log like Kaggle's, for studies on real clicks; nil if there is none
	Cache    Cache
	Unkept   func(error)           // unless nil, called once if a finding could not be kept
	Progress func(done, total int) // unless nil, called before the first and after each experiment, one at a time
}

// Check reports a name of which there is no record.
func Check(what []string) error {
	for _, name := range what {
		if !slices.ContainsFunc(Records(), func(r Record) bool { return r.in(name) }) {
			paper, _, _ := strings.Cut(name, "/")
			return fmt.Errorf("nothing is called %q, expected %s", name, strings.Join(near(paper), ", "))
		}
	}
	return nil
}

// near is what may be asked for: items of a paper, or papers if it is none.
func near(paper string) (list []string) {
	for _, r := range Records() {
		if item := paper + "/" + slug(r.Item); r.Paper == paper && !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	if list == nil {
		return append(Names(), "or PAPER/ITEM as in hotline/table-ii")
	}
	return list
}

// in tells whether a record has a name, which ends where a part of its ID does.
func (r Record) in(name string) bool { return strings.HasPrefix(r.ID+"/", name+"/") }

// asked tells whether a record is wanted.
func (o Options) asked(r Record) bool {
	return len(o.What) == 0 || slices.ContainsFunc(o.What, r.in)
}

// Reproduce runs the experiments behind the records that are asked for, on all cores. The error
// is the context's, or reports that there is no such record, or that an experiment failed. With
// an error of the experiments, the result has the rows of the experiments that are done.
func Reproduce(ctx context.Context, o Options) (*Reproduction, error) {
	if err := Check(o.What); err != nil {
		return nil, err
	}
	if unkept := o.Unkept; unkept != nil {
		var once sync.Once
		o.Unkept = func(err error) { once.Do(func() { unkept(err) }) }
	}
	k := newClock(o.Machine)
	all, err := o.find(ctx, k)
	if all == nil {
		return nil, err
	}
	r := &Reproduction{Rows: []Row{}}
	found := map[string][]*Finding{}
	for _, p := range all {
		r.Total++
		if p.done.Load() {
			r.Done++
			found[p.paper] = append(found[p.paper], p.finding)
		}
	}
	for _, name := range Names() {
		p := Paper{Name: name, Title: library().files[name].Title, Profile: library().files[name].Profile, Others: []Other{}, Figures: []Figure{}, Orders: []Order{}, Studies: []Study{}}
		for _, f := range found[name] {
			p.add(f)
		}
		rows := o.rows(name, found[name], r.Done == r.Total)
		if len(rows) > 0 {
			r.Rows, r.Papers = append(r.Rows, rows...), append(r.Papers, p)
		}
	}
	return r, err
}

// add adds what an experiment found.
func (p *Paper) add(f *Finding) {
	p.Others = append(p.Others, f.Others...)
	if f.Figure != nil {
		p.Figures = append(p.Figures, *f.Figure)
	}
	if f.Order != nil {
		p.Orders = append(p.Orders, *f.Order)
	}
	if f.Study != nil {
		p.Studies = append(p.Studies, *f.Study)
	}
}

// takesMinutes is why a row is not run.
const takesMinutes = "takes minutes: --all"

// rows are the records of a paper that are asked for, in the order of its file: all of them, or
// those that were found.
func (o Options) rows(paper string, found []*Finding, all bool) (list []Row) {
	outcomes := map[string]Outcome{}
	for _, f := range found {
		for _, x := range f.Outcomes {
			outcomes[x.Record] = x
		}
	}
	for _, r := range Records() {
		x, ok := outcomes[r.ID]
		switch {
		case r.Paper != paper || !o.asked(r):
		case ok:
			list = append(list, r.beside(x))
		case !all:
		case r.By == "":
			list = append(list, r.notRun(r.NotRun))
		default:
			list = append(list, r.notRun(takesMinutes))
		}
	}
	return list
}

// pending is an experiment of a paper. Its finding may be read when it is done.
type pending struct {
	paper   string
	finding *Finding
	done    atomic.Bool
}

// find runs the experiments behind what is asked for. Without an experiment it returns nil, or
// an empty list.
func (o Options) find(ctx context.Context, k *clock) (all []*pending, err error) {
	all = []*pending{}
	var long, short []step
	for _, paper := range Names() {
		list, err := experiments(ctx, paper, k, o.Clicks)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if e.long && !o.All || !o.needs(paper, e) {
				continue
			}
			p := &pending{paper: paper}
			all = append(all, p)
			run := func() error {
				// An experiment that does not look at the context is left alone when it ends.
				f, err := await.Call(ctx, func() (Finding, error) { return o.finding(ctx, k, e) })
				p.finding = &f
				p.done.Store(err == nil)
				return err
			}
			if e.long {
				long = append(long, run)
			} else {
				short = append(short, run)
			}
		}
	}
	return all, inParallel(ctx, append(long, short...), o.Progress)
}

// needs tells whether an experiment is behind what is asked for. A study goes with its item; what
// else is behind no record, and only shows more, with all of its paper.
func (o Options) needs(paper string, e experiment) bool {
	if e.item != "" && slices.Contains(o.What, paper+"/"+e.item) {
		return true
	}
	behind := false
	for _, r := range Records() {
		if r.By == e.name && r.Paper == paper {
			if o.asked(r) {
				return true
			}
			behind = true
		}
	}
	return !behind && (len(o.What) == 0 || slices.Contains(o.What, paper))
}

// finding is the finding of an experiment, kept or found now.
func (o Options) finding(ctx context.Context, k *clock, e experiment) (Finding, error) {
	cache := o.Cache
	if strings.HasSuffix(e.name, RealClicks) {
		cache = Cache{} // its file may have changed
	}
	if f, ok := cache.get(e.name, o.Machine); ok {
		return f, nil
	}
	f, err := e.run(ctx, k)
	if err != nil {
		return f, fmt.Errorf("%s: %w", e.name, err)
	}
	if err := cache.put(e.name, o.Machine, f); err != nil && o.Unkept != nil {
		o.Unkept(err)
	}
	return f, nil
}
