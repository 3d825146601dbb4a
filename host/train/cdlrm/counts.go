package cdlrm

import "github.com/hotline-rtl/hotline/host/train"

// counts are the events of a run.
type counts struct {
	windows          int64
	reads, victims   int64 // distinct rows of each mini-batch, and those of them that are not cached
	listed           int64 // distinct rows of each window
	hits             int64 // of them, cached before
	cached, evicted  int64
	again            int64 // rows that were fetched again because the queue had an old copy
	fetched, flushed int64 // rows to victim tables, and back
	averaged         int64 // times that caches were averaged
	old, lost        int64 // rows cached that lack updates that CPU memory has; updates of victims lost
	ages             ages
}

// Labels of the counts of a report.
const (
	CountWindows  = "look-ahead windows"
	CountReads    = "rows read"    // distinct ones of each mini-batch
	CountVictims  = "victims read" // those of them that are not cached
	CountListed   = "rows listed"  // distinct ones of each window
	CountHits     = "rows kept"    // those of them that were cached before
	CountCached   = "rows cached"  // those of them that get a slot
	CountEvicted  = "rows evicted" // which go back to CPU memory
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

// list has what is of Options.Released only if that is set.
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
