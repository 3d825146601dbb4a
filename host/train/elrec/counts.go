package elrec

import "github.com/hotline-rtl/hotline/host/train"

// counts are the events of a run.
type counts struct {
	lookups, prefixes, rows, backward int64
	fetched, cached, written          int64
	most                              int
	renumbered                        int64
}

// Labels of the counts in a report. Each GPU counts the products that it makes.
const (
	CountLookups    = "lookups in TT tables"
	CountPrefixes   = "products of two TT slices"
	CountRows       = "products with the third"
	CountBackward   = "TT gradients multiplied"
	CountRenumbered = "TT rows seen for reordering"
	CountFetched    = "rows fetched ahead"
	CountCached     = "of them taken from the cache"
	CountWritten    = "rows updated in host memory"
	CountMost       = "most rows in the cache"
)

func (c counts) list() []train.Count {
	return []train.Count{
		{Label: CountLookups, N: c.lookups}, {Label: CountPrefixes, N: c.prefixes}, {Label: CountRows, N: c.rows},
		{Label: CountBackward, N: c.backward}, {Label: CountRenumbered, N: c.renumbered},
		{Label: CountFetched, N: c.fetched}, {Label: CountCached, N: c.cached}, {Label: CountWritten, N: c.written}, {Label: CountMost, N: int64(c.most)},
	}
}
