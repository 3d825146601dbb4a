package cdlrm

import "github.com/hotline-rtl/hotline/host/train"

// counts are the events of a run.
type counts struct {
	windows          int64
	reads, victims   int64 // distinct rows of each mini-batch, and how many of them are not cached
	listed           int64 // distinct rows of each window
	hits             int64 // listed rows that were already cached
	cached, evicted  int64
	again            int64 // rows that were fetched again because the queue had a stale copy
	fetched, flushed int64 // rows to victim tables, and back
	averaged         int64 // number of times that caches were averaged
	old, lost        int64 // cached rows that lack updates in CPU memory; lost updates of victims
	ages             ages
}

// Labels of the counts in a report.
const (
	CountWindows  = "look-ahead windows"
	CountReads    = "rows read"    // distinct rows of each mini-batch
	CountVictims  = "victims read" // read rows that are not cached
	CountListed   = "rows listed"  // distinct rows of each window
	CountHits     = "rows kept"    // listed rows that were already cached
	CountCached   = "rows cached"  // listed rows that get a slot
	CountEvicted  = "rows evicted" // back to CPU memory
	CountAgain    = "rows fetched again"
	CountFetched  = "victims fetched" // by all GPUs
	CountFlushed  = "victims flushed"
	CountAveraged = "averages of caches"
	CountOld      = "old rows cached"
	CountLost     = "updates of victims lost"
	CountAge1     = "rows read that lack 1 update"
	CountAge2     = "rows read that lack 2 updates"
	CountAge4     = "rows read that lack 3 to 4 updates"
	CountAge8     = "rows read that lack 5 to 8 updates"
	CountAgeMore  = "rows read that lack more updates"
)

// list returns the counts. It includes the counts that concern Options.Released only if released is
// true.
func (c counts) list(released bool) []train.Count {
	list := []train.Count{
		{Label: CountWindows, N: c.windows}, {Label: CountReads, N: c.reads}, {Label: CountVictims, N: c.victims},
		{Label: CountListed, N: c.listed}, {Label: CountHits, N: c.hits}, {Label: CountCached, N: c.cached}, {Label: CountEvicted, N: c.evicted},
		{Label: CountFetched, N: c.fetched}, {Label: CountAveraged, N: c.averaged},
	}
	if !released {
		return append(list, train.Count{Label: CountAgain, N: c.again}, train.Count{Label: CountFlushed, N: c.flushed})
	}
	list = append(list, train.Count{Label: CountOld, N: c.old}, train.Count{Label: CountLost, N: c.lost})
	for i, label := range []string{CountAge1, CountAge2, CountAge4, CountAge8, CountAgeMore} {
		list = append(list, train.Count{Label: label, N: c.ages[i]})
	}
	return list
}
