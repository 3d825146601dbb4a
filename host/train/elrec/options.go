package elrec

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
)

// Options are the options of a training with tensor-train tables.
type Options struct {
	Threshold int     `hcl:"threshold,optional"`      // tables with more rows are in tensor-train form
	Rank      int     `hcl:"rank,optional"`           // of tables in tensor-train form
	Host      bool    `hcl:"host,optional"`           // the other tables are in host memory
	Queue     int     `hcl:"queue,optional"`          // length of the queues of rows from and to host memory; with 1 nothing overlaps
	Groups    int     `hcl:"reorder_groups,optional"` // groups of GroupInputs inputs that determine the new numbers of rows; 0 disables renumbering
	Hot       float64 `hcl:"hot_ratio,optional"`      // fraction of the rows read in the groups that are hot
}

// GroupInputs is the number of inputs per group. Rows that a group reads together are connected by
// edges of the reordering graph.
const GroupInputs = 512

// MaxQueue is the maximum length of the queues.
const MaxQueue = 64

// DefaultOptions returns the options of the paper, or of its release where the paper does not state
// them. The number of groups is smaller than the release's 65,536, so that reordering takes
// seconds.
func DefaultOptions() Options {
	return Options{Threshold: 1_000_000, Rank: 128, Queue: 2, Groups: 16, Hot: 0.05}
}

// Check returns the name of the first option that is out of range, and an error.
func (o Options) Check() (name string, err error) {
	for _, x := range []struct {
		name      string
		v, lo, hi int
	}{
		{"threshold", o.Threshold, 0, math.MaxInt32}, {"rank", o.Rank, 1, tt.MaxRank}, {"queue", o.Queue, 1, MaxQueue}, {"reorder_groups", o.Groups, 0, math.MaxInt32},
	} {
		if x.v < x.lo || x.v > x.hi {
			return x.name, fmt.Errorf("%s is %d; expected %d to %d", x.name, x.v, x.lo, x.hi)
		}
	}
	if !(o.Hot >= 0 && o.Hot <= 1) {
		return "hot_ratio", fmt.Errorf("hot_ratio is %v; expected 0 to 1", o.Hot)
	}
	return "", nil
}

// Bytes estimates the memory in bytes that a simulated GPU needs for the tables in tensor-train
// form: the slices that the given number of inputs read (0 if unknown), and the gradient sums of
// one table.
func (o Options) Bytes(model dlrm.Config, inputs float64) float64 {
	kept, largest := 0.0, 0.0
	for _, t := range model.Tables {
		shape, err := tt.ShapeOf(t.Rows, model.Dim, o.Rank)
		if t.Rows <= o.Threshold || err != nil {
			continue
		}
		values := 0.0
		for core, rows := range shape.Rows {
			if read := inputs * float64(t.Lookups); inputs > 0 && read < float64(rows) {
				rows = int(read)
			}
			values += float64(rows * shape.SliceLen(core))
		}
		kept, largest = kept+values, max(largest, values)
	}
	return valueBytes*kept + 8*largest // in float64
}
