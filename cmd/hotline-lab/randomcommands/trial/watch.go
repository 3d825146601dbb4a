package trial

import "github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"

// bound returns the maximum number of cycles between two transfers of the accelerator while the
// environment owes it no response. After a failed row, up to one row for each tag may be consumed,
// one beat in each cycle, without a write.
func (d *driver) bound() uint64 {
	n := uint64(1000 + 2*d.p.Tags*d.p.VectorValues*32/d.p.StreamBits)
	if c, ok := d.oracle.Present(); ok {
		switch uint8(c[0]) {
		case oracle.Learn, oracle.Classify, oracle.Gather:
			n += min(16*uint64(c[4])*d.oracle.Register(oracle.RegSlots), 16*uint64(d.p.HalfWords()))
		case oracle.HotSet:
			n += 2 * uint64(d.p.Blocks)
		}
	}
	return n
}

// due reports whether the accelerator has work to do.
func (d *driver) due() bool {
	switch {
	case d.halted || d.resetting || !d.placed:
		return false
	case d.completed != d.filled: // the data of a completion is missing
		return true
	case !d.room(d.head.now):
		return false
	case d.oracle.Pending() > 0:
		return true
	}
	n := (d.tail.now - d.fetched) & 0xFFFF
	return d.on.now == 1 && n > 0 && n <= d.commands.entries()
}

// watch fails if the accelerator has work to do and makes no progress.
func (d *driver) watch() {
	if since := max(d.Active(), d.changed); !d.Owes() && d.due() && d.Now() > since+d.bound() {
		d.Failf("nothing has happened since cycle %d; %d commands are read and not completed", since, d.oracle.Pending())
	}
}
