package accuracy

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// quantity is a value on an axis of a plot, computed from outcomes.
type quantity struct {
	head string // column header
	axis picture.Axis
	of   func(o, sequential outcome) float64
	text string // format of a value
}

// The quantities that the sweeps vary.
var (
	apart = quantity{"replicas apart", picture.Axis{Label: "distance of replicas from their mean, as a share of the row", Zero: true, Text: percent},
		func(o, _ outcome) float64 { return o.Apart }, "%.3f"}
	age = quantity{"mean age", picture.Axis{Label: "mean age of the reads, in updates", Zero: true},
		func(o, _ outcome) float64 { return o.Age }, "%.3f"}
	old         = quantity{"old", picture.Axis{}, func(o, _ outcome) float64 { return 100 * o.Old }, "%.2f %%"}
	never       = quantity{"never so", picture.Axis{}, func(o, _ outcome) float64 { return 100 * o.Never }, "%.2f %%"}
	compression = quantity{"compression", picture.Axis{Label: "compression of all rows", Log: true},
		func(o, s outcome) float64 { return float64(s.Embedding) / float64(o.Embedding) }, "%.1f"}
)

// The resulting accuracy, also relative to sequential training with the same seed.
var (
	auc      = quantity{"AUC", picture.Axis{}, func(o, _ outcome) float64 { return o.AUC }, "%.4f"}
	logLoss  = quantity{"log loss", picture.Axis{}, func(o, _ outcome) float64 { return o.LogLoss }, "%.4f"}
	moreAUC  = quantity{"AUC", picture.Axis{Label: "held-out AUC, less that of sequential training", Zero: true}, func(o, s outcome) float64 { return o.AUC - s.AUC }, "%+.4f"}
	moreLoss = quantity{"log loss", picture.Axis{Label: "held-out log loss, less that of sequential training", Zero: true}, func(o, s outcome) float64 { return o.LogLoss - s.LogLoss }, "%+.4f"}
)

func percent(v float64) string { return fmt.Sprintf("%.3g %%", 100*v) }

// band is the mean over the seeds, with the minimum and the maximum.
type band struct{ mean, low, high float64 }

// over computes the quantity for each seed.
func (q quantity) over(all, sequential []outcome) band {
	first := q.of(all[0], sequential[0])
	b := band{low: first, high: first}
	for i := range all {
		v := q.of(all[i], sequential[i])
		b.mean += v / float64(len(all))
		b.low, b.high = min(b.low, v), max(b.high, v)
	}
	return b
}
