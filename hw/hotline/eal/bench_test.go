package eal

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	trial "github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// bench drives an EAL and a Tracker with the same requests.
type bench struct {
	p   arch.Params
	s   *interp.Sim
	r   *rand.Rand
	ref *Tracker

	tb       Ports
	requests []hw.Stream[Request]
	answers  []Reply
	blocks   []Block // blocks of the scan port

	offers  []*lookup   // offered requests, by request port
	tickets [][]*lookup // by engine and ticket: offered or in flight
	waiting int         // number of accepted requests without an answer
	served  int
	queued  [][]*lookup // by bank and group of engines: accepted but not served, in order
	due     [][]*lookup // by bank and group of engines: served but not answered, in order
}

// lookup is a request. Its outcome is known when its bank has served it.
type lookup struct {
	engine, ticket int
	key            uint32
	served, hit    bool
	way            int
	at             uint64      // latest cycle in which it was in the pipeline of its bank
	passed         map[int]int // how often others were served first at its current position
}

// pass records that another request went first. This may happen at most most times.
func (l *lookup) pass(other, most int) error {
	if l.passed[other]++; l.passed[other] > most {
		return fmt.Errorf("engine %d ticket %d, key %#x: %d goes first again", l.engine, l.ticket, l.key, other)
	}
	return nil
}

func newBench(t testing.TB, d *ir.Design, p arch.Params, seed int64) *bench {
	s, err := interp.New(d)
	require.NoError(t, err)
	e := Of(p)
	b := &bench{p: p, s: s, r: rand.New(rand.NewSource(seed)), ref: NewTracker(p), tb: sim.Bind[Ports](s, e)}
	for i := range e.RequestPorts() {
		b.requests = append(b.requests, b.tb.Request.N(i))
	}
	for i := range e.AnswerPorts() {
		b.answers = append(b.answers, b.tb.Answer.N(i))
	}
	for w := range p.Ways {
		b.blocks = append(b.blocks, b.tb.Scan.Blocks.N(w))
	}
	b.queued, b.due = make([][]*lookup, p.Banks*EngineGroups), make([][]*lookup, p.Banks*EngineGroups)
	b.offers = make([]*lookup, e.RequestPorts())
	b.tickets = make([][]*lookup, p.Engines)
	for e := range b.tickets {
		b.tickets[e] = make([]*lookup, p.Window)
	}
	return b
}

// reset fills registers and memories with garbage, resets, and checks that the memories are
// cleared.
func (b *bench) reset(t testing.TB) error {
	require.NoError(t, trial.Reset(b.s, b.r.Uint64()))
	if b.tb.Idle.Peek() == 0 {
		return errors.New("not idle after reset")
	}
	for c := range b.p.BankSets() {
		if b.tb.Ready.Peek() == 1 {
			return fmt.Errorf("ready in cycle %d after reset, want %d", c, b.p.BankSets())
		}
		require.NoError(t, b.s.Step())
	}
	if b.tb.Ready.Peek() == 0 {
		return fmt.Errorf("not ready after %d cycles", b.p.BankSets())
	}
	return nil
}

// run looks up the keys of each engine in the given order. In each cycle, an engine offers a
// request with probability pace/8.
func (b *bench) run(learn bool, keys [][]uint32, pace int) error {
	b.tb.Learn.Poke(bit(learn))
	total := 0
	next := make([]int, b.p.Engines)
	for _, k := range keys {
		total += len(k)
	}
	for c, limit := 0, 5000+50*total; total > 0; c++ {
		if c > limit {
			return fmt.Errorf("%d requests unanswered after %d cycles", total, c)
		}
		for e, k := range keys {
			if next[e] < len(k) && b.r.Intn(8) < pace && b.offer(e, k[next[e]]) {
				next[e]++
			}
		}
		n, err := b.cycle(learn)
		if err != nil {
			return fmt.Errorf("cycle %d: %w", b.s.Cycle(), err)
		}
		total -= n
	}
	for range 3 {
		if _, err := b.cycle(learn); err != nil {
			return err
		}
	}
	if !b.s.Quiet() {
		return fmt.Errorf("registers change while nothing arrives")
	}
	return nil
}

// offer offers a request, if its port and a ticket are free.
func (b *bench) offer(e int, key uint32) bool {
	port := RequestQueues*e + int(key)%RequestQueues
	if b.offers[port] != nil {
		return false
	}
	ticket := b.r.Intn(b.p.Window)
	for range b.p.Window {
		if b.tickets[e][ticket] == nil {
			break
		}
		ticket = (ticket + 1) % b.p.Window
	}
	if b.tickets[e][ticket] != nil {
		return false
	}
	l := &lookup{engine: e, ticket: ticket, key: key, passed: map[int]int{}}
	b.offers[port], b.tickets[e][ticket] = l, l
	return true
}

// cycle runs one cycle and returns the number of answers.
func (b *bench) cycle(learn bool) (answers int, err error) {
	b.drive()
	if idle := b.tb.Idle.Peek(); idle != bit(b.waiting == 0) {
		return 0, fmt.Errorf("idle is %d with %d requests under way", idle, b.waiting)
	}
	if err := b.observe(learn); err != nil {
		return 0, err
	}
	if answers, err = b.collect(); err != nil {
		return 0, err
	}
	if err := b.take(); err != nil {
		return 0, err
	}
	return answers, b.s.Step()
}

// bank returns the bank number of a key.
func (b *bench) bank(l *lookup) int { return int(l.key) % b.p.Banks }

// queue returns the index of the queues of a request, by its bank and group of engines.
func (b *bench) queue(l *lookup) int { return b.bank(l)*EngineGroups + l.engine%EngineGroups }

// take records the requests that are accepted. A waiting request may be passed once by each other
// engine of its group.
func (b *bench) take() error {
	var taken []*lookup
	for port, l := range b.offers {
		if l != nil && b.requests[port].Ready.Peek() == 1 {
			taken = append(taken, l)
			b.offers[port] = nil
			b.waiting++
		}
	}
	for _, l := range taken {
		for _, other := range b.offers {
			if other != nil && b.queue(other) == b.queue(l) {
				if err := other.pass(l.engine, 1); err != nil {
					return err
				}
			}
		}
		clear(l.passed)
		b.queued[b.queue(l)] = append(b.queued[b.queue(l)], l)
	}
	return nil
}

// drive drives the offers on the request ports.
func (b *bench) drive() {
	for port, l := range b.offers {
		r := b.requests[port]
		r.Valid.Poke(bit(l != nil))
		if l != nil {
			r.Data.Key.Poke(uint64(l.key) >> 1)
			r.Data.Ticket.Poke(uint64(l.ticket))
		}
	}
}

func bit(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}

// observe updates the reference in the order of the banks. The request in a bank's match stage is
// served next. It may be seen there several times.
func (b *bench) observe(learn bool) error {
	for k := range b.p.Banks {
		if l := b.stage(k, "match"); l != nil && !l.served {
			if learn {
				l.hit, l.way = b.ref.Access(l.key)
			} else {
				l.hit, l.way = b.ref.Probe(l.key)
			}
			l.served = true
			b.served++
			if err := b.serve(l); err != nil {
				return err
			}
		}
		b.stage(k, "finish")
	}
	return nil
}

// stage returns the request in a stage of a bank, or nil. It returns nil also for a request of
// another bank; then the answers will not match.
func (b *bench) stage(bank int, name string) *lookup {
	unit := fmt.Sprintf("bank[%d].unit.%s_", bank, name)
	if on, _ := b.s.Peek(unit + "valid"); on[0] == 0 {
		return nil
	}
	engine, _ := b.s.Peek(unit + "engine")
	ticket, _ := b.s.Peek(unit + "ticket")
	l := b.tickets[engine[0]][ticket[0]]
	if l == nil || b.bank(l) != bank {
		return nil
	}
	l.at = b.s.Cycle()
	return l
}

// serve moves a request out of its queue. The first request of the other group may be passed three
// times: by the request that has left the queue, by one whose turn it is, and by one more while it
// moves through the memory.
func (b *bench) serve(l *lookup) error {
	q := b.queue(l)
	if len(b.queued[q]) == 0 || b.queued[q][0] != l {
		return fmt.Errorf("engine %d ticket %d, key %#x: served before others that came first", l.engine, l.ticket, l.key)
	}
	b.queued[q], b.due[q] = b.queued[q][1:], append(b.due[q], l)
	clear(l.passed)
	if others := b.queued[q^1]; len(others) > 0 {
		return others[0].pass(l.engine%EngineGroups, 3)
	}
	return nil
}

// leave moves an answer out of its queue. The first answer of another bank to the same engine may
// be passed once by each bank.
func (b *bench) leave(l *lookup) error {
	q := b.queue(l)
	if len(b.due[q]) == 0 || b.due[q][0] != l {
		return fmt.Errorf("engine %d ticket %d, key %#x: answered before others that were served first", l.engine, l.ticket, l.key)
	}
	b.due[q] = b.due[q][1:]
	for bank := b.bank(l) % AnswerGroups; bank < b.p.Banks; bank += AnswerGroups {
		due := b.due[bank*EngineGroups+l.engine%EngineGroups]
		if len(due) == 0 || due[0].engine != l.engine || bank == b.bank(l) || due[0].at+1 >= b.s.Cycle() {
			continue
		}
		if err := due[0].pass(b.bank(l), 1); err != nil {
			return err
		}
	}
	return nil
}

// collect compares the answers of this cycle with the reference.
func (b *bench) collect() (n int, err error) {
	for port, a := range b.answers {
		if a.Valid.Peek() == 0 {
			continue
		}
		e, ticket, hit, way := port/AnswerGroups, int(a.Ticket.Peek()), a.Hit.Peek() == 1, int(a.Way.Peek())
		l := b.tickets[e][ticket]
		switch {
		case l == nil || !l.served:
			return 0, fmt.Errorf("engine %d ticket %d is answered before it was served", e, ticket)
		case int(l.key)%AnswerGroups != port%AnswerGroups:
			return 0, fmt.Errorf("engine %d ticket %d, key %#x: answer on port %d", e, ticket, l.key, port%AnswerGroups)
		case l.hit != hit || l.way != way:
			return 0, fmt.Errorf("engine %d ticket %d, key %#x: hit %v way %d, want %v, %d", e, ticket, l.key, hit, way, l.hit, l.way)
		}
		if err := b.leave(l); err != nil {
			return 0, err
		}
		b.tickets[e][ticket] = nil
		b.waiting--
		n++
	}
	return n, nil
}

// begin begins a learning epoch.
func (b *bench) begin() error {
	b.ref.Begin()
	b.tb.Stretch.Poke(1 - b.tb.Stretch.Peek())
	return nil
}

// compareMemory reads all sets through the scan port. It reads the sets with one number from all
// banks together, then shows one per cycle.
func (b *bench) compareMemory() error {
	for set := range b.p.BankSets() {
		b.tb.Scan.Set.Poke(uint64(set))
		b.tb.Scan.Valid.Poke(1)
		if err := b.s.Step(); err != nil {
			return err
		}
		b.tb.Scan.Valid.Poke(0)
		for bank := range b.p.Banks {
			changed := b.tb.Scan.Changed.Peek()>>bank&1 == 1
			if want := *b.ref.Changed(bank, set); changed != want {
				return fmt.Errorf("bank %d set %d has changed: %v, want %v", bank, set, changed, want)
			}
		}
		for bank := range b.p.Banks {
			b.tb.Scan.Show.Poke(1)
			b.tb.Scan.Bank.Poke(uint64(bank))
			if err := b.s.Step(); err != nil {
				return err
			}
			b.tb.Scan.Show.Poke(0)
			if err := b.compareSet(bank, set); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareSet compares the set on the scan port with the reference.
func (b *bench) compareSet(bank, set int) error {
	for w, want := range b.ref.Set(bank, set) {
		got := Entry{Valid: b.blocks[w].Valid.Peek() == 1, RRPV: b.blocks[w].RRPV.Peek(), Tag: uint32(b.blocks[w].Tag.Peek())}
		if got != want {
			return fmt.Errorf("bank %d set %d way %d: %v, want %v", bank, set, w, got, want)
		}
	}
	return nil
}
