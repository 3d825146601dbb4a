package shell

import "github.com/hotline-rtl/hotline/sim"

// Responses of the bus (BRESP and RRESP of AXI4-Lite).
const (
	Okay     = 0
	SlaveErr = 2
)

// busBound is the maximum number of cycles from the master's last transfer to the response.
const busBound = 64

// Access is a read or write of a register over the bus.
type Access struct {
	Addr   uint32
	Data   uint32
	Strobe uint32
	Answer int
	Done   bool
	Ended  uint64

	waits   [3]uint64 // cycles from which address, data and response ready are driven
	sent    [2]bool   // address and data have been accepted
	awaited uint64    // the cycle in which the last of them was accepted
}

// bus is the AXI4-Lite master. It has at most one read and one write in flight, independently of
// each other.
type bus struct {
	*Shell
	read, write *Access

	awaddr, awvalid, awready       sim.Pin
	wdata, wstrb, wvalid, wready   sim.Pin
	bresp, bvalid, bready          sim.Pin
	araddr, arvalid, arready       sim.Pin
	rdata, rresp, rvalid, rready   sim.Pin
	answers, values                stream
	bNow, rNow, awNow, wNow, arNow bool
}

func newBus(s *Shell) bus {
	pin := func(name string) sim.Pin { return sim.Find(s.sim, "s_axil_"+name) }
	return bus{Shell: s,
		awaddr: pin("awaddr"), awvalid: pin("awvalid"), awready: pin("awready"),
		wdata: pin("wdata"), wstrb: pin("wstrb"), wvalid: pin("wvalid"), wready: pin("wready"),
		bresp: pin("bresp"), bvalid: pin("bvalid"), bready: pin("bready"),
		araddr: pin("araddr"), arvalid: pin("arvalid"), arready: pin("arready"),
		rdata: pin("rdata"), rresp: pin("rresp"), rvalid: pin("rvalid"), rready: pin("rready"),
		answers: stream{name: "bus write answers"}, values: stream{name: "bus read answers"},
	}
}

func (s *bus) clear() {
	s.read, s.write = nil, nil
	s.answers.held, s.values.held = false, false
	for _, p := range []sim.Pin{s.awvalid, s.wvalid, s.arvalid, s.bready, s.rready} {
		p.SetBool(false)
	}
}

func (s *Shell) access(a Access) *Access {
	for i := range a.waits {
		a.waits[i] = s.now + s.upTo(s.Schedule.BusPause)
	}
	return &a
}

// Idle reports whether a write (or read) can start.
func (s *Shell) Idle(write bool) bool {
	if write {
		return s.bus.write == nil
	}
	return s.bus.read == nil
}

// StartWrite starts a write of a register.
func (s *Shell) StartWrite(addr, data, strobe uint32) *Access {
	s.bus.write = s.access(Access{Addr: addr, Data: data, Strobe: strobe})
	return s.bus.write
}

// StartRead starts a read of a register.
func (s *Shell) StartRead(addr uint32) *Access {
	s.bus.read = s.access(Access{Addr: addr})
	s.bus.read.sent[1] = true // a read sends no data
	return s.bus.read
}

func (s *bus) drive() {
	w, r := s.write, s.read
	s.awNow = w != nil && !w.sent[0] && w.waits[0] <= s.now
	s.wNow = w != nil && !w.sent[1] && w.waits[1] <= s.now
	s.bNow = w != nil && w.waits[2] <= s.now
	s.arNow = r != nil && !r.sent[0] && r.waits[0] <= s.now
	s.rNow = r != nil && r.waits[2] <= s.now
	s.awvalid.SetBool(s.awNow)
	s.wvalid.SetBool(s.wNow)
	s.bready.SetBool(s.bNow)
	s.arvalid.SetBool(s.arNow)
	s.rready.SetBool(s.rNow)
	if s.awNow {
		s.awaddr.Set(uint64(w.Addr))
	}
	if s.wNow {
		s.wdata.Set(uint64(w.Data))
		s.wstrb.Set(uint64(w.Strobe))
	}
	if s.arNow {
		s.araddr.Set(uint64(r.Addr))
	}
}

func (s *bus) sample() {
	s.answer(s.write, &s.answers, s.bvalid.Bool(), s.bNow, s.bresp, nil)
	s.answer(s.read, &s.values, s.rvalid.Bool(), s.rNow, s.rresp, &s.rdata)
	if w := s.write; w != nil {
		w.step(0, s.awNow && s.awready.Bool(), s.now)
		w.step(1, s.wNow && s.wready.Bool(), s.now)
		if w.Done {
			s.write = nil
		}
	}
	if r := s.read; r != nil {
		r.step(0, s.arNow && s.arready.Bool(), s.now)
		if r.Done {
			s.read = nil
		}
	}
}

func (a *Access) step(i int, moved bool, now uint64) {
	if moved {
		a.sent[i] = true
		a.awaited = now
	}
}

// answer samples the response channel of a.
func (s *bus) answer(a *Access, x *stream, valid, ready bool, answer sim.Pin, data *sim.Pin) {
	payload := []uint64{answer.Get(), 0}
	if data != nil {
		payload[1] = data.Get()
	}
	if valid && (a == nil || !a.sent[0] || !a.sent[1]) {
		s.Failf("%s: one that nobody asked for", x.name)
	}
	active := s.active
	moved := x.see(s.Shell, valid, ready, payload...)
	s.active = active // a bus access is not progress of a command
	switch {
	case moved:
		a.Answer, a.Done, a.Ended = int(payload[0]), true, s.now
		if data != nil {
			a.Data = uint32(payload[1])
		}
	case a != nil && s.now > a.waits[0]+busBound && s.now > a.waits[1]+busBound && s.now > a.waits[2]+busBound && s.now > a.awaited+busBound:
		s.Failf("%s: none for the access of %03x", x.name, a.Addr)
	}
}
