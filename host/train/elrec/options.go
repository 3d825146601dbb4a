package elrec

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Options are the options of a training with tensor-train tables.
type Options struct {
	Threshold int     `hcl:"threshold,optional" unit:"rows" doc:"larger tables are in tensor-train form"`
	Rank      int     `hcl:"rank,optional" doc:"rank of tables in tensor-train form"`
	Host      bool    `hcl:"host,optional" doc:"the other tables are in host memory"`
	Queue     int     `hcl:"queue,optional" doc:"length of the queues of rows from and to host memory; with 1 nothing overlaps"`
	Groups    int     `hcl:"reorder_groups,optional" unit:"512 samples" doc:"groups that determine the new numbers of rows; 0 disables renumbering"` // of GroupInputs inputs
	Hot       float64 `hcl:"hot_ratio,optional" doc:"fraction of the rows read in the groups that are hot"`
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

// Limits returns the ranges of the options.
func (Options) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"threshold": limits.Between(0, math.MaxInt32), "rank": limits.Between(1, tt.MaxRank), "queue": limits.Between(1, MaxQueue),
		"reorder_groups": limits.Between(0, math.MaxInt32), "hot_ratio": limits.Between(0, 1),
	}
}

// Check returns the name of the first option that is out of range, and an error.
func (o Options) Check() (name string, err error) { return limits.First(o) }

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
