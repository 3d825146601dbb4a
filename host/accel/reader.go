package accel

import "github.com/hotline-rtl/hotline/host/pcie/link"

// job is a sequence of reads.
type job interface {
	// next is the next read, while there is one.
	next() (addr uint64, size int, ok bool)
	// take gets the data of the reads and how they ended, in their order. It must
	// not keep data.
	take(data []byte, e link.Error)
	// end is called after the last.
	end()
}

// reader carries out jobs, one after the other, with a read in flight per slot.
// Data arrives in any order and is handed out in the order of the reads.
type reader struct {
	a          *Accel
	jobs       []job
	slots      []slot // of read number n: n modulo their number
	head, tail uint64 // numbers of the oldest read in flight and of the next
	busy       bool
}

// slot is a read in flight, or the mark behind a job's last read.
type slot struct {
	job  job
	size int
	data []byte
	err  link.Error
	done bool
	mark bool
}

// start queues a job.
func (r *reader) start(j job) {
	r.jobs = append(r.jobs, j)
	r.pump()
}

// open is the number of reads in flight.
func (r *reader) open() int { return int(r.tail - r.head) }

// done ends the read of a slot. What a failed read did not bring is zero.
func (r *reader) done(id uint32, e link.Error) {
	s := &r.slots[id]
	s.err = e
	s.data = append(s.data, make([]byte, s.size-len(s.data))...)
	s.done = true
	r.pump()
}

// pump issues and hands out what it can. Jobs that begin meanwhile are served
// by the same loop.
func (r *reader) pump() {
	if r.busy {
		return
	}
	r.busy = true
	for r.handOut() || r.issue() {
	}
	r.busy = false
}

func (r *reader) issue() bool {
	if len(r.jobs) == 0 || r.open() == len(r.slots) || r.a.resetting {
		return false
	}
	id := uint32(r.tail % uint64(len(r.slots)))
	s := &r.slots[id]
	addr, size, ok := r.jobs[0].next()
	*s = slot{job: r.jobs[0], size: size, data: s.data[:0], done: !ok, mark: !ok}
	r.tail++
	if !ok {
		r.jobs = r.jobs[1:]
		return true
	}
	r.a.begun(r.a.ep.ReadRequest(addr, size, id), func() { r.a.ReadDone(id, link.UnsupportedRequest) })
	return true
}

func (r *reader) handOut() bool {
	s := &r.slots[r.head%uint64(len(r.slots))]
	if r.open() == 0 || !s.done {
		return false
	}
	r.head++
	if s.mark {
		s.job.end()
	} else {
		s.job.take(s.data, s.err)
	}
	return true
}
