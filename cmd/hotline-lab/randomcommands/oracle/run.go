package oracle

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
)

// run is the execution of a command. It consumes the observed reads and writes of the command. A
// completed command must account for all of its own. A command that a reset interrupted may have
// done a part.
type run struct {
	*Oracle
	whole bool   // the command has completed
	end   uint64 // the cycle of its completion
	wrote []*shell.Write
	row   int    // the first error of a row, 0 if none
	muted bool   // no further writes are expected
	story string // describes the failed reads
	blind bool   // the data to write is unknown, because reads are missing
}

// violation is the panic value of a run that contradicts the document.
type violation struct{ error }

// interrupted is the panic value of a run that cannot proceed after a reset.
type interrupted struct{}

func (x *run) failf(format string, args ...any) { panic(violation{fmt.Errorf(format, args...)}) }

func (x *run) check(err error) {
	if err != nil {
		panic(violation{err})
	}
}

// ask requests a row. Its read may be observed later.
func (x *run) ask(addr uint64, peer bool) *row {
	r := &row{addr: addr, bytes: int(x.regs.rowBytes()), peer: peer}
	if len(x.unseen) > 0 || len(x.reads) == 0 {
		x.unseen = append(x.unseen, r)
		return r
	}
	x.check(x.match(r, x.reads[0]))
	x.reads = x.reads[1:]
	return r
}

// ended reports whether an event happened before the command completed. cycle is the cycle of the
// event, or 0 if it has not happened.
func (x *run) ended(cycle uint64) bool { return cycle > 0 && (!x.whole || cycle <= x.end) }

// wait returns the contents of a row, or nil if its read failed.
func (x *run) wait(r *row) vector {
	switch {
	case r.read != nil && x.ended(r.read.Ended):
	case x.whole:
		x.failf("completed before its row at %#x had come", r.addr)
	default:
		x.blind = true
		return make(vector, r.bytes/4)
	}
	if code := r.read.Outcome(); code != 0 {
		x.story += fmt.Sprintf("row at %#x: code %d, %d of %d bytes, poisoned %t; ", r.addr, r.read.Code, len(r.read.Data), r.read.Len, r.read.Poisoned)
		x.muted = true
		if x.row == 0 {
			x.row = code
		}
		return nil
	}
	return vectorOf(r.read.Data)
}

// next returns the next read. It panics if no read was observed.
func (x *run) next() *shell.Read {
	if len(x.unseen) > 0 || len(x.reads) == 0 {
		if x.whole {
			x.failf("completed without all of its reads")
		}
		panic(interrupted{})
	}
	return x.reads[0]
}

// load consumes the reads of n bytes, which may be split anywhere. It returns the code of the first
// failed read.
func (x *run) load(addr uint64, n int) (data []byte, code int) {
	for n > 0 {
		if code != 0 && len(x.reads) == 0 {
			return nil, code
		}
		r := x.next()
		if r.Addr != addr || r.Len > n || r.Peer {
			if code != 0 {
				return nil, code
			}
			x.failf("read of %#x, %d bytes, peer %t; expected the load of %#x, %d bytes left", r.Addr, r.Len, r.Peer, addr, n)
		}
		x.reads = x.reads[1:]
		switch {
		case x.ended(r.Ended) && code == 0:
			code = r.Outcome()
		case x.ended(r.Ended):
		case x.whole:
			x.failf("completed before its load of %#x had ended", r.Addr)
		default:
			x.blind = true
		}
		data = append(data, r.Data...)
		addr, n = addr+uint64(r.Len), n-r.Len
	}
	if x.blind {
		panic(interrupted{})
	}
	return data, code
}

// failed returns the error codes of the command's failed writes.
func (x *run) failed() (codes []int) {
	for _, w := range x.wrote {
		if w.Ended > 0 && w.Code != 0 {
			codes = append(codes, w.Code)
		}
	}
	return codes
}

// write expects a write of data. After a failed write it may be missing.
func (x *run) write(addr uint64, data []byte) *shell.Write {
	if x.muted {
		return nil
	}
	if len(x.writes) > 0 {
		w := x.writes[0]
		known := bytes.Equal(w.Data, data[:min(len(w.Data), len(data))])
		if w.Addr == addr && w.Len == len(data) && (known && !x.blind || len(w.Data) == 0) {
			x.take(w)
			return w
		}
	}
	switch {
	case len(x.failed()) > 0:
	case len(x.writes) > 0:
		w := x.writes[0]
		x.failf("write to %#x, %d bytes: %x; expected to %#x, %d bytes: %x", w.Addr, w.Len, w.Data, addr, len(data), data)
	case x.whole:
		x.failf("completed without its write to %#x", addr)
	}
	x.muted = true
	return nil
}

func (x *run) take(w *shell.Write) {
	if x.whole && !x.ended(w.Ended) {
		x.failf("completed before its write to %#x had left", w.Addr)
	}
	x.writes = x.writes[1:]
	x.wrote = append(x.wrote, w)
}

// writeRow expects a write that is counted as a row.
func (x *run) writeRow(addr uint64, v vector) {
	if w := x.write(addr, v.bytes()); w != nil {
		x.written.count(w.Code)
	}
}

// sum returns the checksum of all beats that the command has written.
func (x *run) sum() (sum uint32) {
	for _, w := range x.wrote {
		sum += beatSum(w.Data, x.p.StreamBytes())
	}
	return sum
}

// statuses returns the statuses with which the command may complete.
func (x *run) statuses(load int) []int {
	switch codes := x.failed(); {
	case load != 0:
		return []int{load}
	case x.row != 0:
		return []int{x.row}
	case len(codes) > 0:
		return codes
	}
	return []int{OK}
}

// Complete executes the next command, which has completed with c. It returns an error if the
// completion or the transfers of the command contradict the document.
func (o *Oracle) Complete(c Completion) (err error) {
	defer func() {
		if r := recover(); r != nil {
			v, ok := r.(violation)
			if !ok {
				panic(r)
			}
			err = v.error
		}
	}()
	if len(o.fetched) == 0 || o.fetched[0].Ended == 0 {
		return fmt.Errorf("a completion before its command was read")
	}
	x := &run{Oracle: o, whole: true, end: c.Issued}
	id, statuses, values := x.execute(&c)
	if !slices.Contains(statuses, c.Status) {
		return fmt.Errorf("status %d, expected %d; %s", c.Status, statuses, x.story)
	}
	if c.ID != id {
		return fmt.Errorf("id %#x, expected %#x", c.ID, id)
	}
	for i, v := range values {
		if c.Status == OK && c.Values[i] != v {
			return fmt.Errorf("value%d is %d, expected %d", i, c.Values[i], v)
		}
	}
	if sum := x.sum(); c.Status == OK && c.Sum != sum {
		return fmt.Errorf("sum %#x of what was written, expected %#x", c.Sum, sum)
	}
	o.known++
	if want := uint16(o.known); c.Head != want {
		return fmt.Errorf("consumer index %d, expected %d", c.Head, want)
	}
	return nil
}

// Interrupted checks the transfers of the commands that a reset has interrupted. They must be a
// part of the transfers that the commands require.
func (o *Oracle) Interrupted() error {
	for len(o.fetched) > 0 && o.fetched[0].Ended > 0 {
		if further, err := o.interrupted(); err != nil {
			return err
		} else if !further {
			break
		}
	}
	o.unseen = nil
	return o.Idle()
}

func (o *Oracle) interrupted() (further bool, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case violation:
			err = r.error
		case interrupted:
		default:
			panic(r)
		}
	}()
	(&run{Oracle: o}).execute(nil)
	return true, nil
}
