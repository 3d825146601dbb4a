package dma

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// readHarness connects a Read to a Target, and compares it with a ReadModel in every cycle.
type readHarness struct {
	*bench.Bench
	p         arch.Params
	io        ReadPorts
	loaded    sim.Pin // data of a beat on the load port
	data      sim.Pin // read data at the boundary
	target    *Target
	model     *ReadModel
	req       *bench.Source
	command   *bench.Source
	desc, row *bench.Sink
	// probability that a command is requested in a cycle in which requests wait
	commandRate float64
	stray       float64     // probability of an unsolicited beat or status
	status      []TagStatus // unsolicited statuses, sent one per cycle
	late        []ReadBeat  // sent when the target has no beat

	waiting  []ReadRequest // sent, but not yet accepted
	asked    []int         // tags and addresses of commands that are sent, but not yet accepted
	addrs    []uint64
	free     []int        // tags of commands that are not in flight
	ends     []CommandEnd // expected
	expected []Descriptor // expected descriptors of accepted requests
	loads    []LoadBeat   // expected on the load port
	rows     []RowData    // expected on the row stream
	beat     int          // of rows[0]
	done     int          // number of rows delivered
	pulses   int          // number of pulses of row_done
	moved    uint64       // bytes of the descriptor that was accepted in the previous cycle
	taken    int          // number of requests
	returned int          // number of tags
	waited   bool         // a request waited for a tag in the previous cycle
}

func newReadHarness(d *ir.Design, p arch.Params, seed uint64) (*readHarness, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	return &readHarness{
		Bench: b, p: p,
		io:      sim.Bind[ReadPorts](b.Sim, read(p)),
		loaded:  b.Pin("load_data"),
		data:    b.Pin(readData + "_tdata"),
		target:  NewTarget(noise{}, p.StreamBytes(), 20, seed),
		model:   NewReadModel(p.Tags, p.StreamBytes()),
		req:     bench.PushOf[Request](b, "req", p),
		command: bench.PushOf[CommandRead](b, "command", p),
		free:    []int{0, 1, 2, 3},
		desc:    bench.PopOf[ReadDesc](b, readDesc, p),
		row:     bench.PopOf[RowBeat](b, "row", p),
	}, nil
}

// send queues a request.
func (r *readHarness) send(q ReadRequest) {
	r.req.Send(0, bench.Item{bench.Bit(q.Peer), q.Addr, uint64(q.Len), uint64(q.Kind), uint64(q.Dest)})
	r.waiting = append(r.waiting, q)
}

// cycle runs one clock cycle and compares the outputs with the model.
func (r *readHarness) cycle() error {
	if len(r.waiting) > 0 && r.Rand.Float64() < r.commandRate {
		r.sendCommand()
	}
	r.target.Tick()
	beat, hasBeat := r.target.ReadBeat()
	status, hasStatus := r.target.ReadStatus()
	if !hasBeat && len(r.late) > 0 {
		beat, hasBeat, r.late = r.late[0], true, r.late[1:]
	}
	if tag := r.Rand.IntN(2 * r.p.Tags); !hasBeat && r.Rand.Float64() < r.stray && !r.isOffered(tag) {
		beat, hasBeat = ReadBeat{Tag: tag, Data: words(r.Rand, r.p)}, true
	}
	if tag := r.Rand.IntN(2 * r.p.Tags); !hasStatus && r.Rand.Float64() < r.stray/8 && r.model.open(tag) == nil && !r.isOffered(tag) {
		status, hasStatus = TagStatus{tag, 3}, true
	}
	if !hasStatus && len(r.status) > 0 {
		status, hasStatus, r.status = r.status[0], true, r.status[1:]
	}
	r.drive(beat, hasBeat)
	r.setStatus(status, hasStatus)

	before, commands := r.req.Sent(), r.command.Sent()
	if err := r.Cycle(r.look); err != nil {
		return err
	}
	if r.command.Sent() > commands {
		r.takeCommand()
	}
	if r.req.Sent() > before {
		if err := r.take(); err != nil {
			return err
		}
	}
	if hasBeat {
		if out, ok := r.model.Data(beat.Tag, beat.Data, beat.Poisoned); ok {
			r.loads = append(r.loads, out)
		}
	}
	if hasStatus {
		r.model.Status(status.Tag, status.Error)
	}
	r.rows = append(r.rows, r.model.Rows()...)
	r.ends = append(r.ends, r.model.Ends()...)
	return errors.Join(r.checkDescriptors(), r.checkRows())
}

// sendCommand queues the read of a command if a tag is free.
func (r *readHarness) sendCommand() {
	if len(r.free) == 0 {
		return
	}
	i := r.Rand.IntN(len(r.free))
	tag := r.free[i]
	r.free = slices.Delete(r.free, i, i+1)
	addr := r.Rand.Uint64() &^ 63
	r.command.Send(0, bench.Item{uint64(tag), addr})
	r.asked = append(r.asked, tag)
	r.addrs = append(r.addrs, addr)
}

// takeCommand updates the model after the engine has accepted the read of a command.
func (r *readHarness) takeCommand() {
	tag := r.model.Command(r.asked[0])
	r.expected = append(r.expected, Descriptor{Addr: r.addrs[0], Len: arch.CommandBytes, Tag: tag})
	r.asked, r.addrs = r.asked[1:], r.addrs[1:]
}

// isOffered reports whether the descriptor of a tag may be accepted in this cycle.
func (r *readHarness) isOffered(tag int) bool {
	return r.io.Desc.Valid.Peek() != 0 && r.io.Desc.Data.Tag.Peek() == uint64(tag)
}

func (r *readHarness) drive(b ReadBeat, valid bool) {
	if !valid {
		b = ReadBeat{Tag: r.Rand.IntN(2 * r.p.Tags), Data: words(r.Rand, r.p), Poisoned: true}
	}
	r.data.SetWords(b.Data)
	in := r.io.Data
	in.Valid.Poke(bench.Bit(valid))
	in.Data.Tag.Poke(uint64(b.Tag))
	in.Data.Last.Poke(bench.Bit(b.Last))
	in.Data.Keep.Poke(0) // ignored
	in.Data.Poisoned.Poke(bench.Bit(b.Poisoned))
}

// setStatus drives the status of the boundary.
func (r *readHarness) setStatus(s TagStatus, valid bool) {
	r.io.Status.Valid.Poke(bench.Bit(valid))
	r.io.Status.Data.Tag.Poke(uint64(s.Tag))
	r.io.Status.Data.Error.Poke(s.Error)
}

// take updates the model after the engine has accepted a request.
func (r *readHarness) take() error {
	q := r.waiting[0]
	r.waiting = r.waiting[1:]
	tag, err := r.model.Request(q)
	r.expected = append(r.expected, Descriptor{Addr: q.Addr, Len: q.Len, Tag: tag, Peer: q.Peer})
	return err
}

// look checks the outputs that are not streams. They depend on earlier cycles only.
func (r *readHarness) look() error {
	if r.io.Data.Ready.Peek() == 0 {
		return errors.New("read data is stalled")
	}
	if load := r.io.Load; load.Valid.Peek() != 0 {
		got := LoadBeat{load.Data.Command.Peek() != 0, uint32(load.Data.Dest.Peek()), slices.Clone(r.loaded.Words())}
		if len(r.loads) == 0 || got.Command != r.loads[0].Command || got.Dest != r.loads[0].Dest || !slices.Equal(got.Data, r.loads[0].Data) {
			return fmt.Errorf("load port gives %+v, want the first of %+v", got, r.loads)
		}
		r.loads = r.loads[1:]
	}
	if r.io.RowDone.Peek() != 0 {
		r.pulses++
	}
	if end := r.io.End; end.Valid.Peek() != 0 {
		got := CommandEnd{int(end.Data.Tag.Peek()), end.Data.Failed.Peek() != 0}
		if len(r.ends) == 0 || got != r.ends[0] {
			return fmt.Errorf("command ends with %+v, want the first of %+v", got, r.ends)
		}
		r.ends, r.free = r.ends[1:], append(r.free, got.Tag)
	}
	all, loads := r.model.Outstanding(Load)
	if err := r.counted(); err != nil {
		return err
	}
	pending := r.io.Pending.Peek() != 0
	switch {
	case !pending && (all > 0 || len(r.rows) > 0):
		return fmt.Errorf("not pending with %d reads and %d rows", all, len(r.rows))
	case r.io.Loading.Peek() == 0 && loads > 0:
		return fmt.Errorf("not loading with %d loads", loads)
	case !pending && r.io.Error.Peek() != r.model.Error():
		return fmt.Errorf("error is %d, want %d", r.io.Error.Peek(), r.model.Error())
	}
	return nil
}

// counted checks the counters.
func (r *readHarness) counted() error {
	if got := r.io.Asked.Peek(); got != r.moved {
		return fmt.Errorf("%d bytes asked for, want %d", got, r.moved)
	}
	r.moved = 0
	if r.io.Desc.Valid.Peek()&r.io.Desc.Ready.Peek() != 0 {
		r.moved = r.io.Desc.Data.Len.Peek()
	}
	inFlight := int(r.io.InFlight.Peek())
	returned := r.taken - inFlight
	if returned < r.returned || returned > r.returned+1 || inFlight < r.model.Tagged() || r.io.Pending.Peek() == 0 && inFlight > 0 {
		return fmt.Errorf("%d reads in flight after %d requests, of which %d hold a tag", inFlight, r.taken, r.model.Tagged())
	}
	r.returned = returned
	waits := r.io.Req.Valid.Peek() != 0 && inFlight == r.p.Tags && r.io.Hold.Peek() == 0
	if stalled := r.io.Stalled.Peek() != 0; stalled != (waits && !r.waited) {
		return fmt.Errorf("a request waits for a tag: %v, and did before: %v; stalled: %v", waits, r.waited, stalled)
	}
	r.waited = waits
	if r.io.Req.Valid.Peek()&r.io.Req.Ready.Peek() != 0 {
		r.taken++
	}
	return nil
}

// checkDescriptors passes new descriptors to the target.
func (r *readHarness) checkDescriptors() error {
	for _, it := range r.desc.Got[0] {
		d := Descriptor{Addr: it[0], Len: int(it[1]), Tag: int(it[2]), Peer: it[3] != 0}
		if len(r.expected) == 0 || d != r.expected[0] {
			return fmt.Errorf("descriptor %+v, want the first of %+v", d, r.expected)
		}
		r.expected = r.expected[1:]
		if err := r.target.TakeRead(d); err != nil {
			return err
		}
		r.model.Send(d.Tag)
	}
	r.desc.Got[0] = nil
	return nil
}

// checkRows compares the new beats of rows.
func (r *readHarness) checkRows() error {
	for _, it := range r.row.Got[0] {
		if len(r.rows) == 0 {
			return fmt.Errorf("row beat %x, but no row is complete", it)
		}
		want := r.rows[0]
		last := r.beat == len(want.Beats)-1
		if got := it[1] != 0; got != last {
			return fmt.Errorf("row %d beat %d: last is %v", r.done, r.beat, got)
		}
		if got := arch.DMAError(it[0]); got != want.Error {
			return fmt.Errorf("row %d beat %d: error is %d, want %d", r.done, r.beat, got, want.Error)
		}
		if data := want.Beats[r.beat]; data != nil && !slices.Equal(data, it[2:]) {
			return fmt.Errorf("row %d beat %d: %x, want %x", r.done, r.beat, it[2:], data)
		}
		r.beat++
		if last {
			r.rows, r.beat, r.done = r.rows[1:], 0, r.done+1
		}
	}
	r.row.Got[0] = nil
	return nil
}

// run cycles until all traffic has finished, and a few cycles more.
func (r *readHarness) run(limit int) error {
	busy := func() bool {
		all, _ := r.model.Outstanding(Row)
		return len(r.waiting)+len(r.asked)+all+len(r.rows)+len(r.expected)+len(r.late) > 0 || !r.target.Idle()
	}
	for n := 0; busy(); n++ {
		if n == limit {
			return fmt.Errorf("not done after %d cycles: %d requests wait, %d rows", limit, len(r.waiting), len(r.rows))
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	r.stray = 0
	for range r.p.Tags + 5 { // tags are returned one per cycle
		if err := r.cycle(); err != nil {
			return err
		}
	}
	switch {
	case r.io.Pending.Peek() != 0 || r.io.Loading.Peek() != 0:
		return errors.New("still pending or loading at the end")
	case len(r.loads)+len(r.ends) > 0:
		return fmt.Errorf("%d load beats, %d ends of commands are missing", len(r.loads), len(r.ends))
	case r.pulses != r.done:
		return fmt.Errorf("%d pulses of row_done for %d rows", r.pulses, r.done)
	case int(r.io.Dropped.Peek()) != r.model.Dropped():
		return fmt.Errorf("dropped is %d, want %d", r.io.Dropped.Peek(), r.model.Dropped())
	}
	return nil
}

// clear resets the error.
func (r *readHarness) clear() error {
	r.io.Clear.Poke(1)
	err := r.cycle()
	r.io.Clear.Poke(0)
	r.model.Clear()
	return errors.Join(err, r.cycle())
}

// randomRequest returns a random request of either kind.
func (r *readHarness) randomRequest() ReadRequest {
	q := ReadRequest{Peer: r.Rand.IntN(2) == 0, Addr: r.Rand.Uint64() &^ 3, Kind: Kind(r.Rand.IntN(2)), Dest: r.Rand.Uint32() >> 8}
	longest := r.p.VectorValues
	if q.Kind != Row && r.Rand.IntN(8) == 0 {
		longest = MaxBytes / 4
	}
	q.Len = 4 * (1 + r.Rand.IntN(longest))
	if r.Rand.IntN(4) == 0 {
		q.Len = 4 * longest
	}
	return q
}

// randomFault returns a fault function that disturbs one in n descriptors.
func (r *readHarness) randomFault(n int) func(Descriptor) Fault {
	return func(d Descriptor) Fault {
		if r.Rand.IntN(n) > 0 {
			return Fault{}
		}
		return Fault{
			Error:  []arch.DMAError{0, 0, 0, 0, 1, 2, 10, 11}[r.Rand.IntN(8)],
			Short:  r.Rand.IntN(2) == 0,
			Beats:  max(0, r.Rand.IntN(2+d.Len/r.p.StreamBytes())-2),
			Poison: r.Rand.IntN(2) == 0,
		}
	}
}

// randomReads drives a Read with random requests, delays, faults and unsolicited answers.
func randomReads(d *ir.Design, p arch.Params, seed uint64, requests int) error {
	r, err := newReadHarness(d, p, seed)
	if err != nil {
		return err
	}
	r.stray = 0.5
	for range 100 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	for batch := range requests / 20 {
		r.req.Rate, r.command.Rate, r.desc.Rate, r.row.Rate, r.target.Rate = rate(r.Rand), rate(r.Rand), rate(r.Rand), rate(r.Rand), rate(r.Rand)
		r.target.Delay, r.target.Fault, r.stray = []int{0, 3, 20, 60}[batch%4], r.randomFault(8), 0.05
		r.commandRate = 0.1
		for range 20 {
			r.send(r.randomRequest())
		}
		if err := r.run(20000); err != nil {
			return err
		}
		if err := r.clear(); err != nil {
			return err
		}
	}
	return nil
}
