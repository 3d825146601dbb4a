package lookup

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/sim"
)

// stub answers requests from a Tracker, out of order and with random delays. It expects no requests
// for words that caches have. Per cycle, a port accepts a request with probability take/8 and gives
// an answer with probability give/8.
type stub struct {
	b       *bench
	t       *eal.Tracker
	take    int
	give    int
	inOrder bool        // a word is answered when its predecessor is committed
	pending [][]request // by answer port
	asked   map[int]bool
	refused int
	net     NetworkPorts
	asks    []hw.Stream[eal.Request]
	replies []eal.Reply
	engines *engineModels
}

type request struct{ word, ticket int }

func newStub(b *bench, t *eal.Tracker) *stub {
	p := Of(b.p)
	s := &stub{b: b, t: t, take: 8, give: 8, pending: make([][]request, p.AnswerPorts()), asked: map[int]bool{}, net: sim.Bind[NetworkPorts](b.s, p), engines: newEngineModels(b)}
	for i := range p.RequestPorts() {
		s.asks = append(s.asks, s.net.Request.N(i))
	}
	for i := range p.AnswerPorts() {
		s.replies = append(s.replies, s.net.Answer.N(i))
	}
	return s
}

func (s *stub) cycle(l *lookups) error {
	if err := s.engines.follow(); err != nil {
		return err
	}
	if s.b.tb.Start.Peek() == 1 {
		s.engines.start(l)
		l.cached = s.engines.cached
	}
	s.answer(l)
	return s.accept(l)
}

// answer sends one of the pending answers of each answer port, or none.
func (s *stub) answer(l *lookups) {
	r := s.b.r
	for port, q := range s.pending {
		s.replies[port].Valid.Poke(0)
		if len(q) == 0 || r.Intn(8) >= s.give {
			continue
		}
		i := r.Intn(len(q))
		if s.inOrder {
			next := s.engines.engines[port/eal.AnswerGroups].committed
			if i = slices.IndexFunc(q, func(a request) bool { return a.word/s.b.p.Engines == next }); i < 0 {
				continue
			}
		}
		a := q[i]
		q[i] = q[len(q)-1]
		s.pending[port] = q[:len(q)-1]
		if l.learn {
			hit, way := s.t.Access(l.keys[a.word])
			l.learned(port/eal.AnswerGroups, a.word, hit, way)
		}
		l.known[a.word] = true
		s.engines.answered(port, a.word, l.want[a.word])
		reply := s.replies[port]
		reply.Valid.Poke(1)
		reply.Ticket.Poke(uint64(a.ticket))
		reply.Hit.Poke(truth(l.want[a.word].Hit))
		reply.Way.Poke(uint64(l.want[a.word].Way))
	}
}

// accept checks the requests and accepts some.
func (s *stub) accept(l *lookups) error {
	for port, ask := range s.asks {
		ready := s.b.r.Intn(8) < s.take
		ask.Ready.Poke(truth(ready))
		if ask.Valid.Peek() == 0 {
			continue
		}
		if !ready {
			s.refused++
			continue
		}
		e, ticket := port/eal.RequestQueues, int(ask.Data.Ticket.Peek())
		key := uint32(ask.Data.Key.Peek())*eal.RequestQueues + uint32(port%eal.RequestQueues)
		word := s.b.wordIn(e, ticket)
		if word < 0 || s.asked[word] || l.keys[word] != key {
			return fmt.Errorf("engine %d ticket %d asks for key %#x; that is word %d, asked before: %v", e, ticket, key, word, s.asked[word])
		}
		if _, ok := l.cached[word]; ok {
			return fmt.Errorf("engine %d asks for word %d, whose key %#x its cache has", e, word, key)
		}
		s.asked[word], l.known[word] = true, false
		at := eal.AnswerGroups*e + int(key)%eal.AnswerGroups
		s.pending[at] = append(s.pending[at], request{word, ticket})
	}
	return nil
}

func (s *stub) tracker() *eal.Tracker { return s.t }

func (s *stub) requests() int {
	n := len(s.asked)
	clear(s.asked)
	return n
}
