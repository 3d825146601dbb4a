package elrec

import "github.com/hotline-rtl/hotline/host/dlrm/tt"

// reader reads slices on a GPU while they do not change. It keeps the latest slice of each core, so
// that rows in the order of their numbers share large slices.
type reader struct {
	cores *cores
	gpu   int
	at    [tt.Cores]slice
	of    tt.Slices
}

// reader returns a reader of the slices of a GPU.
func (c *cores) reader(gpu int) *reader { return &reader{cores: c, gpu: gpu} }

// slicesOf returns the slices whose product is a row. They are valid until the next call.
func (r *reader) slicesOf(table int, number uint32) (tt.Slices, error) {
	t := r.cores.tables[table]
	for core, no := range t.Slices(number) {
		at := slice{table, core, no}
		if r.of[core] != nil && r.at[core] == at {
			continue
		}
		if r.of[core] == nil {
			r.of[core] = make([]float32, t.SliceLen(core)) // shared by all tables
		}
		if err := r.cores.read(r.gpu, at, r.of[core]); err != nil {
			return tt.Slices{}, err
		}
		r.at[core] = at
	}
	return r.of, nil
}
