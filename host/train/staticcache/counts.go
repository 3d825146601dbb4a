package staticcache

import "github.com/hotline-rtl/hotline/host/train"

// counts are the events of a run.
type counts struct{ hits, misses, counted, cached, copied, updated int64 }

// Labels of the counts in a report.
const (
	CountHits    = "lookups that hit"
	CountMisses  = "lookups that miss"
	CountCounted = "lookups counted"
	CountCached  = "rows in the cache"
	CountCopied  = "missed rows copied to GPUs"
	CountUpdated = "missed rows updated"
)

func (c counts) list() []train.Count {
	return []train.Count{
		{Label: CountHits, N: c.hits}, {Label: CountMisses, N: c.misses}, {Label: CountCounted, N: c.counted}, {Label: CountCached, N: c.cached},
		{Label: CountCopied, N: c.copied}, {Label: CountUpdated, N: c.updated},
	}
}
