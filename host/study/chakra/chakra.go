package chakra

import (
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Types of nodes: enum NodeType.
const (
	memLoad    = 2
	memStore   = 3
	computing  = 4
	collective = 7
)

// collectives contains the number of each kind of collective: enum CollectiveCommType.
var collectives = map[string]uint64{
	timing.AllReduce: 0, timing.AllGather: 2, timing.Broadcast: 5, timing.AllToAll: 6,
}

// Write writes the trace of a GPU.
func Write(w io.Writer, events []timeline.Event) error {
	previous := map[string]int{} // last event of each resource
	if _, err := w.Write(new(message).text(1, "0.0.4").delimited()); err != nil {
		return err
	}
	for i, e := range events {
		before, ok := previous[e.Resource]
		previous[e.Resource] = i
		n := node(i, e)
		if ok {
			n.number(4, uint64(before))
		}
		for _, j := range e.After {
			n.number(5, uint64(j))
		}
		if _, err := w.Write(n.delimited()); err != nil {
			return err
		}
	}
	return nil
}

// node returns event i without its dependencies.
func node(i int, e timeline.Event) *message {
	n := new(message).number(1, uint64(i)).text(2, e.Label)
	switch {
	case e.Collective != "":
		n.number(3, collective).
			attribute("comm_type", int64Value, collectives[e.Collective]).
			attribute("comm_size", int64Value, uint64(e.Bytes))
	case e.Resource == timing.CopiesToGPUs || moves(e, timing.LinkToGPUs):
		n.number(3, memLoad)
	case e.Resource == timing.CopiesToHost || moves(e, timing.LinkToHost):
		n.number(3, memStore)
	default:
		n.number(3, computing)
	}
	if e.Bytes > 0 {
		n.attribute("tensor_size", uint64Value, uint64(e.Bytes))
	}
	if e.Resource != timing.GPU && e.Collective == "" {
		n.attribute("is_cpu_op", boolValue, 1)
	}
	return n.number(6, micros(e.Start)).number(7, micros(e.End-e.Start)).
		attribute("start_ps", uint64Value, uint64(e.Start)).
		attribute("duration_ps", uint64Value, uint64(e.End-e.Start)).
		attributeText("resource", e.Resource).
		attributeText("flow", e.Flow)
}

// moves reports whether an event moves values over a link.
func moves(e timeline.Event, link string) bool {
	return slices.ContainsFunc(e.Data, func(d timeline.Data) bool { return d.Resource == link })
}

// micros returns a time in microseconds, rounded to the nearest.
func micros(t des.Time) uint64 { return uint64((t + des.Microsecond/2) / des.Microsecond) }
