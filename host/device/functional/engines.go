package functional

import (
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
)

// engines simulates a sweep: its duration, the number of lookups that the caches answer, and the
// order in which the banks of the EAL learn. These results depend on conflicts between words.
// Therefore the words of a mini-batch move through the queues and arbiters of hw/hotline/lookup and
// hw/hotline/eal cycle by cycle. The contents of the words do not matter; a word is identified by
// its index.
//
// In each cycle, every stage sees the state at the beginning of the cycle. Therefore the stages are
// evaluated from first to last. A queue accepts a word before it emits a word, and does not emit a
// word that it accepted in the same cycle.
type engines struct {
	p       arch.Params
	tracker *eal.Tracker // learns the words; nil for classification
	learned []learned    // by word index
	ids     []uint32
	keys    []uint32
	slots   int
	now     int64
	engines []engine
	network network

	uncached bool // no cache answers anything, to see what they are for

	ended  int // number of leading engines that have committed all of their words
	cached int
	// Stalls are summed over the engines.
	conflicts, windowStalls, queueStalls int
}

// learned is the result of a learning access.
type learned struct{ hit, changed bool }

// engine is a lookup engine. It processes one word of each eDRAM row. Its counters count rows.
type engine struct {
	words   int
	walked  int   // words that have entered the pipeline
	left    int   // words that have left the pipeline
	head    int   // words that are committed
	hits    int   // words that have left the pipeline and hit in the cache
	stages  uint8 // occupied pipeline stages, the first stage in bit 0
	lookups []place
	queues  [eal.RequestQueues]queue
	cache   cache
}

// place is a place in the window of an engine.
type place struct {
	ready int64 // first cycle in which it can be committed
	found uint8 // cache ways that hit, one bit per way
}

// Stages of an engine's pipeline: fetch, id, and four rounds of the permutation. The cache is read
// in the second stage and compared in the third. A lookup leaves after the last stage.
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

// sweep moves the words of a mini-batch through the engines. ids and keys belong to the words, and
// slots is the number of words per input. It returns the number of cycles from start to end. With a
// tracker the words are learned; without a tracker they are classified.
func (x *engines) sweep(ids, keys []uint32, slots int, tracker *eal.Tracker) int64 {
	old := tracker != nil || x.tracker != nil // learning invalidates the cache contents
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

// over reports whether all engines have committed all of their words.
func (x *engines) over() bool {
	for x.ended < len(x.engines) && x.engines[x.ended].head == x.engines[x.ended].words {
		x.ended++
	}
	return x.ended == len(x.engines)
}

// step simulates one cycle of engine i.
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

// row returns the row of the word in a stage, if the stage is occupied.
func (e *engine) row(stage uint8) int { return e.left + bits.OnesCount8(e.stages&^(2*stage-1)) }

// at returns the window place of a row.
func (e *engine) at(row int) *place { return &e.lookups[row&(len(e.lookups)-1)] }

// word returns the index of an engine's word in a row.
func (x *engines) word(engine, row int) int32 { return int32(row*x.p.Engines + engine) }

// leave sends the word of the last stage to its queue and reports whether it did. It fails if the
// queue is full.
func (x *engines) leave(i int, e *engine) bool {
	l := e.at(e.left)
	if word := x.word(i, e.left); l.found == 0 || x.tracker != nil && e.hits%lookup.Refresh == lookup.Refresh-1 {
		q := &e.queues[x.keys[word]%eal.RequestQueues]
		if !q.room() {
			return false
		}
		q.push(word, x.now)
		l.ready = math.MaxInt64 // until it is answered
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

// answered records that the answer to a word leaves the banks in this cycle. group is the group of
// its bank. If several answers arrive in one cycle, only the answer of the lowest group may enter
// the cache.
func (x *engines) answered(word int32, group int) {
	e := &x.engines[int(word)&(x.p.Engines-1)]
	e.at(int(word) / x.p.Engines).ready = x.now + answerCycles
	lasts := x.tracker == nil || x.learned[word].hit
	if c := &e.cache; lasts && (c.arriving.none() || group < c.arriving.group) {
		c.arriving = answer{word: word + 1, group: group}
	}
}

// access trains the tracker with a word.
func (x *engines) access(word int32) {
	key := x.keys[word]
	changed := !x.tracker.Near(key)
	hit, _ := x.tracker.Access(key)
	x.learned[word] = learned{hit, changed}
}
