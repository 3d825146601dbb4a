package accel

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// engines finds out how long a sweep takes. It moves the lookups of a mini-batch
// through the queues of the hardware, cycle by cycle, without what they hold:
//
//	look    the cache is asked; a window of lookups is between here and commit
//	leave   some cycles later: answered by the cache, or into a queue of the engine
//	route   into the queue of bank and group of engines, one a cycle
//	serve   the banks take one of their queues
//	commit  in order, one a cycle and engine
//
// Left out are the answer network, which is hardly ever in the way, and the turns
// of the arbiters in the request network: here they begin with another engine in
// each cycle.
type engines struct {
	p       arch.Params
	service int64 // cycles of a bank for a lookup
	learn   bool
	ids     []uint32
	keys    []uint32
	slots   int

	now       int64
	engines   []engine
	banks     []bank
	pending   int // lookups that are not committed
	cached    int
	order     []int // words in the order of the banks
	answerDue [answerSlots][]answer
}

// engine is a lookup engine; lookups are counted by the row of their word.
type engine struct {
	words              int // of its own
	looked, left, head int // lookups that have passed the stage
	lookedAt, readyAt  []int64
	hit                []bool
	queues             [eal.RequestQueues]fifo
	sets               []cacheSet
}

// bank is a bank with its two queues, whose turn it is, and when it is free.
type bank struct {
	queues [engineGroups]fifo
	pushed [engineGroups]int64 // cycle of the latest entry
	turn   int
	free   int64
}

// answer is one on its way to an engine's cache: the lowest group of banks is
// the one that may enter.
type answer struct {
	valid bool
	group int
	word  int
}

// fifo is a queue of words of a fixed depth.
type fifo struct {
	words       []int32
	first, held int
}

func (q *fifo) full() bool { return q.held == len(q.words) }
func (q *fifo) head() int  { return int(q.words[q.first]) }

func (q *fifo) push(word int) {
	at := q.first + q.held
	if at >= len(q.words) {
		at -= len(q.words)
	}
	q.words[at] = int32(word)
	q.held++
}

func (q *fifo) pop() (word int) {
	word = q.head()
	if q.first++; q.first == len(q.words) {
		q.first = 0
	}
	q.held--
	return word
}

// cacheSet is a set of an engine's cache: two ways, a sticky bit each, and the
// pointer to the way that may be replaced.
type cacheSet struct {
	id           [2]uint32
	live, sticky [2]bool
	turn         uint8
}

// newEngines prepares a sweep over words whose ids and keys are given, with so
// many slots an input.
func newEngines(p arch.Params, ids, keys []uint32, slots int, learn bool) *engines {
	x := &engines{p: p, service: 1, learn: learn, ids: ids, keys: keys, slots: slots, pending: len(ids),
		engines: make([]engine, p.Engines), banks: make([]bank, p.Banks)}
	if learn {
		x.service = learnService
	}
	for i := range x.engines {
		e := &x.engines[i]
		e.words = (len(ids) - i + p.Engines - 1) / p.Engines
		e.lookedAt, e.readyAt, e.hit = make([]int64, p.Window), make([]int64, p.Window), make([]bool, p.Window)
		for q := range e.queues {
			e.queues[q].words = make([]int32, engineQueue)
		}
		if !learn {
			e.sets = make([]cacheSet, p.Cache/2)
		}
	}
	for i := range x.banks {
		for g := range x.banks[i].queues {
			x.banks[i].queues[g].words = make([]int32, p.QueueDepth)
		}
	}
	for i := range x.answerDue {
		x.answerDue[i] = make([]answer, p.Engines)
	}
	return x
}

// sweep runs the sweep and gives the cycles from its start to its end.
func (x *engines) sweep() int64 {
	for x.pending > 0 {
		x.now++
		x.serve()
		x.route()
		for i := range x.engines {
			x.step(i)
		}
	}
	return x.now + settleRun(x.p, x.slots)
}

// serve lets each bank that is free take a lookup.
func (x *engines) serve() {
	due := x.answerDue[(x.now+answerLatency)%answerSlots]
	for b := range x.banks {
		k := &x.banks[b]
		if k.free > x.now || k.queues[0].held+k.queues[1].held == 0 {
			continue
		}
		if k.queues[k.turn].held == 0 {
			k.turn ^= 1
		}
		word := k.queues[k.turn].pop()
		k.turn ^= 1
		k.free = x.now + x.service
		if x.learn {
			x.order = append(x.order, word)
		}
		engine := word % x.p.Engines
		x.engines[engine].readyAt[word/x.p.Engines%x.p.Window] = x.now + answerLatency
		if a, group := &due[engine], b%eal.AnswerGroups; !a.valid || group < a.group {
			*a = answer{true, group, word}
		}
	}
}

// route moves the heads of the engines' queues to the banks.
func (x *engines) route() {
	for k := range x.engines {
		i := (k + int(x.now)) & (x.p.Engines - 1)
		e := &x.engines[i]
		for q := range e.queues {
			if e.queues[q].held == 0 {
				continue
			}
			b := &x.banks[x.keys[e.queues[q].head()]&uint32(x.p.Banks-1)]
			if g := i % engineGroups; b.pushed[g] != x.now && !b.queues[g].full() {
				b.pushed[g] = x.now
				b.queues[g].push(e.queues[q].pop())
			}
		}
	}
}

// step is a cycle of an engine.
func (x *engines) step(i int) {
	e := &x.engines[i]
	window := x.p.Window - 1
	if e.head < e.left && e.readyAt[e.head&window] <= x.now {
		e.head++
		x.pending--
	}
	x.fill(i, e)
	if e.left < e.looked && e.lookedAt[e.left&window]+lookCycles <= x.now && !x.leave(i, e) {
		return // the whole pipeline waits
	}
	if e.looked < e.words && e.looked-e.head < x.p.Window-windowAhead {
		x.look(i, e)
	}
}

// leave sends the oldest lookup on, unless its queue is full.
func (x *engines) leave(i int, e *engine) bool {
	at := e.left & (x.p.Window - 1)
	if e.hit[at] {
		e.readyAt[at] = x.now + 1
		x.cached++
		e.left++
		return true
	}
	word := e.left*x.p.Engines + i
	q := &e.queues[x.keys[word]%eal.RequestQueues]
	if q.full() {
		return false
	}
	q.push(word)
	e.readyAt[at] = never
	e.left++
	return true
}

// look asks the cache for the next lookup.
func (x *engines) look(i int, e *engine) {
	at := e.looked & (x.p.Window - 1)
	word := e.looked*x.p.Engines + i
	e.looked++
	e.lookedAt[at], e.hit[at] = x.now, false
	if x.learn {
		return
	}
	s := x.set(e, word)
	for w := range s.id {
		if s.live[w] && s.id[w] == x.ids[word] {
			e.hit[at], s.sticky[w] = true, true
		}
	}
}

// fill enters an answer into the cache.
func (x *engines) fill(i int, e *engine) {
	a := &x.answerDue[x.now%answerSlots][i]
	if !a.valid {
		return
	}
	a.valid = false
	if x.learn {
		return
	}
	s := x.set(e, a.word)
	w := s.turn
	s.turn ^= 1
	if !s.sticky[w] {
		s.id[w], s.live[w] = x.ids[a.word], true
	}
	s.sticky[w] = false
}

// set is where a word belongs in the cache.
func (x *engines) set(e *engine, word int) *cacheSet {
	id := x.ids[word]
	return &e.sets[(id^id>>7^uint32(word%x.slots))&uint32(len(e.sets)-1)]
}
