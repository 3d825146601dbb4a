package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// Epochs describes the passes over the training inputs.
type Epochs struct {
	Number  int   `json:"number"`  // requested passes, including those before a checkpoint
	Inputs  int64 `json:"inputs"`  // of an epoch; 0 if unknown
	Shuffle int   `json:"shuffle"` // window within which an epoch is shuffled; 0: order of the data
}

func (e *Epochs) String() string {
	text := fmt.Sprint(e.Number)
	if e.Inputs > 0 {
		text += fmt.Sprintf(" of %s inputs", format.Thousands(e.Inputs))
	}
	if e.Shuffle > 0 {
		text += fmt.Sprintf(", shuffled in windows of %s", format.Thousands(int64(e.Shuffle)))
	}
	return text
}

// epochs lists the evaluations after each epoch. Systems with equal evaluations share the rows of
// the first of them.
func (r *Report) epochs() Comparison {
	c := Comparison{
		Title: "Held-out inputs after each epoch", Note: "calibration: mean prediction / mean label",
		Columns: []table.Column{text("system"), {Name: "epoch"}, {Name: "mini-batches"}, {Name: "log loss"}, {Name: "AUC"}, {Name: "calibration"}},
	}
	for i, s := range r.Systems {
		var sharing []string
		for _, o := range r.Systems {
			if reflect.DeepEqual(o.Evaluations, s.Evaluations) {
				sharing = append(sharing, o.System)
			}
		}
		label := strings.Join(sharing, ", ")
		if sharing[0] != r.Systems[i].System {
			continue
		}
		for _, e := range s.Evaluations {
			if e.Epoch > 0 {
				c.Rows = append(c.Rows, append([]string{label, fmt.Sprint(e.Epoch), format.Thousands(int64(e.MiniBatch))}, e.cells()...))
				label = ""
			}
		}
	}
	return c
}

// cells returns the log loss, the AUC and the calibration.
func (e EvaluationAt) cells() []string {
	return []string{fmt.Sprintf("%.6f", e.LogLoss), shown4(e.AUC), shown4(e.Calibration)}
}

// byEpoch reports whether all evaluations of all systems end epochs.
func (r *Report) byEpoch() bool {
	return !slices.ContainsFunc(r.Systems, func(s System) bool {
		return slices.ContainsFunc(s.Evaluations, func(e EvaluationAt) bool { return e.Epoch == 0 })
	})
}

// EarlyStop is the end of a training whose held-out loss became no lower.
type EarlyStop struct {
	Epoch  int `json:"epoch"`        // the last epoch, from 1
	Lowest int `json:"lowest_epoch"` // the epoch with the lowest held-out log loss
}

func (e *EarlyStop) String() string {
	return fmt.Sprintf("after epoch %d; the held-out log loss was lowest after epoch %d", e.Epoch, e.Lowest)
}
