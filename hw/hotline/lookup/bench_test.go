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

// batch is a mini-batch to be looked up.
type batch struct {
	words, bases []uint32
	half         uint64
	learn        bool
}

// lookups is what a bench knows of a batch. Results of probes are known from the
// start, those of learning accesses when their order is; a word that was asked
// for and not answered must not be committed. In learning an engine need not ask for
// a key that is near: an access of its own has hit it.
type lookups struct {
	batch
	keys  []uint32
	want  []Result
	known []bool
	near  map[near]bool

	cached map[int]Result // by word: what the cache of its engine has, if a stub follows the engines
}

// near is a key as an engine knows it.
type near struct {
	engine int
	key    uint32
}

// learned notes what came of the learning access of a word.
func (l *lookups) learned(engine, word int, hit bool, way int) {
	l.want[word], l.known[word] = Result{hit, way}, true
	if hit {
		l.near[near{engine, l.keys[word]}] = true
	}
}

// network is what stands between the engines and their answers: the EAL or a
// stub.
type network interface {
	// tracker is the reference of the EAL.
	tracker() *eal.Tracker
	// cycle acts in a cycle, before the clock edge, and keeps l up to date.
	cycle(l *lookups) error
	// requests is the number of requests since the last call.
	requests() int
}

// bench drives the outer side of a Lookup: runs, eDRAM, results.
type bench struct {
	p   arch.Params
	s   *interp.Sim
	r   *rand.Rand
	net network
	tb  RunPorts

	edram [2][]uint32
	rows  []int // words fetched by each engine in this run
	last  [2]*lookups

	answered, cached int
	hot, refused     int
	stalls           [2]int // of windows, of queues
	words, idle      int    // of the run; those that engines did not fetch although they could have been
	history          []int  // lookups answered by the cycles of the run
	read             []int  // row whose results come, if any
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
			if port.Name == "eal_learn" || port.Name == "request_valid" { // with an EAL they are inside
				require.Zero(t, sim.Find(s, port.Name).Get(), port.Name)
			}
		}
		require.NoError(t, s.Step())
	}
	return b
}

// run looks a batch up and checks every result, in the run and after it. It
// gives the number of cycles.
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

// scan reads the next row if it is ready, sometimes any row that is.
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

// cycle is one cycle: the network, the eDRAM, a result that was asked for.
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

// fetch is the eDRAM: the words that are read in this cycle, by engine.
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

// wordIn is the word with a ticket of an engine: of those fetched, the last that
// has it; -1 if there is none.
func (b *bench) wordIn(engine, ticket int) int {
	last := b.rows[engine] - 1
	row := last - (last-ticket)&(b.p.Window-1)
	if row < 0 {
		return -1
	}
	return row*b.p.Engines + engine
}

// check compares the results of a row, which stand on the port.
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

// finish checks what must hold when busy has fallen.
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

// readAll reads the results of a run that has ended; those of a half stay until
// its next run.
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
