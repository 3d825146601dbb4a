package shell

import (
	"encoding/binary"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// writeSide accepts write descriptors and their data.
type writeSide struct {
	*Shell
	tags, beat int

	addr, length, tag, valid, ready     sim.Pin
	tdata, keep, last                   sim.Pin
	dataValid, dataReady                sim.Pin
	statusTag, statusError, statusValid sim.Pin
	desc, data                          stream
	outstanding                         map[int]*Write
	order                               []*transfer // writes that have not ended, in the order of their descriptors
	readyNow, dataNow                   bool
}

// transfer is a write in flight.
type transfer struct {
	*Write
	code int
	at   uint64 // the cycle of its status, after all data has been sent
}

func newWriteSide(s *Shell, p arch.Params) writeSide {
	pin := func(name string) sim.Pin { return sim.Find(s.sim, name) }
	const desc, data, status = "m_axis_write_desc_", "m_axis_write_data_", "s_axis_write_desc_status_"
	return writeSide{Shell: s, tags: p.Tags, beat: p.StreamBytes(),
		addr: pin(desc + "dma_addr"), length: pin(desc + "len"), tag: pin(desc + "tag"), valid: pin(desc + "valid"), ready: pin(desc + "ready"),
		tdata: pin(data + "tdata"), keep: pin(data + "tkeep"), last: pin(data + "tlast"), dataValid: pin(data + "tvalid"), dataReady: pin(data + "tready"),
		statusTag: pin(status + "tag"), statusError: pin(status + "error"), statusValid: pin(status + "valid"),
		desc: stream{name: "write descriptors"}, data: stream{name: "write data"},
		outstanding: map[int]*Write{},
	}
}

func (s *writeSide) clear() {
	s.outstanding, s.order = map[int]*Write{}, nil
	s.desc.held, s.data.held = false, false
	s.ready.SetBool(false)
	s.dataReady.SetBool(false)
	s.statusValid.SetBool(false)
}

// filling returns the write to which the next data belongs.
func (s *writeSide) filling() *transfer {
	for _, t := range s.order {
		if !t.Filled() {
			return t
		}
	}
	return nil
}

// filled reports whether a write only lacks its status, which the environment must send.
func (s *writeSide) filled() bool {
	return slices.ContainsFunc(s.order, func(t *transfer) bool { return t.Filled() })
}

func (s *writeSide) drive() {
	s.readyNow = !s.chance(s.Schedule.WriteStall)
	s.dataNow = s.filling() != nil && !s.chance(s.Schedule.DataStall)
	s.ready.SetBool(s.readyNow)
	s.dataReady.SetBool(s.dataNow)
	s.statusValid.SetBool(false)
	for i, t := range s.order {
		if t.Filled() && t.at <= s.now && !s.Keep && (i == 0 || s.rng.IntN(4) > 0) {
			s.end(t)
			return
		}
	}
	if tag := s.rng.IntN(s.tags); s.chance(s.Schedule.Stray) && s.outstanding[tag] == nil && !(s.valid.Bool() && int(s.tag.Get()) == tag) {
		s.status(tag, int(s.rng.Uint64N(16)))
		s.Faults["status of no write"]++
	}
}

func (s *writeSide) status(tag, code int) {
	s.statusTag.Set(uint64(tag))
	s.statusError.Set(uint64(code))
	s.statusValid.SetBool(true)
}

func (s *writeSide) end(t *transfer) {
	s.status(t.Tag, t.code)
	t.Code, t.Ended = t.code, s.now
	s.active = s.now
	delete(s.outstanding, t.Tag)
	s.order = slices.DeleteFunc(s.order, func(x *transfer) bool { return x == t })
	s.watcher.WriteEnded(t.Write)
}

func (s *writeSide) sample() {
	// Data is sampled first, because data accepted in this cycle belongs to descriptors of earlier
	// cycles.
	if valid := s.dataValid.Bool(); valid || s.data.held {
		words := s.tdata.Words()
		if s.data.see(s.Shell, valid, s.dataNow, append(slices.Clone(words), s.keep.Get(), s.last.Get())...) {
			s.fill(s.filling(), words)
		}
	}
	valid := s.valid.Bool()
	if !valid && !s.desc.held {
		return
	}
	addr, length, tag := s.addr.Get(), s.length.Get(), s.tag.Get()
	if s.desc.see(s.Shell, valid, s.readyNow, addr, length, tag) {
		s.accept(&Write{Tag: int(tag), Addr: addr, Len: int(length), Offered: s.desc.from, Issued: s.now})
	}
}

func (s *writeSide) accept(w *Write) {
	switch {
	case w.Addr%4 != 0 || w.Len%4 != 0 || w.Len < 4 || w.Len > 4096:
		s.Failf("write descriptor: address %#x, %d bytes", w.Addr, w.Len)
	case s.outstanding[w.Tag] != nil:
		s.Failf("write descriptor: tag %d is outstanding", w.Tag)
	}
	s.outstanding[w.Tag] = w
	t := &transfer{Write: w}
	s.order = append(s.order, t)
	s.watcher.WriteIssued(w)
	rate, kind := s.Schedule.WriteFault, "write error"
	if w.Completion {
		rate, kind = s.Schedule.CompletionFault, "completion write error"
	}
	if s.chance(rate) {
		t.code = s.code()
		s.Faults[kind]++
	}
}

// fill accepts a beat of t.
func (s *writeSide) fill(t *transfer, words []uint64) {
	n := min(s.beat, t.Len-len(t.Data))
	last := len(t.Data)+n == t.Len
	if got := s.last.Bool(); got != last {
		s.Failf("write data: tlast is %t with %d of %d bytes to %#x", got, len(t.Data)+n, t.Len, t.Addr)
	}
	if keep, want := s.keep.Get(), ^uint64(0)>>(64-n); keep != want {
		s.Failf("write data: tkeep is %x with %d bytes in the beat to %#x", keep, n, t.Addr)
	}
	bytes := make([]byte, 0, s.beat)
	for _, w := range words {
		bytes = binary.LittleEndian.AppendUint64(bytes, w)
	}
	t.Data = append(t.Data, bytes[:n]...)
	if !last {
		return
	}
	t.at = s.now + 1 + s.upTo(s.Schedule.Latency)
	if t.code == 0 || s.rng.IntN(2) == 0 { // a failed write may or may not have changed memory
		s.Memory.Write(t.Addr, t.Data)
	}
	s.watcher.WriteFilled(t.Write)
}
