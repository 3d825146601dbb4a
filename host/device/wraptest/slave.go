package wraptest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Slave models a memory on an AXI4 bus, according to Arm IHI 0022. Bursts wait a random time.
// Bursts of the same ID are answered in order, bursts of different IDs in any order. Read beats
// interleave. It reports violations of the bus rules and of the additional guarantees of the
// wrapper: incrementing bursts of full width that begin at a word.
//
// In each cycle, the caller calls Tick, then ReadBeat and WriteAnswer, and then the Take methods.
type Slave struct {
	Memory dma.Memory
	Bytes  int                           // width of the bus
	Delay  int                           // maximum wait of a burst, in cycles
	Resp   func(addr uint64) (resp uint) // of the beat or burst at addr; may be nil

	rand    *rand.Rand
	cycle   int
	reads   []*slaveBurst
	writes  []*slaveBurst // addresses without complete data, oldest first
	data    [][]BusWrite  // bursts of data without an address, oldest first; the last may be incomplete
	answers []*slaveBurst
}

// Kind of a burst, and log2 of the boundary that no burst crosses.
const (
	incrementing = 1
	pageBits     = 12
)

// BusAddress is a transfer on AR or AW.
type BusAddress struct {
	ID         int
	Addr       uint64
	Beats      int
	Size, Kind uint // as encoded on the bus
}

// BusRead is a beat of R.
type BusRead struct {
	ID   int
	Data []uint64 // little-endian words
	Resp uint
	Last bool
}

// BusWrite is a beat of W.
type BusWrite struct {
	Data []uint64
	Strb uint64
	Last bool
}

// BusAnswer is a transfer on B.
type BusAnswer struct {
	ID   int
	Resp uint
}

type slaveBurst struct {
	BusAddress
	ready, sent int
	resp        uint
}

// NewSlave returns a slave without errors; seed determines the order of answers.
func NewSlave(m dma.Memory, bytes, delay int, seed uint64) *Slave {
	return &Slave{Memory: m, Bytes: bytes, Delay: delay, rand: rand.New(rand.NewPCG(seed, 2))}
}

// Tick starts a cycle.
func (s *Slave) Tick() { s.cycle++ }

// Idle reports whether no burst is in flight.
func (s *Slave) Idle() bool {
	return len(s.reads)+len(s.writes)+len(s.data)+len(s.answers) == 0
}

// lacking returns the number of write addresses without complete data.
func (s *Slave) lacking() int { return len(s.writes) }

// First returns the address of the beat that contains the byte at addr.
func (s *Slave) First(addr uint64) uint64 { return addr &^ uint64(s.Bytes-1) }

func (s *Slave) check(a BusAddress) error {
	end := s.First(a.Addr) + uint64(a.Beats*s.Bytes)
	switch {
	case a.Kind != incrementing || 1<<a.Size != s.Bytes:
		return fmt.Errorf("burst %+v: want an incrementing one of full width", a)
	case a.Addr>>pageBits != (end-1)>>pageBits:
		return fmt.Errorf("burst %+v crosses 4 KiB", a)
	case a.Addr%4 != 0:
		return fmt.Errorf("burst %+v begins within a word", a)
	}
	return nil
}

func (s *Slave) burst(a BusAddress) *slaveBurst {
	return &slaveBurst{BusAddress: a, ready: s.cycle + 1 + s.rand.IntN(s.Delay+1)}
}

func (s *Slave) respond(addr uint64) uint {
	if s.Resp == nil {
		return 0
	}
	return s.Resp(addr)
}

// TakeRead accepts a burst of AR.
func (s *Slave) TakeRead(a BusAddress) error {
	s.reads = append(s.reads, s.burst(a))
	return s.check(a)
}

// choose returns the index of a random burst that may continue: no earlier burst has its ID.
func (s *Slave) choose(list []*slaveBurst) (int, bool) {
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
func (s *Slave) ReadBeat() (BusRead, bool) {
	i, ok := s.choose(s.reads)
	if !ok {
		return BusRead{}, false
	}
	b := s.reads[i]
	at := s.First(b.Addr) + uint64(b.sent*s.Bytes)
	p := make([]byte, s.Bytes)
	s.Memory.ReadAt(at, p)
	b.sent++
	if b.sent == b.Beats {
		s.reads = slices.Delete(s.reads, i, i+1)
	}
	return BusRead{ID: b.ID, Data: dma.WordsOf(p), Resp: s.respond(at), Last: b.sent == b.Beats}, true
}

// TakeWrite accepts a burst of AW.
func (s *Slave) TakeWrite(a BusAddress) error {
	s.writes = append(s.writes, s.burst(a))
	return errors.Join(s.check(a), s.match())
}

// TakeData accepts a beat of W.
func (s *Slave) TakeData(w BusWrite) error {
	if n := len(s.data); n == 0 || s.data[n-1][len(s.data[n-1])-1].Last {
		s.data = append(s.data, nil)
	}
	s.data[len(s.data)-1] = append(s.data[len(s.data)-1], w)
	return s.match()
}

// match combines the oldest data with the oldest address.
func (s *Slave) match() error {
	if len(s.writes) == 0 || len(s.data) == 0 || !s.data[0][len(s.data[0])-1].Last {
		return nil
	}
	a, beats := s.writes[0], s.data[0]
	s.writes, s.data = s.writes[1:], s.data[1:]
	if len(beats) != a.Beats {
		return fmt.Errorf("burst %+v has %d beats of data", a.BusAddress, len(beats))
	}
	for i, w := range beats {
		at := s.First(a.Addr) + uint64(i*s.Bytes)
		if lanes := uint64(1)<<(a.Addr%uint64(s.Bytes)) - 1; w.Strb == 0 || i == 0 && w.Strb&lanes != 0 {
			return fmt.Errorf("burst %+v: strobes %#x in beat %d", a.BusAddress, w.Strb, i)
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
func (s *Slave) WriteAnswer() (BusAnswer, bool) {
	i, ok := s.choose(s.answers)
	if !ok {
		return BusAnswer{}, false
	}
	a := s.answers[i]
	s.answers = slices.Delete(s.answers, i, i+1)
	return BusAnswer{a.ID, a.resp}, true
}
