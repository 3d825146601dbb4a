package wrap

import (
	"errors"
	"slices"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// busModel connects a slave to the ports m_axi of a design. The design may have only the read ports or
// only the write ports.
type busModel struct {
	*slave
	Lazy bool // accepts each part of a write as late as the rules allow

	AR, AW, W *bench.Sink   // exported for their rates
	R, B      *bench.Source // exported for their rates

	bench   *bench.Bench
	beats   int // sent on R
	answers int // sent on B
}

// newBusModel connects a slave to a design.
func newBusModel(b *bench.Bench, s *slave) *busModel {
	u := &busModel{slave: s, bench: b}
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

// has reports whether a design has a port.
func has(b *bench.Bench, port string) bool {
	return slices.ContainsFunc(b.Sim.Ports(), func(p sim.Port) bool { return p.Name == port })
}

// Give drives the inputs before a cycle.
func (u *busModel) Give() {
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
	if u.Lazy { // accept an address only when its data is valid, and data only after its address
		u.AW.Rate, u.W.Rate = 0, 0
		if u.lacking() > 0 {
			u.W.Rate = 1
		} else if u.bench.Pin("m_axi_wvalid").Bool() {
			u.AW.Rate = 1
		}
	}
}

// Take processes the outputs after a cycle. It returns an error if the design has violated a rule.
func (u *busModel) Take() error {
	var errs []error
	if u.AR != nil {
		for _, it := range u.AR.Got[0] {
			errs = append(errs, u.TakeRead(addressOf(it)), attributes(it))
		}
		u.AR.Got[0] = nil
	}
	if u.AW != nil {
		for _, it := range u.AW.Got[0] {
			errs = append(errs, u.TakeWrite(addressOf(it)), attributes(it))
		}
		n := u.Bytes / 8
		for _, it := range u.W.Got[0] {
			errs = append(errs, u.TakeData(busWrite{Data: it[:n], Strb: it[n], Last: it[n+1] == 1}))
		}
		u.AW.Got[0], u.W.Got[0] = nil, nil
	}
	return errors.Join(errs...)
}

func addressOf(it bench.Item) busAddress {
	return busAddress{ID: int(it[0]), Addr: it[1], Beats: int(it[2]) + 1, Size: uint(it[3]), Kind: uint(it[4])}
}

// attributes checks that cache and prot describe normal bufferable memory.
func attributes(it bench.Item) error {
	if it[5] != 0b0011 || it[6] != 0 {
		return errors.New("attributes of a burst")
	}
	return nil
}
