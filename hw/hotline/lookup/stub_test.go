package lookup

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// stub answers requests out of order, after any delay, from a Tracker. Of 8
// cycles, a port takes a request in take and gives an answer in give.
type stub struct {
	b       *bench
	t       *eal.Tracker
	take    int
	give    int
	pending [][]request // by answer port
	asked   map[int]bool
	ready   []uint64
}

type request struct{ word, slot int }

func newStub(b *bench, t *eal.Tracker) *stub {
	return &stub{b: b, t: t, take: 8, give: 8, pending: make([][]request, eal.AnswerGroups*b.p.Engines), asked: map[int]bool{},
		ready: make([]uint64, ir.Words(eal.RequestQueues*b.p.Engines))}
}

func (s *stub) cycle(l *lookups) error {
	s.answer(l)
	return s.accept(l)
}

// answer gives each answer port one of its answers, or none.
func (s *stub) answer(l *lookups) {
	p, r := s.b.p, s.b.r
	w := eal.AnswerWidth(p)
	valid := make([]uint64, ir.Words(len(s.pending)))
	data := make([]uint64, ir.Words(len(s.pending)*w))
	for port, q := range s.pending {
		if len(q) == 0 || r.Intn(8) >= s.give {
			continue
		}
		i := r.Intn(len(q))
		a := q[i]
		q[i] = q[len(q)-1]
		s.pending[port] = q[:len(q)-1]
		if l.learn {
			l.want[a.word].Hit, l.want[a.word].Way = s.t.Access(l.keys[a.word])
		}
		l.known[a.word] = true
		bv.SetBit(valid, port)
		bv.Insert(data, port*w, []uint64{uint64(a.slot<<eal.ResultWidth(p) | truth(l.want[a.word].Hit)<<p.WayBits() | l.want[a.word].Way)}, w)
	}
	s.b.pins["ans_valid"].SetWords(valid)
	s.b.pins["ans_data"].SetWords(data)
}

// accept checks the requests and takes some.
func (s *stub) accept(l *lookups) error {
	p := s.b.p
	valid, data := s.b.words("req_valid"), s.b.words("req_data")
	w, x := eal.RequestWidth(p), make([]uint64, 1)
	clear(s.ready)
	for port := range eal.RequestQueues * p.Engines {
		if s.b.r.Intn(8) >= s.take {
			continue
		}
		bv.SetBit(s.ready, port)
		if !bv.Bit(valid, port) {
			continue
		}
		bv.Slice(x, data, port*w, w)
		e, slot := port/eal.RequestQueues, int(x[0])%p.Window
		key := uint32(x[0]>>p.SlotBits())*eal.RequestQueues + uint32(port%eal.RequestQueues)
		word := s.wordIn(e, slot)
		if word < 0 || s.asked[word] || l.keys[word] != key {
			return fmt.Errorf("engine %d slot %d asks for key %#x; that is word %d, asked before: %v", e, slot, key, word, s.asked[word])
		}
		s.asked[word], l.known[word] = true, false
		at := eal.AnswerGroups*e + int(key)%eal.AnswerGroups
		s.pending[at] = append(s.pending[at], request{word, slot})
	}
	s.b.pins["req_ready"].SetWords(s.ready)
	return nil
}

// wordIn is the word in a slot of an engine: of those fetched, the last that
// belongs there.
func (s *stub) wordIn(e, slot int) int {
	last := s.b.rows[e] - 1
	row := last - (last-slot)&(s.b.p.Window-1)
	if row < 0 {
		return -1
	}
	return row*s.b.p.Engines + e
}

func (s *stub) tracker() *eal.Tracker { return s.t }

func (s *stub) requests() int {
	n := len(s.asked)
	clear(s.asked)
	return n
}
