package elrec

import "github.com/hotline-rtl/hotline/host/dlrm/tt"

// reader reads slices on a GPU while nobody changes them. It keeps the latest one of
// each core, so that rows in the order of their numbers share large ones.
type reader struct {
	cores *cores
	gpu   int
	at    [tt.Cores]slice
	of    tt.Slices
}

// reader reads the slices of a GPU.
func (c *cores) reader(gpu int) *reader { return &reader{cores: c, gpu: gpu} }

// slicesOf are the slices that a row is the product of, valid until the next call.
func (r *reader) slicesOf(table int, number uint32) (tt.Slices, error) {
	t := r.cores.tables[table]
	for core, no := range t.Slices(number) {
		at := slice{table, core, no}
		if r.of[core] != nil && r.at[core] == at {
			continue
		}
		if r.of[core] == nil {
			r.of[core] = make([]float32, t.SliceLen(core)) // of all tables
		}
		if err := r.cores.read(r.gpu, at, r.of[core]); err != nil {
			return tt.Slices{}, err
		}
		r.at[core] = at
	}
	return r.of, nil
}
