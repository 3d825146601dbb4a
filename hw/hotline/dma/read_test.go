package dma

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// sizes are the configurations of the engines in the tests.
var sizes = []struct {
	name string
	arch.Params
}{{"tiny", tiny()}, {"small", arch.Small()}, {"paper", arch.Paper()}}

func TestReadAgainstModel(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(read(p.Params))
		require.NoError(t, err)
		for seed := range seeds() {
			require.NoError(t, randomReads(d, p.Params, seed, 800), "%s, seed %d", p.name, seed)
		}
	}
}

func TestReadScenarios(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(read(p.Params))
		require.NoError(t, err)
		for name, check := range readScenarios {
			t.Run(p.name+"/"+name, func(t *testing.T) { require.NoError(t, check(d, p.Params)) })
		}
	}
}

// readScenarios are situations that random traffic does not produce.
var readScenarios = map[string]func(*ir.Design, arch.Params) error{
	"tags exhausted":    tagsExhausted,
	"commands go first": commandsGoFirst,
	"hold":              holdReads,
	"stray at take":     strayAtTake,
	"failing reads":     failingReads,
	"late data":         lateData,
	"rows back to back": rowsBackToBack,
	"latency":           readLatency,
	"dropped saturates": droppedSaturates,
	"quiet":             readQuiet,
}

// sendRows queues n whole rows.
func (r *readHarness) sendRows(n int) {
	for k := range n {
		r.send(ReadRequest{Addr: uint64(k) << 12, Len: r.p.VectorValues * 4})
	}
}

// tagsExhausted withholds all answers. Exactly Tags requests must be accepted.
func tagsExhausted(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.target.Rate = 0
	r.sendRows(2*p.Tags + 3)
	for range 3 * p.Tags {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if r.req.Sent() != p.Tags {
		return fmt.Errorf("%d requests taken, want %d", r.req.Sent(), p.Tags)
	}
	r.target.Rate = 1
	return r.run(100 * p.Tags * read(p).RowBeats())
}

// commandsGoFirst lets a blocked row stream hold all tags. Commands must still be read.
func commandsGoFirst(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.row.Rate = 0
	r.sendRows(p.Tags + 3)
	for range 20 {
		for range CommandTags {
			r.sendCommand()
		}
		for n := 0; len(r.free) != CommandTags; n++ {
			if n > 100*p.Tags*read(p).RowBeats() {
				return fmt.Errorf("%d of %d commands have come", len(r.free), CommandTags)
			}
			if err := r.cycle(); err != nil {
				return err
			}
		}
	}
	r.row.Rate = 1
	return r.run(100 * p.Tags * read(p).RowBeats())
}

// strayAtTake sends a status for the tag of a command in the cycle in which the command is
// accepted, before its descriptor is offered.
func strayAtTake(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.free = []int{0}
	for range 3 {
		r.sendCommand()
		r.status = []TagStatus{{p.Tags, 3}}
		if err := r.run(1000); err != nil {
			return err
		}
	}
	return nil
}

// holdReads holds while reads are in flight. They must finish, and nothing else may be requested.
func holdReads(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.sendRows(p.Tags / 2)
	r.sendCommand()
	for range 2 * p.Tags {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	r.io.Hold.Poke(1)
	r.sendRows(p.Tags)
	r.sendCommand()
	for n := 0; r.io.Pending.Peek() != 0; n++ {
		if n > 100*p.Tags*read(p).RowBeats() {
			return errors.New("reads are pending for ever")
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if got, want := r.req.Sent(), p.Tags/2; got != want {
		return fmt.Errorf("%d requests taken, want %d", got, want)
	}
	if got := r.command.Sent(); got != 1 || !r.target.Idle() {
		return fmt.Errorf("%d commands taken, want 1; descriptors are open: %v", got, !r.target.Idle())
	}
	r.io.Hold.Poke(0)
	return r.run(100 * p.Tags * read(p).RowBeats())
}

// failingReads lets more reads fail than there are tags, without any data and with every error
// code, before successful reads.
func failingReads(d *ir.Design, p arch.Params) error {
	for _, code := range []arch.DMAError{1, 2, 5, 8, 9, 10, 11} {
		r, err := newReadHarness(d, p, 1)
		if err != nil {
			return err
		}
		bad := 3*p.Tags + 1
		r.target.Fault = func(d Descriptor) Fault {
			return Fault{Error: code, Short: d.Addr>>12 < uint64(bad)}
		}
		r.sendRows(bad)
		if err := r.run(100 * bad); err != nil {
			return err
		}
		if got := r.io.Error.Peek(); got != 0 || r.done != bad {
			return fmt.Errorf("error %d of no load, after %d rows, want 0 after %d", got, r.done, bad)
		}
		r.send(ReadRequest{Len: MaxBytes, Kind: Load})
		if err := r.run(100 * bad); err != nil {
			return err
		}
		if got := r.io.Error.Peek(); got != code {
			return fmt.Errorf("error %d, want %d", got, code)
		}
		r.target.Fault = nil
		if err := r.clear(); err != nil {
			return err
		}
		r.sendRows(p.Tags)
		if err := r.run(100 * p.Tags * read(p).RowBeats()); err != nil {
			return err
		}
		if r.io.Error.Peek() != 0 {
			return errors.New("good reads leave an error")
		}
	}
	return nil
}

// lateData lets reads fail and delivers their data afterwards. The data must be dropped and
// counted, and later reads with the same tags must be intact.
func lateData(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.target.Fault = func(Descriptor) Fault { return Fault{Error: 1, Short: true} }
	r.sendRows(p.Tags)
	if err := r.run(100 * p.Tags); err != nil {
		return err
	}
	for k := range 3 * p.Tags {
		r.late = append(r.late, ReadBeat{Tag: k % p.Tags, Data: words(r.Rand, p)})
	}
	if err := r.run(100 * p.Tags); err != nil {
		return err
	}
	if got := int(r.io.Dropped.Peek()); got != 3*p.Tags {
		return fmt.Errorf("dropped is %d, want %d", got, 3*p.Tags)
	}
	r.target.Fault = nil
	r.sendRows(p.Tags)
	return r.run(100 * p.Tags * read(p).RowBeats())
}

// rowsBackToBack requires a beat per cycle, once with all rows in the buffer and once while they
// arrive.
func rowsBackToBack(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	beats := p.Tags * read(p).RowBeats()
	r.target.Delay, r.row.Rate = 0, 0
	r.sendRows(p.Tags)
	for range beats + 20 + p.Tags {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	r.row.Rate = 1
	for range beats {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if r.done != p.Tags {
		return fmt.Errorf("%d rows of the buffer delivered in %d cycles, want %d", r.done, beats, p.Tags)
	}
	for k := range p.Tags / 2 {
		r.send(ReadRequest{Addr: 4 * uint64(k), Len: p.StreamBytes()})
	}
	for range p.Tags/2 + 5 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if r.done != p.Tags+p.Tags/2 {
		return fmt.Errorf("%d rows delivered as they come, want %d", r.done-p.Tags, p.Tags/2)
	}
	return r.run(10)
}

// readLatency checks latencies: 1 cycle from a request to its descriptor, 2 from data to the load
// port, 3 from a status to the row.
func readLatency(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	expect := func(name string, valid hw.Bits, cycles int) error {
		for n := range cycles {
			if valid.Peek() != 0 {
				return fmt.Errorf("%s after %d cycles, want %d", name, n, cycles)
			}
			if err := r.Cycle(); err != nil {
				return err
			}
			r.drive(ReadBeat{}, false)
			r.setStatus(TagStatus{}, false)
		}
		if valid.Peek() == 0 {
			return fmt.Errorf("no %s after %d cycles", name, cycles)
		}
		return nil
	}
	r.drive(ReadBeat{}, false)
	r.send(ReadRequest{Len: p.StreamBytes(), Kind: Row})
	if err := expect("descriptor", r.io.Desc.Valid, 1); err != nil {
		return err
	}
	r.send(ReadRequest{Len: p.StreamBytes(), Kind: Load})
	if err := r.Run(3); err != nil {
		return err
	}
	r.drive(ReadBeat{Tag: 1, Data: words(r.Rand, p)}, true)
	if err := expect("load", r.io.Load.Valid, 2); err != nil {
		return err
	}
	r.drive(ReadBeat{Tag: 0, Data: words(r.Rand, p)}, true)
	r.setStatus(TagStatus{}, true)
	return expect("row", r.io.Row.Valid, 3)
}

// droppedSaturates drops more beats than the counter can count.
func droppedSaturates(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.drive(ReadBeat{Data: words(r.Rand, p)}, true)
	for range 1<<DroppedBits + 10 {
		if err := r.Sim.Step(); err != nil {
			return err
		}
	}
	if got := r.io.Dropped.Peek(); got != 1<<DroppedBits-1 {
		return fmt.Errorf("dropped is %d", got)
	}
	return nil
}

// readQuiet checks that no register changes once nothing arrives.
func readQuiet(d *ir.Design, p arch.Params) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.sendRows(p.Tags)
	if err := r.run(100 * p.Tags * read(p).RowBeats()); err != nil {
		return err
	}
	for range 2 {
		if err := r.Sim.Step(); err != nil {
			return err
		}
	}
	if !r.Sim.Quiet() {
		return errors.New("registers change though nothing arrives")
	}
	return nil
}

// equivalentFaults: an unsolicited status is ignored, so a status at reset has no effect.
const equivalentFaults = "reset value of status_valid"

// sentAgain: the tag whose descriptor was sent last is not the next tag to be allocated, so marking
// it as sent again has no effect.
const sentAgain = "or for and at read.go:146"

// checkRead runs all checks until one fails.
func checkRead(d *ir.Design, p arch.Params, seed uint64) error {
	if err := randomReads(d, p, seed, 800); err != nil {
		return err
	}
	return errors.Join(rowsBackToBack(d, p), readLatency(d, p), strayAtTake(d, p))
}

func TestReadFaultsAreCaught(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(read(p))
	require.NoError(t, err)
	found := survivors(t, d, 150, func() error { return checkRead(d, p, 1) })
	// A tag is always marked unfinished when it is allocated.
	found = without(found, "reset value of unfinished")
	require.Empty(t, without(without(found, equivalentFaults), sentAgain))
}

func without(faults []string, prefix string) []string {
	var out []string
	for _, f := range faults {
		if !strings.HasPrefix(f, prefix) {
			out = append(out, f)
		}
	}
	return out
}
