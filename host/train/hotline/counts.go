package hotline

import (
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
)

// counts are the events of a run.
type counts struct {
	inputs, popular   int64
	lookups           int64
	hotRows, coldRows int64 // gathered by the accelerator
	updated           int64 // cold rows
	learned           int64 // mini-batches
	promoted, demoted int64
}

// again resets the counts to the values before a mini-batch, except for learned and moved rows.
func (c *counts) again(before counts) {
	learned, promoted, demoted := c.learned, c.promoted, c.demoted
	*c = before
	c.learned, c.promoted, c.demoted = learned, promoted, demoted
}

// Labels of the counts in a report.
const (
	CountInputs   = "inputs"
	CountPopular  = "popular inputs"
	CountLookups  = "lookups classified"
	CountHotRows  = "hot rows gathered"
	CountColdRows = "cold rows gathered"
	CountUpdated  = "cold rows updated"
	CountLearned  = "mini-batches learned"
	CountPromoted = "rows moved to GPUs"
	CountDemoted  = "rows moved to host"
	CountLost     = "interrupts lost" // noticed by the driver
	CountRepeated = "commands repeated"
	CountResets   = "resets of the accelerator"
	CountToCard   = "link bytes to accelerator"
	CountFromCard = "link bytes from accelerator"
)

func (c counts) list(d *driver.Driver, t server.Traffic) []train.Count {
	return []train.Count{
		{Label: CountInputs, N: c.inputs}, {Label: CountPopular, N: c.popular}, {Label: CountLookups, N: c.lookups},
		{Label: CountHotRows, N: c.hotRows}, {Label: CountColdRows, N: c.coldRows}, {Label: CountUpdated, N: c.updated},
		{Label: CountLearned, N: c.learned}, {Label: CountPromoted, N: c.promoted}, {Label: CountDemoted, N: c.demoted},
		{Label: CountLost, N: int64(d.LostInterrupts())},
		{Label: CountRepeated, N: int64(d.Survived().Repeated)}, {Label: CountResets, N: int64(d.Survived().Resets)},
		{Label: CountToCard, N: int64(t.ToCard.WireBytes)}, {Label: CountFromCard, N: int64(t.FromCard.WireBytes)},
	}
}
