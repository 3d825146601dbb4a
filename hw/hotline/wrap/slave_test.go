package wrap

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// slave models a memory on an AXI4 bus, according to Arm IHI 0022. Bursts wait a random time.
// Bursts of the same ID are answered in order, bursts of different IDs in any order. Read beats
// interleave. It reports violations of the bus rules and of the additional guarantees of the
// wrapper: incrementing bursts of full width that begin at a word.
//
// In each cycle, the caller calls Tick, then ReadBeat and WriteAnswer, and then the Take methods.
type slave struct {
	Memory dma.Memory
	Bytes  int                           // width of the bus
	Delay  int                           // maximum wait of a burst, in cycles
	Resp   func(addr uint64) (resp uint) // of the beat or burst at addr; may be nil

	rand    *rand.Rand
	cycle   int
	reads   []*slaveBurst
	writes  []*slaveBurst // addresses without complete data, oldest first
	data    [][]busWrite  // bursts of data without an address, oldest first; the last may be incomplete
	answers []*slaveBurst
}

// Kind of a burst, and log2 of the boundary that no burst crosses: as in the specification of AXI,
// not as in the wrapper.
const (
	increasing   = 1
	pageSizeLog2 = 12
)

// busAddress is a transfer on AR or AW.
type busAddress struct {
	ID         int
	Addr       uint64
	Beats      int
	Size, Kind uint // as encoded on the bus
}

// busRead is a beat of R.
type busRead struct {
	ID   int
	Data []uint64 // little-endian words
	Resp uint
	Last bool
}

// busWrite is a beat of W.
type busWrite struct {
	Data []uint64
	Strb uint64
	Last bool
}

// busAnswer is a transfer on B.
type busAnswer struct {
	ID   int
	Resp uint
}

type slaveBurst struct {
	busAddress
	ready, sent int
	resp        uint
}

// newSlave returns a slave without errors; seed determines the order of answers.
func newSlave(m dma.Memory, bytes, delay int, seed uint64) *slave {
	return &slave{Memory: m, Bytes: bytes, Delay: delay, rand: rand.New(rand.NewPCG(seed, 2))}
}

// Tick starts a cycle.
func (s *slave) Tick() { s.cycle++ }

// Idle reports whether no burst is in flight.
func (s *slave) Idle() bool {
	return len(s.reads)+len(s.writes)+len(s.data)+len(s.answers) == 0
}

// lacking returns the number of write addresses without complete data.
func (s *slave) lacking() int { return len(s.writes) }

// First returns the address of the beat that contains the byte at addr.
func (s *slave) First(addr uint64) uint64 { return addr &^ uint64(s.Bytes-1) }

func (s *slave) check(a busAddress) error {
	end := s.First(a.Addr) + uint64(a.Beats*s.Bytes)
	switch {
	case a.Kind != increasing || 1<<a.Size != s.Bytes:
		return fmt.Errorf("burst %+v: want an incrementing one of full width", a)
	case a.Addr>>pageSizeLog2 != (end-1)>>pageBits:
		return fmt.Errorf("burst %+v crosses 4 KiB", a)
	case a.Addr%4 != 0:
		return fmt.Errorf("burst %+v begins within a word", a)
	}
	return nil
}

func (s *slave) burst(a busAddress) *slaveBurst {
	return &slaveBurst{busAddress: a, ready: s.cycle + 1 + s.rand.IntN(s.Delay+1)}
}

func (s *slave) respond(addr uint64) uint {
	if s.Resp == nil {
		return 0
	}
	return s.Resp(addr)
}

// TakeRead accepts a burst of AR.
func (s *slave) TakeRead(a busAddress) error {
	s.reads = append(s.reads, s.burst(a))
	return s.check(a)
}

// choose returns the index of a random burst that may continue: no earlier burst has its ID.
func (s *slave) choose(list []*slaveBurst) (int, bool) {
	var open []int
	older := map[int]bool{} // IDs
	for i, b := range list {
		if !older[b.ID] && b.ready <= s.cycle {
			open = append(open, i)
		}
		older[b.ID] = true
	}
	if len(open) == 0 {
		return 0, false
	}
	return open[s.rand.IntN(len(open))], true
}

// ReadBeat returns the next beat of R.
func (s *slave) ReadBeat() (busRead, bool) {
	i, ok := s.choose(s.reads)
	if !ok {
		return busRead{}, false
	}
	b := s.reads[i]
	at := s.First(b.Addr) + uint64(b.sent*s.Bytes)
	p := make([]byte, s.Bytes)
	s.Memory.ReadAt(at, p)
	b.sent++
	if b.sent == b.Beats {
		s.reads = slices.Delete(s.reads, i, i+1)
	}
	return busRead{ID: b.ID, Data: dma.WordsOf(p), Resp: s.respond(at), Last: b.sent == b.Beats}, true
}

// TakeWrite accepts a burst of AW.
func (s *slave) TakeWrite(a busAddress) error {
	s.writes = append(s.writes, s.burst(a))
	return errors.Join(s.check(a), s.match())
}

// TakeData accepts a beat of W.
func (s *slave) TakeData(w busWrite) error {
	if n := len(s.data); n == 0 || s.data[n-1][len(s.data[n-1])-1].Last {
		s.data = append(s.data, nil)
	}
	s.data[len(s.data)-1] = append(s.data[len(s.data)-1], w)
	return s.match()
}

// match combines the oldest data with the oldest address.
func (s *slave) match() error {
	if len(s.writes) == 0 || len(s.data) == 0 || !s.data[0][len(s.data[0])-1].Last {
		return nil
	}
	a, beats := s.writes[0], s.data[0]
	s.writes, s.data = s.writes[1:], s.data[1:]
	if len(beats) != a.Beats {
		return fmt.Errorf("burst %+v has %d beats of data", a.busAddress, len(beats))
	}
	for i, w := range beats {
		at := s.First(a.Addr) + uint64(i*s.Bytes)
		if lanes := uint64(1)<<(a.Addr%uint64(s.Bytes)) - 1; w.Strb == 0 || i == 0 && w.Strb&lanes != 0 {
			return fmt.Errorf("burst %+v: strobes %#x in beat %d", a.busAddress, w.Strb, i)
		}
		for k, x := range dma.BytesOf(w.Data) {
			if w.Strb>>k&1 == 1 {
				s.Memory.WriteAt(at+uint64(k), []byte{x})
			}
		}
	}
	a.resp = s.respond(a.Addr)
	s.answers = append(s.answers, a)
	return nil
}

// WriteAnswer returns the next transfer on B.
func (s *slave) WriteAnswer() (busAnswer, bool) {
	i, ok := s.choose(s.answers)
	if !ok {
		return busAnswer{}, false
	}
	a := s.answers[i]
	s.answers = slices.Delete(s.answers, i, i+1)
	return busAnswer{a.ID, a.resp}, true
}
