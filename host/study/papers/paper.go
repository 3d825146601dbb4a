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

// Paper contains the properties that all rows of a paper share.
type Paper struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Profile string `json:"profile"` // software of the paper's times
	Cause   *Cause `json:"cause,omitempty"`
}

// Reproduction contains the published numbers and our numbers.
type Reproduction struct {
	Rows       []Row      `json:"rows"`
	Papers     []Paper    `json:"papers"`
	Statistics Statistics `json:"statistics"`

	// Done and Total count the evaluated rows. After an interrupt, Rows contains only the completed
	// rows.
	Done  int `json:"-"`
	Total int `json:"-"`
}

// Names lists the papers.
func Names() []string { return []string{"hotline", "fae", "cdlrm", "elrec", "scratchpipe"} }

// Title returns the title of a paper.
func Title(name string) string { return library().files[name].Title }

// Options specify which rows to reproduce.
type Options struct {
	Machine  *machine.Machine
	What     []string // papers and items, as prefixes of records' IDs; all if empty
	All      bool     // include rows that take minutes
	Cache    Cache
	Unkept   func(error)           // if not nil, called once if a finding could not be kept
	Progress func(done, total int) // if not nil, called before the first row and after each row, never concurrently
}

// Check returns an error for a name that matches no record.
func Check(what []string) error {
	for _, name := range what {
		if !slices.ContainsFunc(Records(), func(r Record) bool { return r.in(name) }) {
			paper, _, _ := strings.Cut(name, "/")
			return fmt.Errorf("there is no paper or item %q; expected %s", name, strings.Join(near(paper), ", "))
		}
	}
	return nil
}

// near lists valid names: items of a paper, or papers.
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

// in reports whether a name selects a record. The name must end where a part of the record's ID
// ends.
func (r Record) in(name string) bool { return strings.HasPrefix(r.ID+"/", name+"/") }

// asked reports whether the options select a record.
func (o Options) asked(r Record) bool {
	return len(o.What) == 0 || slices.ContainsFunc(o.What, r.in)
}

// takesMinutes is the reason why a long row is not run.
const takesMinutes = "takes minutes: --all"

// Reproduce evaluates the selected records on all cores. The error is the context's error, or
// reports an unknown record or a failed measure. If a measure fails, the result still contains the
// completed rows.
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
			// A measure that ignores the context is abandoned when the context ends.
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

// rows returns the selected rows of a paper, in the order of its file: all of them, or only rows
// with findings.
func (o Options) rows(paper string, found map[string]*Finding, all bool) (list []Row) {
	for _, r := range Records() {
		if f := found[r.ID]; r.Paper == paper && o.asked(r) && (all || f != nil) {
			list = append(list, r.judge(f))
		}
	}
	return withTrends(list)
}

// finding returns the finding of a row, from the cache or by evaluating the row.
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

// wrong counts the pairs of systems whose order differs from the paper.
func (r Record) wrong(series []float64) int {
	same, pairs := inOrder(r.Times, series)
	return pairs - same
}
