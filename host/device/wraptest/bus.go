package wraptest

import (
	"errors"
	"slices"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// Bus is a Slave at the ports m_axi of a design, of which there may be those of reads or of
// writes alone.
type Bus struct {
	*Slave
	Lazy bool // nothing is taken of a write before all that may come before it

	AR, AW, W *bench.Sink   // for their rates
	R, B      *bench.Source // likewise

	bench   *bench.Bench
	beats   int // given on R
	answers int // given on B
}

// NewBus brings a slave to a design.
func NewBus(b *bench.Bench, s *Slave) *Bus {
	u := &Bus{Slave: s, bench: b}
	address := []string{"id", "addr", "len", "size", "burst", "cache", "prot"}
	if has(b, "m_axi_arvalid") {
		u.AR = b.Sink("m_axi_arvalid", "m_axi_arready", prefixed("m_axi_ar", address...)...)
		u.R = b.Source("m_axi_rvalid", "m_axi_rready", prefixed("m_axi_r", "id", "data", "resp", "last")...)
	}
	if has(b, "m_axi_awvalid") {
		u.AW = b.Sink("m_axi_awvalid", "m_axi_awready", prefixed("m_axi_aw", address...)...)
		u.W = b.Sink("m_axi_wvalid", "m_axi_wready", prefixed("m_axi_w", "data", "strb", "last")...)
		u.B = b.Source("m_axi_bvalid", "m_axi_bready", prefixed("m_axi_b", "id", "resp")...)
	}
	return u
}

// has tells whether a design has a port.
func has(b *bench.Bench, port string) bool {
	return slices.ContainsFunc(b.Sim.Ports(), func(p sim.Port) bool { return p.Name == port })
}

func prefixed(prefix string, names ...string) (out []string) {
	for _, n := range names {
		out = append(out, prefix+n)
	}
	return out
}

// Give comes before a cycle.
func (u *Bus) Give() {
	u.Tick()
	if u.R != nil && u.R.Sent() == u.beats {
		if x, ok := u.ReadBeat(); ok {
			u.beats++
			u.R.Send(0, append(append(bench.Item{uint64(x.ID)}, x.Data...), uint64(x.Resp), bench.Bit(x.Last)))
		}
	}
	if u.B != nil && u.B.Sent() == u.answers {
		if x, ok := u.WriteAnswer(); ok {
			u.answers++
			u.B.Send(0, bench.Item{uint64(x.ID), uint64(x.Resp)})
		}
	}
	if u.Lazy { // an address is taken with its data only, and data behind its address only
		u.AW.Rate, u.W.Rate = 0, 0
		if u.lacking() > 0 {
			u.W.Rate = 1
		} else if u.bench.Pin("m_axi_wvalid").Bool() {
			u.AW.Rate = 1
		}
	}
}

// Take comes behind a cycle. The error is a rule that the design has broken.
func (u *Bus) Take() error {
	var errs []error
	if u.AR != nil {
		for _, it := range u.AR.Got[0] {
			errs = append(errs, u.TakeRead(busAddress(it)), attributes(it))
		}
		u.AR.Got[0] = nil
	}
	if u.AW != nil {
		for _, it := range u.AW.Got[0] {
			errs = append(errs, u.TakeWrite(busAddress(it)), attributes(it))
		}
		n := u.Bytes / 8
		for _, it := range u.W.Got[0] {
			errs = append(errs, u.TakeData(BusWrite{Data: it[:n], Strb: it[n], Last: it[n+1] == 1}))
		}
		u.AW.Got[0], u.W.Got[0] = nil, nil
	}
	return errors.Join(errs...)
}

func busAddress(it bench.Item) BusAddress {
	return BusAddress{ID: int(it[0]), Addr: it[1], Beats: int(it[2]) + 1, Size: uint(it[3]), Kind: uint(it[4])}
}

// attributes expects cache and prot of normal memory that may be buffered.
func attributes(it bench.Item) error {
	if it[5] != 0b0011 || it[6] != 0 {
		return errors.New("attributes of a burst")
	}
	return nil
}
