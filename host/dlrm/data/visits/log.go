package visits

import (
	"context"
	"sort"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
)

// Columns of ids; each becomes a table.
const (
	userColumn = iota
	itemColumn
	categoryColumn
)

// Log is a log on disk. It implements data.Source.
type Log struct {
	log   *schema.Log
	seed  uint64
	ids   index.Map
	shape data.Shape
	found *pass
}

// Open opens the files with these paths, in sequence, whose schema has a history. It makes a first
// pass unless its result was kept; ctx can cancel the pass. The seed determines histories,
// candidates and order.
func Open(ctx context.Context, s *schema.Schema, paths []string, seed uint64, o clicklog.Options) (*Log, error) {
	log, err := s.Open(paths, o.Rule, o.Quarantine)
	if err != nil {
		return nil, err
	}
	if err := log.Files.Rereadable(); err != nil {
		return nil, err
	}
	l := &Log{log: log, seed: seed}
	l.found, err = index.Keep(o.Index, paths, log.Reading(), func() (*pass, error) { return l.makePass(ctx, o.Progress) })
	if err != nil {
		return nil, err
	}
	l.ids = index.NewMap(log.Rules(), l.found.IDs[:])
	l.shape = data.Shape{Dense: 1, Steps: steps}
	for c, t := range log.Tables {
		l.shape.Tables = append(l.shape.Tables, dlrm.Table{Name: t.Name, Rows: l.ids.Rows(c), Lookups: 1})
	}
	return l, nil
}

// Name returns the name of the first file, and the number of further files.
func (l *Log) Name() string { return l.log.Files.Name() }

// Shape returns 21 time steps with a dense feature, a user, an item and a category each.
func (l *Log) Shape() data.Shape { return l.shape }

// Len returns the number of inputs.
func (l *Log) Len() (int64, bool) { return l.found.Inputs, true }

// Open returns a reader that starts at an input.
func (l *Log) Open(at int64) (data.Reader, error) {
	windows := l.found.Windows
	w := sort.Search(len(windows), func(i int) bool { return windows[i].Inputs > at }) - 1
	r := &reader{log: l, users: newUsers(l.log, windows[w].Mark), window: w}
	r.skip = at - windows[w].Inputs
	return r, nil
}
