package chakra_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/study/chakra"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// field is a field of a message: a number, or bytes.
type field struct {
	id, number uint64
	bytes      []byte
}

// fields decodes a message.
func fields(t *testing.T, b []byte) (list []field) {
	next := func() uint64 {
		x, n := binary.Uvarint(b)
		require.Positive(t, n)
		b = b[n:]
		return x
	}
	for len(b) > 0 {
		tag := next()
		f := field{id: tag >> 3, number: next()}
		if tag&7 == 2 {
			f.bytes, b = b[:f.number], b[f.number:]
		}
		list = append(list, f)
	}
	return list
}

// node is a decoded node.
type node struct {
	kind             uint64
	name             string
	control, data    []uint64
	start, duration  uint64
	numbers          map[string]uint64
	resource, branch string
}

// read decodes a file.
func read(t *testing.T, b []byte) (nodes []node) {
	for first := true; len(b) > 0; first = false {
		size, n := binary.Uvarint(b)
		message := fields(t, b[n:n+int(size)])
		b = b[n+int(size):]
		if first {
			require.Equal(t, "0.0.4", string(message[0].bytes))
			continue
		}
		x := node{numbers: map[string]uint64{}}
		for _, f := range message {
			switch f.id {
			case 1:
				require.EqualValues(t, len(nodes), f.number)
			case 2:
				x.name = string(f.bytes)
			case 3:
				x.kind = f.number
			case 4:
				x.control = append(x.control, f.number)
			case 5:
				x.data = append(x.data, f.number)
			case 6:
				x.start = f.number
			case 7:
				x.duration = f.number
			case 10:
				a := fields(t, f.bytes)
				require.Len(t, a, 2)
				switch string(a[0].bytes) {
				case "resource":
					x.resource = string(a[1].bytes)
				case "flow":
					x.branch = string(a[1].bytes)
				default:
					x.numbers[string(a[0].bytes)] = a[1].number
				}
			}
		}
		nodes = append(nodes, x)
	}
	return nodes
}

// TestWrite compares a trace of a few events with the nodes that a reader sees.
func TestWrite(t *testing.T) {
	const us = des.Microsecond
	l := timeline.New()
	cpu, copies, back, gpu, links := l.Resource("CPU", 1), l.Resource(timing.CopiesToGPUs, 1), l.Resource(timing.CopiesToHost, 1), l.Resource(timing.GPU, 1), l.Resource("GPU network", 1)
	l.Record(true)
	l.Flow("mini-batch 0")
	gathered := cpu.Book(timeline.Work{Label: "gather", Time: 10 * us})
	copied := copies.Book(timeline.Work{Label: "copy", Time: 3*us + us/2, Bytes: 300}, gathered)
	pooled := gpu.Book(timeline.Work{Label: "pool", Time: 2 * us, Kernels: 1})
	trained := gpu.Book(timeline.Work{Label: "train", Time: us / 4, Kernels: 1}, copied, pooled)
	links.Book(timeline.Work{Label: "sum", Time: us, Bytes: 1 << 40, Collective: timing.AllToAll}, trained)
	back.Book(timeline.Work{Label: "return", Time: us, Bytes: 5}, trained)
	var b bytes.Buffer
	require.NoError(t, chakra.Write(&b, l.Events()))
	const batch = "mini-batch 0"
	require.Equal(t, []node{
		{4, "gather", nil, nil, 0, 10, map[string]uint64{"is_cpu_op": 1, "start_ps": 0, "duration_ps": 10e6}, "CPU", batch},
		{2, "copy", nil, []uint64{0}, 10, 4, map[string]uint64{"is_cpu_op": 1, "tensor_size": 300, "start_ps": 10e6, "duration_ps": 3.5e6}, timing.CopiesToGPUs, batch},
		{4, "pool", nil, nil, 0, 2, map[string]uint64{"start_ps": 0, "duration_ps": 2e6}, timing.GPU, batch},
		{4, "train", []uint64{2}, []uint64{1, 2}, 14, 0, map[string]uint64{"start_ps": 13.5e6, "duration_ps": 0.25e6}, timing.GPU, batch},
		{7, "sum", nil, []uint64{3}, 14, 1, map[string]uint64{"comm_type": 6, "comm_size": 1 << 40, "tensor_size": 1 << 40, "start_ps": 13.75e6, "duration_ps": 1e6}, "GPU network", batch},
		{3, "return", nil, []uint64{3}, 14, 1, map[string]uint64{"is_cpu_op": 1, "tensor_size": 5, "start_ps": 13.75e6, "duration_ps": 1e6}, timing.CopiesToHost, batch},
	}, read(t, b.Bytes()))
}

// TestReplay: if the nodes of a trace run as early as their dependencies allow, they start when the
// events start. Without the control dependencies, some would start earlier.
func TestReplay(t *testing.T) {
	w := timing.Work{Inputs: 4096, Popular: 3000, HotRows: 900, ColdRows: 500, Listed: 3000, HotTable: 10000, Own: hotline.Work{Classify: 9, Gather: 9, Update: 9}}
	_, line, err := timing.Trace(hotline.Order, timingtest.Plan(t, "hotline-2024-a", "rm2", 4), []timing.Work{w, w, w}, timingtest.All)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, chakra.Write(&b, line.Events()))
	nodes := read(t, b.Bytes())
	require.NotEmpty(t, nodes)
	early := func(control bool) (n int) {
		ends := make([]uint64, len(nodes))
		for i, x := range nodes {
			before := x.data
			if control {
				before = append(before, x.control...)
			}
			start := uint64(0)
			for _, j := range before {
				require.Less(t, j, uint64(i))
				start = max(start, ends[j])
			}
			if start < x.numbers["start_ps"] {
				n++
			}
			ends[i] = x.numbers["start_ps"] + x.numbers["duration_ps"]
		}
		return n
	}
	require.Zero(t, early(true))
	require.Positive(t, early(false))
}
