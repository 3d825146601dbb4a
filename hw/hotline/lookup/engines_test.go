package lookup

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// engineModels models the pipelines of all engines up to their caches, to predict which words the
// caches have. It reads from the engines whether a pipeline stalled.
type engineModels struct {
	b        *bench
	engines  []engineModel
	lookups  []asked // lookups of the run, by word
	learning bool
	cached   map[int]Result // by word: result in the cache
	replied  map[int]uint64 // by word: cycle of the EAL's answer
}

// engineModel models a pipeline with the stages fetched, known (with id) and looked (in the cache).
type engineModel struct {
	*answers
	stalled     string // name of the register for stalls
	head        string // name of the register for the number of committed rows
	set         string // name of the register for the set of the word that is looked up
	committed   int    // number of rows
	rows        int    // number of fetched rows
	fetched     int    // a word, or none
	known       int
	looked      int
	ways        uint8 // ways that have the word that is looked up
	hits        int   // number of hits in the run
	fills, next []answer
}

// answer is an answer to an engine in a cycle.
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

// start begins a run of l.
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

// answered records an answer of this cycle. It is called in the order of ports. Of several answers,
// an engine's cache accepts the first.
func (m *engineModels) answered(port, word int, r Result) {
	m.replied[word] = m.b.s.Cycle()
	x := &m.engines[port/eal.AnswerGroups]
	if len(x.next) == 0 && (r.Hit || !m.learning) {
		x.next = append(x.next, answer{word, r})
	}
}

// follow models the previous cycle of all engines.
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

// peek returns the value of a register.
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

// commit checks that an engine has not committed a word before its answer. A commit is visible two
// cycles after the answer.
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

// step models a cycle of an engine. An answer of the previous cycle enters the cache. A lookup does
// not see it yet, and makes sticky the ways that it found in the previous cycle.
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
