package scratchpipe

import "github.com/hotline-rtl/hotline/host/train"

// counts are the events and the sizes of a run.
type counts struct {
	lookups, hits int64
	rows          int64 // distinct rows per mini-batch, summed
	fills, leaves int64
	slots, window int64
	held          int64 // maximum at a time
}

// Labels of the counts in a report.
const (
	CountLookups = "lookups"
	CountHits    = "lookups that hit"
	CountRows    = "rows read"
	CountFills   = "rows filled in"
	CountLeaves  = "rows written back"
	CountSlots   = "slots"
	CountWindow  = "slots that the window needs at worst"
	CountHeld    = "slots held at most"
)

func (c *counts) add(p planned, lookups int) {
	c.lookups += int64(lookups)
	c.hits += int64(p.hits)
	c.rows += int64(len(p.slots))
	c.fills += int64(len(p.fills))
	c.leaves += int64(len(p.leaves))
}

func (c counts) list() []train.Count {
	return []train.Count{
		{Label: CountLookups, N: c.lookups}, {Label: CountHits, N: c.hits}, {Label: CountRows, N: c.rows},
		{Label: CountFills, N: c.fills}, {Label: CountLeaves, N: c.leaves},
		{Label: CountSlots, N: c.slots}, {Label: CountWindow, N: c.window}, {Label: CountHeld, N: c.held},
	}
}
