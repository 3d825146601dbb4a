package lookup

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// engineModels are the pipelines of all engines up to their caches, which tell which words
// caches have. Whether a pipeline stood is asked of the engine itself.
type engineModels struct {
	b        *bench
	engines  []engineModel
	lookups  []asked // of the run, by word
	learning bool
	cached   map[int]Result // by word: the cache has it
	replied  map[int]uint64 // by word: the cycle in which the EAL has answered
}

// engineModel is a pipeline: words that are fetched, that have an id, that are looked up.
type engineModel struct {
	*answers
	stalled     string // register that tells it
	head        string // register with the rows that are committed
	set         string // register with the set of the word that is looked up
	committed   int    // rows
	rows        int    // fetched
	fetched     int    // a word, or none
	known       int
	looked      int
	ways        uint8 // that have the word that is looked up
	hits        int   // in the run
	fills, next []answer
}

// answer is one of a cycle to an engine.
type answer struct {
	word int
	Result
}

const none = -1

func newEngineModels(b *bench) *engineModels {
	m := &engineModels{b: b}
	for e := range b.p.Engines {
		unit := fmt.Sprintf("engine[%d].unit.", e)
		m.engines = append(m.engines, engineModel{answers: newAnswers(b.p), stalled: unit + "stalled", head: unit + "window.head_row", set: unit + "cache.look_index", fetched: none, known: none, looked: none})
	}
	return m
}

// start is the start of a run of l.
func (m *engineModels) start(l *lookups) {
	forget := l.learn || m.learning
	m.learning, m.cached, m.replied, m.lookups = l.learn, map[int]Result{}, map[int]uint64{}, nil
	for k, id := range IDs(m.b.p, l.words, l.bases) {
		m.lookups = append(m.lookups, asked{id, CacheSet(m.b.p, id, k%len(l.bases))})
	}
	for e := range m.engines {
		x := &m.engines[e]
		x.start(forget)
		x.rows, x.committed, x.hits = 0, 0, 0
	}
}

// answered notes an answer of this cycle, which comes in the order of ports: of several an
// engine's cache takes the first.
func (m *engineModels) answered(port, word int, r Result) {
	m.replied[word] = m.b.s.Cycle()
	x := &m.engines[port/eal.AnswerGroups]
	if len(x.next) == 0 && (r.Hit || !m.learning) {
		x.next = append(x.next, answer{word, r})
	}
}

// follow is what engines did in the cycle before.
func (m *engineModels) follow() error {
	for e := range m.engines {
		x := &m.engines[e]
		stalled, err := m.peek(x.stalled)
		if err != nil {
			return err
		}
		if err := m.commit(x, e); err != nil {
			return err
		}
		fetched := none
		if m.b.rows[e] > x.rows {
			fetched = x.rows*m.b.p.Engines + e
			x.rows++
		}
		m.step(x, fetched, stalled == 0)
		if err := m.index(x); err != nil {
			return err
		}
	}
	return nil
}

// peek is what a register holds.
func (m *engineModels) peek(register string) (uint64, error) {
	value, ok := m.b.s.Peek(register)
	if !ok {
		return 0, fmt.Errorf("no register %s", register)
	}
	return value[0], nil
}

// index checks the set of the word that an engine looks up.
func (m *engineModels) index(x *engineModel) error {
	if x.looked == none {
		return nil
	}
	set, err := m.peek(x.set)
	if want := m.lookups[x.looked].set; err == nil && int(set) != want {
		return fmt.Errorf("word %d is looked up in set %d, want %d", x.looked, set, want)
	}
	return err
}

// commit checks that an engine has committed no word before it was answered, which shows two
// cycles later.
func (m *engineModels) commit(x *engineModel, engine int) error {
	head, err := m.peek(x.head)
	if err != nil {
		return err
	}
	for ; x.committed < int(head); x.committed++ {
		word := x.committed*m.b.p.Engines + engine
		_, cached := m.cached[word]
		if at, ok := m.replied[word]; !cached && (!ok || at+2 > m.b.s.Cycle()) {
			return fmt.Errorf("word %d is committed before it is answered", word)
		}
	}
	return nil
}

// step is a cycle of an engine. An answer of the cycle before enters; a lookup does not see it yet,
// and makes sticky what it found in the cycle before.
func (m *engineModels) step(x *engineModel, fetched int, advance bool) {
	var ways uint8
	if advance && x.known != none {
		var result Result
		if ways, result = x.find(m.lookups[x.known]); ways != 0 {
			if !m.learning || x.hits%Refresh != Refresh-1 {
				m.cached[x.known] = result
			}
			x.hits++
		}
	}
	for _, a := range x.fills {
		x.enter(m.lookups[a.word], a.Result)
	}
	x.fills, x.next = x.next, nil
	if advance {
		if x.looked != none {
			x.Stick(m.lookups[x.looked].set, x.ways)
		}
		x.looked, x.known, x.fetched, x.ways = x.known, x.fetched, fetched, ways
	}
}
