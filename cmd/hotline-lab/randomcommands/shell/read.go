package shell

import (
	"encoding/binary"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// readSide responds to read descriptors.
type readSide struct {
	*Shell
	tags, commands int // number of tags of rows and loads, and of commands
	beat           int // bytes of a beat
	rogue          int // number of tag values that the port can encode

	addr, length, tag, cls, valid, ready sim.Pin
	data, keep, id, user, last           sim.Pin
	dataValid, dataReady                 sim.Pin
	statusTag, statusError, statusValid  sim.Pin
	desc                                 stream
	outstanding                          map[int]*job
	jobs                                 []*job // descriptors that have not ended, in the order of issue
	current                              *job   // the job whose beat is offered
	previous                             *job   // the job of the previous beat
	readyNow, shown, statusNow           bool
	ending                               int // the tag of the status in this cycle
}

// job is a descriptor in progress.
type job struct {
	*Read
	content []byte
	beats   int    // number of beats to send
	sent    int    // number of beats sent
	poison  uint64 // mask of poisoned beats
	code    int
	from    uint64 // the earliest cycle of the first beat, later of the status
	same    bool   // the status is sent with the last beat
	mark    bool   // tlast is set on the last beat
}

func newReadSide(s *Shell, p arch.Params) readSide {
	pin := func(name string) sim.Pin { return sim.Find(s.sim, name) }
	const desc, data, status = "m_axis_read_desc_", "s_axis_read_data_", "s_axis_read_desc_status_"
	return readSide{Shell: s, tags: p.Tags, commands: 4, beat: p.StreamBytes(), rogue: 1 << bits(s.sim, data+"tid"),
		addr: pin(desc + "dma_addr"), length: pin(desc + "len"), tag: pin(desc + "tag"), cls: pin(desc + "cls"), valid: pin(desc + "valid"), ready: pin(desc + "ready"),
		data: pin(data + "tdata"), keep: pin(data + "tkeep"), id: pin(data + "tid"), user: pin(data + "tuser"), last: pin(data + "tlast"),
		dataValid: pin(data + "tvalid"), dataReady: pin(data + "tready"),
		statusTag: pin(status + "tag"), statusError: pin(status + "error"), statusValid: pin(status + "valid"),
		desc:        stream{name: "read descriptors"},
		outstanding: map[int]*job{},
	}
}

func (s *readSide) clear() {
	s.outstanding, s.jobs, s.current, s.previous = map[int]*job{}, nil, nil, nil
	s.desc.held, s.shown = false, false
	s.ready.SetBool(false)
	s.dataValid.SetBool(false)
	s.statusValid.SetBool(false)
}

// drive offers a beat and a status if they are due.
func (s *readSide) drive() {
	s.readyNow = !s.chance(s.Schedule.ReadStall)
	s.ready.SetBool(s.readyNow)
	if s.current == nil {
		s.choose()
	}
	s.dataValid.SetBool(s.current != nil)
	if s.current != nil {
		s.offer(s.current)
	}
	s.statusNow = false
	for i, j := range s.jobs {
		if j.sent == j.beats && j.from <= s.now && !s.Keep && (i == 0 || s.rng.IntN(4) > 0) {
			s.end(j)
			break
		}
	}
	s.statusValid.SetBool(s.statusNow)
}

// choose selects the descriptor of the next beat.
func (s *readSide) choose() {
	if s.chance(s.Schedule.BeatStall) {
		return
	}
	if p := s.previous; p != nil && p.sent < p.beats && !s.chance(s.Schedule.Interleave) {
		s.current = p
		return
	}
	n := 0
	for _, j := range s.jobs {
		if j.sent < j.beats && j.from <= s.now {
			if n++; s.rng.IntN(n) == 0 {
				s.current = j
			}
		}
	}
}

func (s *readSide) offer(j *job) {
	if s.shown { // an offered beat must not change
		return
	}
	s.put(j.content[j.sent*s.beat:], j.Tag, j.poison>>j.sent&1 == 1, j.mark && j.sent == j.beats-1)
	s.shown, s.previous = true, j
}

// put drives a beat. Unused bytes and tkeep are random.
func (s *readSide) put(bytes []byte, tag int, poisoned, last bool) {
	words := make([]uint64, s.beat/8)
	for i := range words {
		words[i] = s.rng.Uint64()
		if n := len(bytes) - 8*i; n >= 8 {
			words[i] = binary.LittleEndian.Uint64(bytes[8*i:])
		} else if n > 0 {
			words[i] = words[i]>>32<<32 | uint64(binary.LittleEndian.Uint32(bytes[8*i:]))
		}
	}
	s.data.SetWords(words)
	s.keep.Set(s.rng.Uint64() >> (64 - s.beat))
	s.id.Set(uint64(tag))
	s.user.SetBool(poisoned)
	s.last.SetBool(last)
}

// end offers the status of j.
func (s *readSide) end(j *job) {
	s.statusNow = true
	s.ending = j.Tag
	s.statusTag.Set(uint64(j.Tag))
	s.statusError.Set(uint64(j.code))
	s.statusValid.SetBool(true)
	j.Code, j.Ended = j.code, s.now
	s.active = s.now
	delete(s.outstanding, j.Tag)
	s.jobs = slices.DeleteFunc(s.jobs, func(x *job) bool { return x == j })
	if s.previous == j {
		s.previous = nil
	}
}

// finish sends signals that depend on whether the accelerator accepts data in this cycle: a status
// with the last beat, and beats that belong to no descriptor.
func (s *readSide) finish() {
	j := s.current
	if j != nil && !s.dataReady.Bool() {
		return
	}
	if j != nil {
		s.take(j)
	} else {
		s.stray()
	}
	if !s.statusNow && s.chance(s.Schedule.Stray) {
		if tag, ok := s.free(); ok {
			s.statusTag.Set(uint64(tag))
			s.statusError.Set(s.rng.Uint64N(16))
			s.statusValid.SetBool(true)
			s.Faults["status of no read"]++
		}
	}
}

// take completes the transfer of a beat of j.
func (s *readSide) take(j *job) {
	n := min(s.beat, j.Len-len(j.Data))
	j.Data = append(j.Data, j.content[len(j.Data):len(j.Data)+n]...)
	j.Poisoned = j.Poisoned || j.poison>>j.sent&1 == 1
	j.sent++
	s.active, s.current, s.shown = s.now, nil, false
	if j.sent == j.beats {
		j.from = s.now + 1 + s.upTo(s.Schedule.Latency)
		if j.same && !s.statusNow && !s.Keep {
			s.end(j)
		}
	}
}

// stray sends a beat that belongs to no descriptor, but only if it is accepted immediately.
// Otherwise the beat could still be offered when its tag is issued.
func (s *readSide) stray() {
	if !s.chance(s.Schedule.Stray) {
		return
	}
	tag, poisoned, kind := 0, s.rng.IntN(2) == 0, "beat of no read"
	if j := s.complete(); j != nil && s.rng.IntN(2) == 0 {
		tag, poisoned, kind = j.Tag, false, "beat behind the last"
	} else if t, ok := s.free(); ok {
		tag = t
	} else {
		return
	}
	s.put(nil, tag, poisoned, s.rng.IntN(2) == 0)
	s.dataValid.SetBool(true)
	if !s.dataReady.Bool() {
		s.dataValid.SetBool(false)
		return
	}
	s.Faults[kind]++
	s.Dropped++
}

// complete returns a descriptor that has received all its data but no status.
func (s *readSide) complete() *job {
	for _, j := range s.jobs {
		if len(j.Data) == j.Len {
			return j
		}
	}
	return nil
}

// free returns a random tag. It reports whether the tag is neither outstanding nor offered, and
// does not end in this cycle.
func (s *readSide) free() (int, bool) {
	tag := s.rng.IntN(s.rogue)
	ends := s.statusNow && s.ending == tag
	return tag, s.outstanding[tag] == nil && !ends && !(s.valid.Bool() && int(s.tag.Get()) == tag)
}

// sample accepts an offered descriptor.
func (s *readSide) sample() {
	valid := s.valid.Bool()
	if !valid && !s.desc.held {
		return
	}
	addr, length, tag, cls := s.addr.Get(), s.length.Get(), s.tag.Get(), s.cls.Get()
	if !s.desc.see(s.Shell, valid, s.readyNow, addr, length, tag, cls) {
		return
	}
	r := &Read{Tag: int(tag), Addr: addr, Len: int(length), Peer: cls == 1, Command: int(tag) >= s.tags, Offered: s.desc.from, Issued: s.now}
	switch {
	case addr%4 != 0 || length%4 != 0 || length < 4 || length > 4096:
		s.Failf("read descriptor: address %#x, %d bytes", addr, length)
	case r.Tag >= s.tags+s.commands:
		s.Failf("read descriptor: tag %d", tag)
	case s.outstanding[r.Tag] != nil:
		s.Failf("read descriptor: tag %d is outstanding", tag)
	}
	j := &job{Read: r, content: s.Memory.Read(addr, int(length)), beats: (r.Len + s.beat - 1) / s.beat, from: s.now + 1 + s.upTo(s.Schedule.Latency)}
	j.same, j.mark = s.rng.IntN(4) == 0, true
	rate := s.Schedule.ReadFault
	if r.Command {
		rate = s.Schedule.CommandFault
	}
	if s.chance(rate) {
		s.fault(j)
	}
	s.outstanding[r.Tag] = j
	s.jobs = append(s.jobs, j)
	s.watcher.ReadIssued(r)
}

// fault selects one of the ways in which a read can fail, for j.
func (s *readSide) fault(j *job) {
	full := j.beats
	fewer := func() {
		j.beats = s.rng.IntN(full)
		j.mark = s.rng.IntN(2) == 0
	}
	name := "read"
	if j.Command {
		name = "command read"
	}
	kind := ""
	switch s.rng.IntN(5) {
	case 0:
		kind, j.code = "error with all data", s.code()
	case 1:
		kind, j.code = "error with less data", s.code()
		fewer()
	case 2:
		kind = "too little data"
		fewer()
	case 3:
		kind, j.poison = "poisoned", 1<<s.rng.IntN(full)
	case 4:
		kind, j.poison = "poisoned, then another error", s.rng.Uint64()
		j.code = s.code()
		fewer()
	}
	s.Faults[name+": "+kind]++
}

// code returns a DMA error code, in most cases one that has a name.
func (s *Shell) code() int {
	named := []int{1, 2, 8, 9, 10, 11}
	if s.rng.IntN(4) == 0 {
		return 1 + s.rng.IntN(15)
	}
	return named[s.rng.IntN(len(named))]
}
