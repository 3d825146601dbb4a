package taobao

import (
	"context"
	"fmt"
	"path/filepath"
	"sort"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Columns of ids; each becomes a table.
const (
	userColumn = iota
	itemColumn
	categoryColumn
)

// Log is a log on disk. It implements data.Source.
type Log struct {
	files *text.Files
	bad   *text.Quarantine
	seed  uint64
	ids   index.Map
	shape data.Shape
	found *pass
}

// Open opens the files with these paths, in sequence. It makes a first pass unless its result was
// kept; ctx can cancel the pass. The seed determines histories, candidates and order.
func Open(ctx context.Context, paths []string, seed uint64, o clicklog.Options) (*Log, error) {
	if err := o.Rule.Validate(); err != nil {
		return nil, err
	}
	files, err := text.NewFiles(paths, expect)
	if err != nil {
		return nil, err
	}
	if err := files.Rereadable(); err != nil {
		return nil, err
	}
	l := &Log{files: files, bad: o.Quarantine, seed: seed}
	how := fmt.Sprintf("taobao, bad lines skipped: %v", l.bad != nil)
	l.found, err = index.Keep(o.Index, paths, how, func() (*pass, error) { return l.makePass(ctx, o.Progress) })
	if err != nil {
		return nil, err
	}
	l.ids = index.NewMap(o.Rule, l.found.IDs[:])
	l.shape = data.Shape{Dense: 1, Steps: steps}
	for c, name := range []string{"user", "item", "category"} {
		l.shape.Tables = append(l.shape.Tables, dlrm.Table{Name: name, Rows: l.ids.Rows(c), Lookups: 1})
	}
	return l, nil
}

// Name returns the name of the first file.
func (l *Log) Name() string { return filepath.Base(l.files.Paths()[0]) }

// Shape returns 21 time steps with a dense feature, a user, an item and a category each.
func (l *Log) Shape() data.Shape { return l.shape }

// Len returns the number of inputs.
func (l *Log) Len() (int64, bool) { return l.found.Inputs, true }

// Open returns a reader that starts at an input.
func (l *Log) Open(at int64) (data.Reader, error) {
	windows := l.found.Windows
	w := sort.Search(len(windows), func(i int) bool { return windows[i].Inputs > at }) - 1
	r := &reader{log: l, users: newUsers(l.files, windows[w].Mark, l.bad), window: w}
	r.skip = at - windows[w].Inputs
	return r, nil
}
