package lookup

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	trial "github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// batch is a mini-batch to look up.
type batch struct {
	words, bases []uint32
	half         uint64
	learn        bool
}

// lookups is the state of a bench for a batch. The results of probes are known from the start. The
// results of learning accesses become known when the EAL serves them. A word whose request has no
// answer must not be committed. While learning, an engine need not ask for a key that is near: a
// hit of its own has already reset the RRPV.
type lookups struct {
	batch
	keys  []uint32
	want  []Result
	known []bool
	near  map[near]bool

	cached map[int]Result // by word: result in the cache of its engine, if a stub models the engines
}

// near is a key from the perspective of an engine.
type near struct {
	engine int
	key    uint32
}

// learned records the result of the learning access of a word.
func (l *lookups) learned(engine, word int, hit bool, way int) {
	l.want[word], l.known[word] = Result{hit, way}, true
	if hit {
		l.near[near{engine, l.keys[word]}] = true
	}
}

// network connects the requests of the engines with their answers: the EAL or a stub.
type network interface {
	// tracker returns the reference of the EAL.
	tracker() *eal.Tracker
	// cycle acts in a cycle, before the clock edge, and updates l.
	cycle(l *lookups) error
	// requests returns the number of requests since the last call.
	requests() int
}

// bench drives the outer interfaces of a Lookup: runs, eDRAM, results.
type bench struct {
	p   arch.Params
	s   *interp.Sim
	r   *rand.Rand
	net network
	tb  RunPorts

	edram [2][]uint32
	rows  []int // number of words fetched by each engine in this run
	last  [2]*lookups

	answered, cached int
	hot, refused     int
	stalls           [2]int // stalls of windows and of queues
	words, idle      int    // words of the run; fetches that engines could have made but did not
	history          []int  // cumulative number of answered lookups, by cycle of the run
	read             []int  // row whose results arrive, if any
}

func newBench(t testing.TB, d *ir.Design, p arch.Params, seed int64) *bench {
	s, err := interp.New(d)
	require.NoError(t, err)
	b := &bench{p: p, s: s, r: rand.New(rand.NewSource(seed)), tb: sim.Bind[RunPorts](s, Of(p))}
	b.rows = make([]int, p.Engines)
	require.NoError(t, trial.Reset(s, uint64(seed)))
	for range 3 {
		e := b.tb.Events
		for _, x := range []hw.Bits{b.tb.Busy, e.Answered, e.Cached, e.Hot, e.WindowStalls, e.QueueStalls, e.Conflicts} {
			require.Zero(t, x.Peek())
		}
		for e := range p.Engines {
			require.Zero(t, b.tb.EDRAM.N(e).Enable.Peek())
		}
		for _, port := range s.Ports() {
			if port.Name == "eal_learn" || port.Name == "request_valid" { // with an EAL, they are internal
				require.Zero(t, sim.Find(s, port.Name).Get(), port.Name)
			}
		}
		require.NoError(t, s.Step())
	}
	return b
}

// run looks up a batch and checks every result, during and after the run. It returns the number of
// cycles.
func (b *bench) run(x batch) (cycles int, err error) {
	l := &lookups{batch: x, keys: Keys(b.p, x.words, x.bases), near: map[near]bool{}}
	l.want, l.known = Probe(b.net.tracker(), l.keys), make([]bool, len(l.keys))
	for k := range l.known {
		l.known[k] = !x.learn
	}
	b.load(x)
	b.answered, b.cached, b.hot, b.refused, b.stalls, b.history = 0, 0, 0, 0, [2]int{}, nil
	b.words, b.idle = len(x.words), 0
	clear(b.rows)
	b.tb.Start.Poke(1)
	b.tb.Learn.Poke(truth(x.learn))
	b.tb.Half.Poke(x.half)
	b.tb.Words.Poke(uint64(len(x.words)))
	b.tb.Slots.Poke(uint64(len(x.bases)))
	if err := b.cycle(l); err != nil {
		return 0, err
	}
	for _, pin := range []hw.Bits{b.tb.Start, b.tb.Learn, b.tb.Half, b.tb.Words, b.tb.Slots} {
		pin.Poke(0)
	}
	next, limit := 0, 5000+100*len(x.words)/b.p.Engines
	for cycles = 1; b.tb.Busy.Peek() == 1; cycles++ {
		if cycles > limit {
			return 0, fmt.Errorf("busy after %d cycles; %d of %d answered", cycles, b.answered, len(x.words))
		}
		next = b.scan(l, next)
		if err := b.cycle(l); err != nil {
			return 0, fmt.Errorf("cycle %d: %w", cycles, err)
		}
	}
	if rows := len(x.words) / b.p.Engines; rows > 50 && next < rows/4 {
		return 0, fmt.Errorf("%d of %d rows were ready before the end", next, rows)
	}
	return cycles, b.finish(l)
}

// load writes the batch into the eDRAM and the bases into the slot registers.
func (b *bench) load(x batch) {
	b.edram[x.half] = x.words
	b.tb.Slot.Enable.Poke(1)
	for s, id := range x.bases {
		b.tb.Slot.Addr.Poke(uint64(s))
		b.tb.Slot.Base.Poke(uint64(id) & (1<<b.p.IDBits() - 1))
		_ = b.s.Step()
	}
	b.tb.Slot.Enable.Poke(0)
}

// scan reads the next row if it is ready, sometimes another ready row.
func (b *bench) scan(l *lookups, next int) int {
	row := next
	if b.r.Intn(8) == 0 {
		row = b.r.Intn(Of(b.p).HalfRows())
	}
	b.tb.ScanRow.Poke(uint64(row))
	b.tb.Read.Poke(0)
	if b.tb.RowReady.Peek() == 1 && row*b.p.Engines < len(l.words) {
		b.ask(l, row)
		if row == next {
			next++
		}
	}
	return next
}

func (b *bench) ask(l *lookups, row int) {
	b.tb.Read.Poke(1)
	b.tb.ReadRow.Poke(l.half<<(Of(b.p).AddressBits()-1) | uint64(row))
	b.read = append(b.read, row)
}

// cycle runs one cycle, with the network, the eDRAM and the requested results.
func (b *bench) cycle(l *lookups) error {
	if err := b.net.cycle(l); err != nil {
		return err
	}
	e := b.tb.Events
	for sum, x := range map[*int]hw.Bits{&b.answered: e.Answered, &b.cached: e.Cached, &b.hot: e.Hot, &b.refused: e.Conflicts,
		&b.stalls[0]: e.WindowStalls, &b.stalls[1]: e.QueueStalls} {
		*sum += int(x.Peek())
	}
	b.history = append(b.history, b.answered)
	fetched := b.fetch()
	if err := b.s.Step(); err != nil {
		return err
	}
	for e, word := range fetched {
		b.tb.EDRAMData.N(e).Poke(uint64(word))
	}
	if len(b.read) == 0 {
		return nil
	}
	row := b.read[0]
	b.read = b.read[1:]
	b.tb.Read.Poke(0)
	return b.check(l, row)
}

// fetch models the eDRAM: it returns the words that are read in this cycle, by engine.
func (b *bench) fetch() map[int]uint32 {
	words, half := map[int]uint32{}, Of(b.p).AddressBits()-1
	for e := range b.p.Engines {
		if b.tb.EDRAM.N(e).Enable.Peek() == 0 {
			if b.rows[0] > 0 && b.rows[e]*b.p.Engines+e < b.words { // the first words are fetched together
				b.idle++
			}
			continue
		}
		at := b.tb.EDRAM.N(e).Row.Peek()
		row := int(at & (1<<half - 1))
		words[e] = b.edram[at>>half][row*b.p.Engines+e]
		b.rows[e]++
	}
	return words
}

// wordIn returns the word with a ticket of an engine: the latest fetched word that has the ticket,
// or -1.
func (b *bench) wordIn(engine, ticket int) int {
	last := b.rows[engine] - 1
	row := last - (last-ticket)&(b.p.Window-1)
	if row < 0 {
		return -1
	}
	return row*b.p.Engines + engine
}

// check compares the results of a row on the port.
func (b *bench) check(l *lookups, row int) error {
	for e := range b.p.Engines {
		k := row*b.p.Engines + e
		if k >= len(l.words) {
			break
		}
		r := b.tb.Result.N(e)
		got := Result{r.Hit.Peek() == 1, int(r.Way.Peek())}
		if want, ok := l.cached[k]; ok && got != want {
			return fmt.Errorf("word %d, key %#x: %v, want %v of the cache", k, l.keys[k], got, want)
		}
		if !l.known[k] && !(l.near[near{e, l.keys[k]}] && got.Hit) {
			return fmt.Errorf("word %d is ready before it was answered", k)
		}
		if l.known[k] && got != l.want[k] {
			return fmt.Errorf("word %d, key %#x: %v, want %v", k, l.keys[k], got, l.want[k])
		}
	}
	return nil
}

// finish checks the conditions at the end of a run.
func (b *bench) finish(l *lookups) error {
	requests, asked := b.net.requests(), 0
	for _, known := range l.known {
		if known {
			asked++
		}
	}
	if b.answered != len(l.words) || b.cached != len(l.words)-requests || l.learn && asked != requests {
		return fmt.Errorf("%d answered, %d by caches, with %d words and %d requests", b.answered, b.cached, len(l.words), requests)
	}
	if l.cached != nil && len(l.cached) != b.cached {
		return fmt.Errorf("%d answered by caches, want %d", b.cached, len(l.cached))
	}
	hot := 0
	for _, r := range l.want {
		hot += int(truth(r.Hit))
	}
	if !l.learn && b.hot != hot {
		return fmt.Errorf("%d lookups of hot rows, want %d", b.hot, hot)
	}
	for e, n := range b.rows {
		if want := (len(l.words) - e + b.p.Engines - 1) / b.p.Engines; n != want {
			return fmt.Errorf("engine %d fetched %d words, want %d", e, n, want)
		}
	}
	b.last[l.half] = l
	for _, done := range b.last {
		if done != nil {
			if err := b.readAll(done); err != nil {
				return err
			}
		}
	}
	return nil
}

// readAll reads the results of a run that has ended. The results of a half are valid until its next
// run.
func (b *bench) readAll(l *lookups) error {
	for row := range (len(l.words) + b.p.Engines - 1) / b.p.Engines {
		b.tb.ScanRow.Poke(uint64(row))
		if b.tb.RowReady.Peek() == 0 {
			return fmt.Errorf("row %d is not ready after the run", row)
		}
		b.ask(l, row)
		if err := b.cycle(l); err != nil {
			return err
		}
	}
	if !b.s.Quiet() {
		return fmt.Errorf("registers change while nothing arrives")
	}
	return nil
}

func truth(c bool) uint64 {
	if c {
		return 1
	}
	return 0
}
