package timing

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// Bytes are the bytes of a copy between host and GPUs. The time of the copy follows from Most.
type Bytes struct {
	Most int // of the GPU with the largest share
	All  int // of all GPUs of a server
	Data int // values among All that a training must have moved; the rest are ids and optimiser states
}

// Rows returns the bytes of n rows that are dealt out to all GPUs.
func (s *Schedule) Rows(n int) Bytes { return s.dealt(n, s.RowBytes()) }

// Vectors returns the bytes of the pooled vectors of n inputs that are dealt out to all GPUs.
func (s *Schedule) Vectors(n int) Bytes { return s.dealt(n, s.Bags()*s.RowBytes()) }

// IDs returns the bytes of n row ids that are dealt out to all GPUs.
func (s *Schedule) IDs(n int) Bytes { return control(s.dealt(n, IDBytes)) }

// Dense returns the bytes of the dense parameters, or of their gradients, for each GPU.
func (s *Schedule) Dense() Bytes { return s.each(s.DenseBytes()) }

// RowsOnEach returns the bytes of n rows for each GPU.
func (s *Schedule) RowsOnEach(n int) Bytes { return s.each(n * s.RowBytes()) }

// RowsOnOne returns the bytes of n rows for GPU 0 only.
func (s *Schedule) RowsOnOne(n int) Bytes {
	return Bytes{n * s.RowBytes(), n * s.RowBytes(), n * s.RowBytes()}
}

// WithStates returns the bytes of rows together with their optimiser states.
func (s *Schedule) WithStates(b Bytes) Bytes {
	row, stored := s.RowBytes(), s.StoredBytes()
	return Bytes{b.Most / row * stored, b.All / row * stored, b.Data}
}

// StatesOnly returns the bytes of rows of values that only update optimiser states.
func (s *Schedule) StatesOnly(b Bytes) Bytes { return control(b) }

// And returns the sum of both.
func (b Bytes) And(o Bytes) Bytes { return Bytes{b.Most + o.Most, b.All + o.All, b.Data + o.Data} }

func (s *Schedule) dealt(n, size int) Bytes {
	all := s.ServerShare(n) * size
	return Bytes{s.Share(n) * size, all, all}
}

func (s *Schedule) each(n int) Bytes { return Bytes{n, n * s.GPUs, n * s.GPUs} }

// control returns bytes without values.
func control(b Bytes) Bytes { return Bytes{b.Most, b.All, 0} }

// check panics if the most loaded of n GPUs has less than the mean, because a copy would be too
// fast, or if there are more values than bytes.
func (b Bytes) check(label string, n int) {
	if b.Most*n < b.All || b.Data > b.All {
		panic(fmt.Sprintf("timing: %s has %d bytes on the GPU with most of them, but %d on %d GPUs with %d of values", label, b.Most, b.All, n, b.Data))
	}
}

// Resources of an audit: links, accesses of the CPU and the GPUs to their own memories, and accesses
// of the accelerator.
const (
	LinkToGPUs  = "host to GPUs"
	LinkToHost  = "GPUs to host"
	LinkNetwork = "GPU network"

	HostRead   = "host memory, read"
	HostUpdate = "host memory, update" // in place: a read and a write
	HostWrite  = "host memory, write"
	GPURead    = "GPU memory, read"
	GPUUpdate  = "GPU memory, update"
	GPUWrite   = "GPU memory, write"
	GPUCollect = "GPU memory, collect" // rows of all GPUs, to send them to the host

	AcceleratorHostRead  = "accelerator, read host memory"
	AcceleratorHostWrite = "accelerator, write host memory"
	AcceleratorGPURead   = "accelerator, read GPUs"
	AcceleratorGPUWrite  = "accelerator, write GPUs"
)

// Data returns the values that work moves or accesses, if the timeline is recorded.
func (s *Schedule) Data(resource string, bytes int) []timeline.Data {
	if s.keep == nil {
		return nil
	}
	return []timeline.Data{{Resource: resource, Bytes: int64(bytes)}}
}

// Access adds to the last of some operators that its kernels access rows. An update reads and writes
// each row.
func (s *Schedule) Access(ops []Op, resource string, rows int) []Op {
	if n := len(ops); n > 0 {
		ops[n-1].Data = append(ops[n-1].Data, s.rowData(resource, rows)...)
	}
	return ops
}

func (s *Schedule) rowData(resource string, rows int) []timeline.Data {
	if resource == HostUpdate || resource == GPUUpdate {
		rows *= 2
	}
	return s.Data(resource, rows*s.RowBytes())
}

// Kinds of collectives.
const (
	AllReduce = "all-reduce"
	AllGather = "all-gather"
	AllToAll  = "all-to-all"
	Broadcast = "broadcast"
)

// Collective books a collective of all GPUs, in which a rank has a buffer of bytes. The buffer
// holds data, values that the training must have exchanged. One rank moves nothing.
func (s *Schedule) Collective(kind, label string, d des.Time, bytes, data int, after ...timeline.Point) timeline.Point {
	return s.collective(s.Links, kind, label, d, bytes, data, after...)
}

func (s *Schedule) collective(r *timeline.Resource, kind, label string, d des.Time, bytes, data int, after ...timeline.Point) timeline.Point {
	if s.GPUs*s.Nodes == 1 {
		return timeline.Latest(after...)
	}
	return r.Book(timeline.Work{
		Label: label, Time: d, Bytes: int64(bytes), Data: s.Data(LinkNetwork, data), Collective: kind,
	}, after...)
}
