package elrec

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/rec/tt"
)

// Options are the choices that a training with tensor-train tables leaves.
type Options struct {
	Threshold int     // tables of more rows are in tensor-train form
	Rank      int     // of these
	Host      bool    // the other tables are in host memory
	Queue     int     // length of the queues of rows from and to host memory; with 1 nothing overlaps
	Groups    int     // of GroupInputs inputs each, by which rows are numbered anew; 0 leaves their numbers
	Hot       float64 // share of the rows read there that are hot
}

// GroupInputs is how many inputs make edges of the graph of rows that are read
// together.
const GroupInputs = 512

// MaxQueue is the largest length of the queues.
const MaxQueue = 64

// DefaultOptions are those of the paper, and of its release where the paper does not
// say. Of the release's 65,536 groups they keep as many as take seconds.
func DefaultOptions() Options {
	return Options{Threshold: 1_000_000, Rank: 128, Queue: 2, Groups: 16, Hot: 0.05}
}

// Check reports the first option that is out of range.
func (o Options) Check() error {
	switch {
	case o.Threshold < 0:
		return fmt.Errorf("threshold is %d; expected at least 0", o.Threshold)
	case o.Rank < 1 || o.Rank > tt.MaxRank:
		return fmt.Errorf("rank is %d; expected 1 to %d", o.Rank, tt.MaxRank)
	case o.Queue < 1 || o.Queue > MaxQueue:
		return fmt.Errorf("queue is %d; expected 1 to %d", o.Queue, MaxQueue)
	case o.Groups < 0:
		return fmt.Errorf("reorder_groups is %d; expected at least 0", o.Groups)
	case !(o.Hot >= 0 && o.Hot <= 1):
		return fmt.Errorf("hot_ratio is %v; expected 0 to 1", o.Hot)
	}
	return nil
}
