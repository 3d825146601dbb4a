package lookup

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
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
// for and not answered must not be committed.
type lookups struct {
	batch
	keys  []uint32
	want  []Result
	known []bool
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
	p    arch.Params
	s    *interp.Sim
	r    *rand.Rand
	net  network
	pins map[string]sim.Pin

	edram   [2][]uint32
	fetched []uint64 // what the eDRAM drives
	rows    []int    // words fetched by each engine in this run
	last    [2]*lookups

	answered, cached int
	history          []int // lookups answered by the cycles of the run
	read             []int // row whose results come, if any
}

func newBench(t testing.TB, d *ir.Design, p arch.Params, seed int64) *bench {
	s, err := interp.New(d)
	require.NoError(t, err)
	b := &bench{p: p, s: s, r: rand.New(rand.NewSource(seed)), pins: map[string]sim.Pin{}}
	for _, port := range s.Ports() {
		b.pins[port.Name] = sim.Find(s, port.Name)
	}
	b.fetched = make([]uint64, ir.Words(p.Engines*wordBits))
	b.rows = make([]int, p.Engines)
	require.NoError(t, trial.Reset(s, uint64(seed)))
	for range 3 {
		for _, name := range []string{"busy", "eal_learn", "answered", "cached", "edram_en", "req_valid"} {
			if _, ok := b.pins[name]; ok { // some are inside, with an EAL
				require.Zero(t, b.get(name), name)
			}
		}
		require.Equal(t, uint64(1), b.get("row_ready"), "no rows are to come")
		require.NoError(t, s.Step())
	}
	return b
}

func (b *bench) set(name string, v uint64)  { b.pins[name].Set(v) }
func (b *bench) get(name string) uint64     { return b.pins[name].Get() }
func (b *bench) words(name string) []uint64 { return b.pins[name].Words() }

// run looks a batch up and checks every result, in the run and after it. It
// gives the number of cycles.
func (b *bench) run(x batch) (cycles int, err error) {
	l := &lookups{batch: x, keys: Keys(b.p, x.words, x.bases)}
	l.want, l.known = Probe(b.net.tracker(), l.keys), make([]bool, len(l.keys))
	for k := range l.known {
		l.known[k] = !x.learn
	}
	b.load(x)
	b.answered, b.cached, b.history = 0, 0, nil
	clear(b.rows)
	b.set("start", 1)
	b.set("learn", uint64(truth(x.learn)))
	b.set("half", x.half)
	b.set("words", uint64(len(x.words)))
	b.set("slots", uint64(len(x.bases)))
	if err := b.cycle(l); err != nil {
		return 0, err
	}
	for _, name := range []string{"start", "learn", "half", "words", "slots"} {
		b.set(name, 0)
	}
	next, limit := 0, 5000+100*len(x.words)
	for cycles = 1; b.get("busy") == 1; cycles++ {
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
	b.set("slot_we", 1)
	for s, id := range x.bases {
		b.set("slot_addr", uint64(s))
		b.set("slot_base", uint64(id)&(1<<b.p.IDBits()-1))
		_ = b.s.Step()
	}
	b.set("slot_we", 0)
}

// scan reads the next row if it is ready, sometimes any row that is.
func (b *bench) scan(l *lookups, next int) int {
	row := next
	if b.r.Intn(8) == 0 {
		row = b.r.Intn(halfRows(b.p))
	}
	b.set("scan_row", uint64(row))
	b.set("result_en", 0)
	if b.get("row_ready") == 1 && row*b.p.Engines < len(l.words) {
		b.ask(l, row)
		if row == next {
			next++
		}
	}
	return next
}

func (b *bench) ask(l *lookups, row int) {
	b.set("result_en", 1)
	b.set("result_row", l.half<<(addressWidth(b.p)-1)|uint64(row))
	b.read = append(b.read, row)
}

// cycle is one cycle: the network, the eDRAM, a result that was asked for.
func (b *bench) cycle(l *lookups) error {
	if err := b.net.cycle(l); err != nil {
		return err
	}
	b.answered += int(b.get("answered"))
	b.cached += int(b.get("cached"))
	b.history = append(b.history, b.answered)
	b.fetch()
	if err := b.s.Step(); err != nil {
		return err
	}
	b.pins["edram_data"].SetWords(b.fetched)
	if len(b.read) == 0 {
		return nil
	}
	row := b.read[0]
	b.read = b.read[1:]
	b.set("result_en", 0)
	return b.check(l, row)
}

// fetch is the eDRAM: the words that are read in this cycle.
func (b *bench) fetch() {
	on, rows := b.words("edram_en"), b.words("edram_row")
	w, at := addressWidth(b.p), make([]uint64, 1)
	for e := range b.p.Engines {
		if !bv.Bit(on, e) {
			continue
		}
		bv.Slice(at, rows, e*w, w)
		half, row := at[0]>>(w-1), int(at[0]&(1<<(w-1)-1))
		shift := e % 2 * wordBits
		b.fetched[e/2] &^= 0xFFFFFFFF << shift
		b.fetched[e/2] |= uint64(b.edram[half][row*b.p.Engines+e]) << shift
		b.rows[e]++
	}
}

// check compares the results of a row, which stand on the port.
func (b *bench) check(l *lookups, row int) error {
	results, x := b.words("result"), make([]uint64, 1)
	for e := range b.p.Engines {
		k := row*b.p.Engines + e
		if k >= len(l.words) {
			break
		}
		bv.Slice(x, results, e*eal.ResultWidth(b.p), eal.ResultWidth(b.p))
		got := Result{x[0]>>b.p.WayBits() == 1, int(x[0]) % b.p.Ways}
		if !l.known[k] {
			return fmt.Errorf("word %d is ready before it was answered", k)
		}
		if got != l.want[k] {
			return fmt.Errorf("word %d, key %#x: %v, want %v", k, l.keys[k], got, l.want[k])
		}
	}
	return nil
}

// finish checks what must hold when busy has fallen.
func (b *bench) finish(l *lookups) error {
	requests := b.net.requests()
	if b.answered != len(l.words) || b.cached != len(l.words)-requests || l.learn && b.cached > 0 {
		return fmt.Errorf("%d answered, %d by caches, with %d words and %d requests", b.answered, b.cached, len(l.words), requests)
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
		b.set("scan_row", uint64(row))
		if b.get("row_ready") == 0 {
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

func truth(c bool) int {
	if c {
		return 1
	}
	return 0
}
