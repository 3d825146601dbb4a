package wrap

import (
	"errors"
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// boundary connects a dma.Target to the ports of the accelerator itself.
type boundary struct {
	*dma.Target

	bench             *bench.Bench
	read, write, data *bench.Sink
}

// newBoundary connects a target to the accelerator and drives its straps high.
func newBoundary(b *bench.Bench, t *dma.Target) *boundary {
	b.Pin("cfg_bus_master_enable").SetBool(true)
	b.Pin("link_up").SetBool(true)
	return &boundary{
		Target: t, bench: b,
		read:  b.Sink("m_axis_read_desc_valid", "m_axis_read_desc_ready", prefixed("m_axis_read_desc_", "dma_addr", "len", "tag", "cls")...),
		write: b.Sink("m_axis_write_desc_valid", "m_axis_write_desc_ready", prefixed("m_axis_write_desc_", "dma_addr", "len", "tag")...),
		data:  b.Sink("m_axis_write_data_tvalid", "m_axis_write_data_tready", prefixed("m_axis_write_data_t", "data", "keep", "id", "last")...),
	}
}

// Give drives the inputs before a cycle.
func (u *boundary) Give() {
	u.Tick()
	pin := func(name string) sim.Pin { return u.bench.Pin("s_axis_read_data_t" + name) }
	beat, ok := u.ReadBeat()
	pin("valid").SetBool(ok)
	if ok {
		pin("id").Set(uint64(beat.Tag))
		pin("data").SetWords(beat.Data)
		pin("keep").Set(math.MaxUint64 >> (64 - 8*len(beat.Data)))
		pin("last").SetBool(beat.Last)
		pin("user").SetBool(beat.Poisoned)
	}
	u.status("s_axis_read_desc_status_", u.ReadStatus)
	u.status("s_axis_write_desc_status_", u.WriteStatus)
}

func (u *boundary) status(port string, next func() (dma.TagStatus, bool)) {
	status, ok := next()
	u.bench.Pin(port + "valid").SetBool(ok)
	u.bench.Pin(port + "tag").Set(uint64(status.Tag))
	u.bench.Pin(port + "error").Set(uint64(status.Error))
}

// Take processes the outputs after a cycle. It returns an error if the design has violated a rule.
func (u *boundary) Take() error {
	var errs []error
	for _, it := range u.read.Got[0] {
		errs = append(errs, u.TakeRead(dma.Descriptor{Addr: it[0], Len: int(it[1]), Tag: int(it[2]), Peer: it[3] == 1}))
	}
	for _, it := range u.write.Got[0] {
		errs = append(errs, u.TakeWrite(dma.Descriptor{Addr: it[0], Len: int(it[1]), Tag: int(it[2])}))
	}
	n := u.Bytes / 8
	for _, it := range u.data.Got[0] {
		errs = append(errs, u.TakeData(dma.WriteBeat{Data: it[:n], Keep: it[n], Tag: int(it[n+1]), Last: it[n+2] == 1}))
	}
	u.read.Got[0], u.write.Got[0], u.data.Got[0] = nil, nil, nil
	return errors.Join(errs...)
}
