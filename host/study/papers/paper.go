package papers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Paper holds what all rows of a paper share.
type Paper struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Profile string `json:"profile"` // software of the paper's times
	Cause   *Cause `json:"cause,omitempty"`
}

// Reproduction holds the published numbers with ours.
type Reproduction struct {
	Rows       []Row      `json:"rows"`
	Papers     []Paper    `json:"papers"`
	Statistics Statistics `json:"statistics"`

	// Done and Total count the rows that are evaluated. After an interrupt, Rows has only those that
	// are done.
	Done  int `json:"-"`
	Total int `json:"-"`
}

// Names lists the papers.
func Names() []string { return []string{"hotline", "fae", "cdlrm", "elrec", "scratchpipe"} }

// Options say what to reproduce.
type Options struct {
	Machine  *machine.Machine
	What     []string // papers and items, as beginnings of records' IDs; all if empty
	All      bool     // rows that take minutes, too
	Cache    Cache
	Unkept   func(error)           // unless nil, called once if a finding could not be kept
	Progress func(done, total int) // unless nil, called before the first and after each row, one at a time
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

// near lists what may be asked for: items of a paper, or papers.
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

// in reports whether a record is meant by a name, which ends where a part of its ID does.
func (r Record) in(name string) bool { return strings.HasPrefix(r.ID+"/", name+"/") }

// asked reports whether a record is wanted.
func (o Options) asked(r Record) bool {
	return len(o.What) == 0 || slices.ContainsFunc(o.What, r.in)
}

// takesMinutes is the reason why a long row is not run.
const takesMinutes = "takes minutes: --all"

// Reproduce evaluates the records that are asked for, on all cores. The error is the context's, or
// reports that there is no such record, or that a measure failed. With an error of the measures, the
// result has the rows that are done.
func Reproduce(ctx context.Context, o Options) (*Reproduction, error) {
	if err := Check(o.What); err != nil {
		return nil, err
	}
	if unkept := o.Unkept; unkept != nil {
		var once sync.Once
		o.Unkept = func(err error) { once.Do(func() { unkept(err) }) }
	}
	b := &bench{ctx: ctx, clock: newClock(timing.NewVariants(o.Machine))}
	var mu sync.Mutex
	found := map[string]*Finding{}
	var long, short []step
	for _, r := range Records() {
		if r.Measure == "" || r.Long && !o.All || !o.asked(r) {
			continue
		}
		run := func() error {
			// A measure that does not look at the context is left alone when it ends.
			f, err := await.Call(ctx, func() (Finding, error) { return o.finding(b, r) })
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			found[r.ID] = &f
			return nil
		}
		if r.Long {
			long = append(long, run)
		} else {
			short = append(short, run)
		}
	}
	steps := append(long, short...)
	err := inParallel(ctx, steps, o.Progress)
	mu.Lock()
	defer mu.Unlock()
	r := &Reproduction{Rows: []Row{}, Papers: []Paper{}, Done: len(found), Total: len(steps)}
	for _, name := range Names() {
		r.add(name, o.rows(name, found, len(found) == len(steps)))
	}
	r.Statistics = r.statistics()
	return r, err
}

// add adds the rows of a paper, with its declared cause.
func (r *Reproduction) add(name string, rows []Row) {
	if len(rows) == 0 {
		return
	}
	f := library().files[name]
	p := Paper{Name: name, Title: f.Title, Profile: f.software()}
	if f.Cause != nil {
		c := f.Cause.judge(rows)
		p.Cause = &c
	}
	r.Rows, r.Papers = append(r.Rows, rows...), append(r.Papers, p)
}

// software names the profile of a paper's times.
func (f file) software() string {
	if f.Loader != "" {
		return f.Profile + ", loader " + f.Loader
	}
	return f.Profile
}

// rows returns the rows of a paper that are asked for, in the order of its file: all of them, or
// those that were found.
func (o Options) rows(paper string, found map[string]*Finding, all bool) (list []Row) {
	for _, r := range Records() {
		if f := found[r.ID]; r.Paper == paper && o.asked(r) && (all || f != nil) {
			list = append(list, r.judge(f))
		}
	}
	return withTrends(list)
}

// finding returns what is found for a row, kept or evaluated now.
func (o Options) finding(b *bench, r Record) (Finding, error) {
	if f, ok := o.Cache.get(r.ID, o.Machine); ok {
		return f, nil
	}
	f, err := b.find(o.Machine, r)
	if err != nil {
		return f, fmt.Errorf("%s: %w", r.ID, err)
	}
	if err := o.Cache.put(r.ID, o.Machine, f); err != nil && o.Unkept != nil {
		o.Unkept(err)
	}
	return f, nil
}

// find evaluates a row.
func (b *bench) find(m *machine.Machine, r Record) (Finding, error) {
	if of, ok := counts[r.Measure]; ok {
		ours, note, err := of(b, r)
		return Finding{Ours: ours, Note: note}, err
	}
	file := library().files[r.Paper]
	p, err := timing.LoadProfile(file.Profile)
	if err != nil {
		return Finding{}, err
	}
	if file.Loader != "" {
		p.Loader = file.Loader
	}
	f, err := b.value(b.clock, r, p)
	if err != nil || file.Cause == nil {
		return f, err
	}
	on, with, err := file.Cause.apply(m, p)
	if err != nil {
		return f, err
	}
	caused, err := b.value(b.clock.on(on), r, with)
	f.Caused = &caused.Ours
	return f, err
}

// value evaluates a row of simulated time, on each variant of a clock's machine.
func (b *bench) value(k *clock, r Record, p timing.Profile) (f Finding, err error) {
	if r.Measure == "order" {
		f.Series, f.Text, err = b.order(k.on(k.variants[0]), r, p)
		f.Ours = float64(r.wrong(f.Series))
		return f, err
	}
	values, err := b.evaluate(k, r, p)
	if err != nil {
		return f, err
	}
	f.Ours = values[0]
	if len(k.variants) > 1 {
		s := k.variants.Spread(values)
		f.Spread = &s
	}
	return f, nil
}

// wrong counts the pairs of systems whose order here is not the paper's.
func (r Record) wrong(series []float64) int {
	same, pairs := inOrder(r.Times, series)
	return pairs - same
}
