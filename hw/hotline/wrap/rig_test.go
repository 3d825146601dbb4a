package wrap

import (
	"errors"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// bus is a Slave at the ports m_axi of a design, of which it may have but one half.
type bus struct {
	slave     *Slave
	ar, aw, w *bench.Sink
	r, b      *bench.Source
	beats     int  // given on R
	answers   int  // given on B
	lazy      bool // nothing is taken of a write before all that may come before it
}

var addressFields = []string{"id", "addr", "len", "size", "burst", "cache", "prot"}

func prefixed(prefix string, names ...string) (out []string) {
	for _, n := range names {
		out = append(out, prefix+n)
	}
	return out
}

func (u *bus) reads(b *bench.Bench) {
	u.ar = b.Sink("m_axi_arvalid", "m_axi_arready", prefixed("m_axi_ar", addressFields...)...)
	u.r = b.Source("m_axi_rvalid", "m_axi_rready", prefixed("m_axi_r", "id", "data", "resp", "last")...)
}

func (u *bus) writes(b *bench.Bench) {
	u.aw = b.Sink("m_axi_awvalid", "m_axi_awready", prefixed("m_axi_aw", addressFields...)...)
	u.w = b.Sink("m_axi_wvalid", "m_axi_wready", prefixed("m_axi_w", "data", "strb", "last")...)
	u.b = b.Source("m_axi_bvalid", "m_axi_bready", prefixed("m_axi_b", "id", "resp")...)
}

// give comes before a cycle, take behind it.
func (u *bus) give(b *bench.Bench) {
	u.slave.Tick()
	if u.r != nil && u.r.Sent() == u.beats {
		if x, ok := u.slave.ReadBeat(); ok {
			u.beats++
			u.r.Send(0, append(append(bench.Item{uint64(x.ID)}, x.Data...), uint64(x.Resp), bench.Bit(x.Last)))
		}
	}
	if u.b != nil && u.b.Sent() == u.answers {
		if x, ok := u.slave.WriteAnswer(); ok {
			u.answers++
			u.b.Send(0, bench.Item{uint64(x.ID), uint64(x.Resp)})
		}
	}
	if u.lazy { // an address is taken with its data only, and data behind its address only
		u.aw.Rate, u.w.Rate = 0, 0
		if u.slave.Lacking() > 0 {
			u.w.Rate = 1
		} else if b.Pin("m_axi_wvalid").Bool() {
			u.aw.Rate = 1
		}
	}
}

func busAddress(it bench.Item) BusAddress {
	return BusAddress{ID: int(it[0]), Addr: it[1], Beats: int(it[2]) + 1, Size: uint(it[3]), Kind: uint(it[4])}
}

func (u *bus) take() error {
	var errs []error
	if u.ar != nil {
		for _, it := range u.ar.Got[0] {
			errs = append(errs, u.slave.TakeRead(busAddress(it)), constant(it))
		}
		u.ar.Got[0] = nil
	}
	if u.aw != nil {
		for _, it := range u.aw.Got[0] {
			errs = append(errs, u.slave.TakeWrite(busAddress(it)), constant(it))
		}
		n := u.slave.Bytes / 8
		for _, it := range u.w.Got[0] {
			errs = append(errs, u.slave.TakeData(BusWrite{Data: it[:n], Strb: it[n], Last: it[n+1] == 1}))
		}
		u.aw.Got[0], u.w.Got[0] = nil, nil
	}
	return errors.Join(errs...)
}

// constant expects the attributes of all bursts.
func constant(it bench.Item) error {
	if it[5] != bufferable || it[6] != 0 {
		return errors.New("attributes of a burst")
	}
	return nil
}

// without is a list without those that begin with one of the prefixes, each of which is there.
func without(list []string, prefixes ...string) []string {
	for _, p := range prefixes {
		n := len(list)
		list = slices.DeleteFunc(list, func(s string) bool { return strings.HasPrefix(s, p) })
		if len(list) == n {
			list = append(list, "none: "+p)
		}
	}
	return list
}

// tiny has few tags.
func tiny() arch.Link { return arch.Link{Stream: arch.Stream{StreamBits: 128}, Tags: 4} }
