package dispatchtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// RequestOf decodes a request to dma.Read.
func RequestOf(it bench.Item) dma.ReadRequest {
	return dma.ReadRequest{Peer: it[0] == 1, Addr: it[1], Len: int(it[2]), Kind: dma.Kind(it[3]), Dest: uint32(it[4])}
}

// OperationOf decodes an operation. Fields that its kind does not use are zero.
func OperationOf(it bench.Item) reduce.Operation {
	o := reduce.Operation{Kind: reduce.Kind(it[0]), Write: it[2] == 1, Next: it[3] == 1}
	switch o.Kind {
	case reduce.Add:
		o.Load = it[1] == 1
	case reduce.Mul:
		o.Scalar = math.Float32frombits(uint32(it[4]))
	}
	if o.Write {
		o.Addr = it[5]
	}
	return o
}

// Writer assembles the packets and beats of two streams.
type Writer struct {
	p            arch.Params
	Packet, Data *bench.Sink
	Writes       []dispatch.Write
}

// NewWriter returns a writer for the streams packet and data.
func NewWriter(b *bench.Bench, p arch.Params) *Writer {
	return &Writer{p: p, Packet: bench.PopOf[dma.Packet](b, "packet", p), Data: bench.PopOf[dma.DataBeat](b, "data", p)}
}

// Collect assembles what has arrived and checks lengths, keep and last.
func (w *Writer) Collect() error {
	for _, it := range w.Packet.Got[0] {
		w.Writes = append(w.Writes, dispatch.Write{Addr: it[0], Data: make([]byte, 0, it[1])})
	}
	for _, it := range w.Data.Got[0] {
		k := slices.IndexFunc(w.Writes, func(x dispatch.Write) bool { return len(x.Data) < cap(x.Data) })
		if k < 0 {
			return fmt.Errorf("data %x without a packet", it)
		}
		x := &w.Writes[k]
		x.Data = append(x.Data, dma.BytesOf(it[2:])[:w.p.StreamBytes()]...)
		last, keep := it[0] == 1, it[1]
		if keep != math.MaxUint64>>(64-w.p.StreamBytes()) || last != (len(x.Data) == cap(x.Data)) {
			return fmt.Errorf("%d bytes of a packet of %d: keep %x, last %v", len(x.Data), cap(x.Data), keep, last)
		}
	}
	w.Packet.Got[0], w.Data.Got[0] = nil, nil
	return nil
}
