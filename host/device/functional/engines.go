package functional

import (
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
)

// engines finds out how long a sweep takes, how many lookups the caches answer, and in
// which order the banks of the EAL learn, and lets them. All of that depends on what
// meets where, so the words of a mini-batch move through the queues and arbiters
// of hw/hotline/lookup and hw/hotline/eal, cycle by cycle. What they hold does not
// matter here: a word stands for itself.
//
// In a cycle everything acts on what the cycle began with. So the stages come from
// the first to the last: a queue takes a word before it gives one, and does not
// give what it has just taken.
type engines struct {
	p       arch.Params
	tracker *eal.Tracker // that learns; nil in a probe
	learned []learned    // by word
	ids     []uint32
	keys    []uint32
	slots   int
	now     int64
	engines []engine
	network network

	uncached bool // no cache answers anything

	ended  int // engines, the first so many of which have committed all of their words
	cached int
	// Stalls are added up over the engines.
	conflicts, windowStalls, queueStalls int
}

// learned is what came of a learning access.
type learned struct{ hit, changed bool }

// engine is a lookup engine. It has a word of each row of the eDRAM and counts
// these.
type engine struct {
	words   int
	walked  int   // that have entered the pipeline
	left    int   // that have left it
	head    int   // that are committed
	hits    int   // that have left and were in the cache
	stages  uint8 // of the pipeline that hold a word, the first one lowest
	lookups []place
	queues  [eal.RequestQueues]queue
	cache   cache
}

// place is a place in the window of an engine.
type place struct {
	ready int64 // cycle from which on it can be committed
	found uint8 // ways of the cache that have it, a bit each
}

// Stages of an engine's pipeline: fetch, id, four of the permutation. In the
// second the cache is read, in the third it is compared, behind the last a lookup
// leaves.
const (
	lookStage  = 1 << 1
	matchStage = 1 << 2
	lastStage  = 1 << 5
	allStages  = 1<<6 - 1
)

func newEngines(p arch.Params) *engines {
	x := &engines{p: p, engines: make([]engine, p.Engines), network: newNetwork(p)}
	for i := range x.engines {
		e := &x.engines[i]
		e.lookups = make([]place, p.Window)
		e.cache.CacheModel = lookup.NewCacheModel(p)
		for q := range e.queues {
			e.queues[q] = newQueue(lookup.QueueDepth)
		}
	}
	return x
}

// sweep moves the words of a mini-batch, with these ids and keys and so many slots
// an input, and gives the cycles from its start to its end. A tracker learns; without
// one they are probes.
func (x *engines) sweep(ids, keys []uint32, slots int, tracker *eal.Tracker) int64 {
	old := tracker != nil || x.tracker != nil // what the caches hold
	x.ids, x.keys, x.slots, x.tracker = ids, keys, slots, tracker
	x.ended, x.cached, x.learned = 0, 0, make([]learned, len(ids))
	x.conflicts, x.windowStalls, x.queueStalls = 0, 0, 0
	for i := range x.engines {
		e := &x.engines[i]
		e.words = (len(ids) - i + x.p.Engines - 1) / x.p.Engines
		e.walked, e.left, e.head, e.hits = 0, 0, 0, 0
		if old {
			e.cache.clear()
		}
	}
	begin := x.now
	for ; !x.over(); x.now++ {
		for i := range x.engines {
			x.step(i, &x.engines[i])
		}
		x.network.step(x)
	}
	return x.now - begin + int64(x.p.Engines/slots+arch.Log2(x.p.Engines)) + sweepCycles
}

// over tells whether all engines have committed all of their words.
func (x *engines) over() bool {
	for x.ended < len(x.engines) && x.engines[x.ended].head == x.engines[x.ended].words {
		x.ended++
	}
	return x.ended == len(x.engines)
}

// step is a cycle of engine i.
func (x *engines) step(i int, e *engine) {
	head, looked, matched := e.head, e.row(lookStage), e.row(matchStage)
	if head < e.left && e.at(head).ready <= x.now {
		e.head++
	}
	moves := e.stages&lastStage == 0 || x.leave(i, e)
	if moves && e.stages&lookStage != 0 {
		e.at(looked).found = x.find(i, e, looked)
	}
	x.fill(e)
	if !moves {
		x.queueStalls++
		return
	}
	if e.stages&matchStage != 0 && e.at(matched).found != 0 {
		e.cache.Stick(x.set(x.word(i, matched)), e.at(matched).found)
	}
	e.stages = e.stages << 1 & allStages
	switch {
	case e.walked == e.words:
	case e.walked-head < x.p.Window:
		e.walked++
		e.stages |= 1
	default:
		x.windowStalls++
	}
}

// row is the row of the word in a stage, if there is one.
func (e *engine) row(stage uint8) int { return e.left + bits.OnesCount8(e.stages&^(2*stage-1)) }

// at is the place of a row in the window.
func (e *engine) at(row int) *place { return &e.lookups[row&(len(e.lookups)-1)] }

// word is the number of an engine's word in a row.
func (x *engines) word(engine, row int) int32 { return int32(row*x.p.Engines + engine) }

// leave lets the word of the last stage go, unless its queue is full.
func (x *engines) leave(i int, e *engine) bool {
	l := e.at(e.left)
	if word := x.word(i, e.left); l.found == 0 || x.tracker != nil && e.hits%lookup.Refresh == lookup.Refresh-1 {
		q := &e.queues[x.keys[word]%eal.RequestQueues]
		if !q.room() {
			return false
		}
		q.push(word, x.now)
		l.ready = math.MaxInt64 // till it is answered
	} else {
		l.ready = x.now + 1
		x.cached++
	}
	if l.found != 0 {
		e.hits++
	}
	e.left++
	return true
}

// answered notes that a word's answer leaves the banks in this cycle; group is
// that of its bank. Of those that come together the lowest may enter the cache.
func (x *engines) answered(word int32, group int) {
	e := &x.engines[int(word)&(x.p.Engines-1)]
	e.at(int(word) / x.p.Engines).ready = x.now + answerCycles
	lasts := x.tracker == nil || x.learned[word].hit
	if c := &e.cache; lasts && (c.arriving.none() || group < c.arriving.group) {
		c.arriving = answer{word: word + 1, group: group}
	}
}

// access lets the tracker learn a word.
func (x *engines) access(word int32) {
	key := x.keys[word]
	changed := !x.tracker.Near(key)
	hit, _ := x.tracker.Access(key)
	x.learned[word] = learned{hit, changed}
}
