package clicklog

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Options are the parameters of Open.
type Options struct {
	Rule       index.Rule       // for columns without a rule in the schema
	Quarantine *text.Quarantine // for bad lines; nil rejects them

	// Index is the file for the result of the first pass. By default it is next to the first file
	// of the log if the log is large. If that file cannot be written, the pass is repeated each
	// time.
	Index string

	// Progress, if not nil, is called now and then with the number of bytes that the first pass has
	// read, and their total.
	Progress func(done, all int64)
}

// Log is a log on disk. It implements data.Source.
type Log struct {
	log   *schema.Log
	ids   index.Map
	shape data.Shape
	known *known
}

// stride is the number of inputs between marks.
const stride = 1 << 16

// known contains the known positions in a log.
type known struct {
	mu     sync.Mutex
	marks  []text.Mark // of the inputs 0, stride, 2*stride, ...
	inputs int64       // number of inputs, -1 if not known
}

// Open opens a log that consists of the files with these paths, in sequence. If a column has the
// rule index.FirstPass, Open reads the log once, unless the result was kept. The context can cancel
// this pass.
func Open(ctx context.Context, s *schema.Schema, paths []string, o Options) (*Log, error) {
	log, err := s.Open(paths, o.Rule, o.Quarantine)
	if err != nil {
		return nil, err
	}
	l := &Log{log: log, known: &known{marks: []text.Mark{{}}, inputs: -1}}
	var ids []index.IDs
	rules := log.Rules()
	if slices.Contains(rules, index.FirstPass) {
		found, err := l.firstPass(ctx, o)
		if err != nil {
			return nil, err
		}
		ids = found.IDs
		l.known.marks, l.known.inputs = found.Marks, found.Inputs
	}
	l.ids = index.NewMap(rules, ids)
	l.shape = data.Shape{Dense: log.Dense}
	for c, t := range log.Tables {
		l.shape.Tables = append(l.shape.Tables, dlrm.Table{Name: t.Name, Rows: l.ids.Rows(c), Lookups: t.Lookups})
	}
	return l, nil
}

// Name returns the name of the first file, and the number of further files.
func (l *Log) Name() string { return l.log.Files.Name() }

// Shape returns the dense features and a table for each column of ids.
func (l *Log) Shape() data.Shape { return l.shape }

// Len returns the number of inputs, which is known after a first pass.
func (l *Log) Len() (int64, bool) {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	return max(0, l.known.inputs), l.known.inputs >= 0
}

// Part returns the files from, from+1, ..., to-1 of the log as a source with the same tables. For
// example, these are some days of a log with one file per day.
func (l *Log) Part(from, to int) (*Log, error) {
	if n := l.log.Files.Len(); from < 0 || to > n || from >= to {
		return nil, fmt.Errorf("%s: files %d to %d, expected a part of its %d files", l.Name(), from, to, n)
	}
	part := *l
	part.log = l.log.Part(from, to)
	part.known = &known{marks: []text.Mark{{}}, inputs: -1}
	return &part, nil
}

// nearest returns the last known mark at or before an input, and the input of that mark.
func (k *known) nearest(at int64) (text.Mark, int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := min(at/stride, int64(len(k.marks)-1))
	return k.marks[n], n * stride
}

// note records the mark of an input, if it is the next missing mark.
func (k *known) note(at int64, m text.Mark) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if at == int64(len(k.marks))*stride {
		k.marks = append(k.marks, m)
	}
}
