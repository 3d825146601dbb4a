package eal

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// bench drives an EAL and a Tracker with the same requests.
type bench struct {
	p   arch.Params
	s   *interp.Sim
	r   *rand.Rand
	ref *Tracker

	learn, ready, idle            sim.Pin
	reqValid, reqReady, reqData   sim.Pin
	ansValid, ansData             sim.Pin
	scan, scanBank, scanRow, data sim.Pin

	valid, word []uint64    // what the request ports carry
	offers      []*lookup   // by request port
	slots       [][]*lookup // by engine and slot: offered or under way
	waiting     int         // requests taken and not answered
	served      int
}

// lookup is one request; the outcome is known when its bank has served it.
type lookup struct {
	engine, slot int
	key          uint32
	served, hit  bool
	way          int
}

func newBench(t testing.TB, d *ir.Design, p arch.Params, seed int64) *bench {
	s, err := interp.New(d)
	require.NoError(t, err)
	b := &bench{p: p, s: s, r: rand.New(rand.NewSource(seed)), ref: NewTracker(p)}
	for name, pin := range map[string]*sim.Pin{
		"learn": &b.learn, "ready": &b.ready, "idle": &b.idle,
		"req_valid": &b.reqValid, "req_ready": &b.reqReady, "req_data": &b.reqData,
		"ans_valid": &b.ansValid, "ans_data": &b.ansData,
		"scan_valid": &b.scan, "scan_bank": &b.scanBank, "scan_row": &b.scanRow, "scan_data": &b.data,
	} {
		*pin = sim.Find(s, name)
	}
	ports := RequestQueues * p.Engines
	b.valid, b.word = make([]uint64, ir.Words(ports)), make([]uint64, ir.Words(ports*RequestWidth(p)))
	b.offers = make([]*lookup, ports)
	b.slots = make([][]*lookup, p.Engines)
	for e := range b.slots {
		b.slots[e] = make([]*lookup, p.Window)
	}
	return b
}

// reset fills registers and memories with garbage, resets, and checks the sweep
// that clears the memories.
func (b *bench) reset(t testing.TB) error {
	require.NoError(t, trial.Reset(b.s, b.r.Uint64()))
	if !b.idle.Bool() {
		return errors.New("not idle after reset")
	}
	for c := range b.p.BankSets() {
		if b.ready.Bool() {
			return fmt.Errorf("ready in cycle %d after reset, want %d", c, b.p.BankSets())
		}
		require.NoError(t, b.s.Step())
	}
	if !b.ready.Bool() {
		return fmt.Errorf("not ready after %d cycles", b.p.BankSets())
	}
	return nil
}

// run looks up the keys of each engine in order of issue; pace of 8 cycles an
// engine offers a request.
func (b *bench) run(learn bool, keys [][]uint32, pace int) error {
	b.learn.SetBool(learn)
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

// offer puts a request on its port, if that and a slot are free.
func (b *bench) offer(e int, key uint32) bool {
	port := RequestQueues*e + int(key)%RequestQueues
	slot := b.r.Intn(b.p.Window)
	if b.offers[port] != nil || b.slots[e][slot] != nil {
		return false
	}
	l := &lookup{engine: e, slot: slot, key: key}
	b.offers[port], b.slots[e][slot] = l, l
	return true
}

// cycle is one cycle; it gives the number of answers.
func (b *bench) cycle(learn bool) (answers int, err error) {
	b.drive()
	if b.idle.Bool() != (b.waiting == 0) {
		return 0, fmt.Errorf("idle is %v with %d requests under way", b.idle.Bool(), b.waiting)
	}
	b.observe(learn)
	if answers, err = b.collect(); err != nil {
		return 0, err
	}
	ready := b.reqReady.Words()
	for port, l := range b.offers {
		if l != nil && bv.Bit(ready, port) {
			b.offers[port] = nil
			b.waiting++
		}
	}
	return answers, b.s.Step()
}

// drive gives the offers to the request ports.
func (b *bench) drive() {
	clear(b.valid)
	clear(b.word)
	w := RequestWidth(b.p)
	for port, l := range b.offers {
		if l != nil {
			bv.SetBit(b.valid, port)
			bv.Insert(b.word, port*w, []uint64{uint64(l.key)>>1<<b.p.SlotBits() | uint64(l.slot)}, w)
		}
	}
	b.reqValid.SetWords(b.valid)
	b.reqData.SetWords(b.word)
}

// observe lets the reference follow the banks: what stands in a bank's match
// stage is served next. A learning access is there for one cycle; a probe may
// be seen several times.
func (b *bench) observe(learn bool) {
	for k := range b.p.Banks {
		unit := fmt.Sprintf("bank[%d].unit.", k)
		if on, _ := b.s.Peek(unit + "match_valid"); on[0] == 0 {
			continue
		}
		data, _ := b.s.Peek(unit + "match_request")
		engine := int(data[0] >> (b.p.SlotBits() + b.p.RowBits() + b.p.TagBits))
		l := b.slots[engine][data[0]%uint64(b.p.Window)]
		if l == nil || int(l.key)%b.p.Banks != k || l.served {
			continue // the answers will not match
		}
		if learn {
			l.hit, l.way = b.ref.Access(l.key)
		} else {
			l.hit, l.way = b.ref.Probe(l.key)
		}
		l.served = true
		b.served++
	}
}

// collect compares the answers of this cycle.
func (b *bench) collect() (n int, err error) {
	valid, data := b.ansValid.Words(), b.ansData.Words()
	w := AnswerWidth(b.p)
	x := make([]uint64, 1)
	for port := range AnswerGroups * b.p.Engines {
		if !bv.Bit(valid, port) {
			continue
		}
		bv.Slice(x, data, port*w, w)
		e, slot, hit, way := port/AnswerGroups, int(x[0]>>ResultWidth(b.p)), x[0]>>b.p.WayBits()&1 == 1, int(x[0])%b.p.Ways
		l := b.slots[e][slot]
		switch {
		case l == nil || !l.served:
			return 0, fmt.Errorf("engine %d slot %d is answered before it was served", e, slot)
		case int(l.key)%AnswerGroups != port%AnswerGroups:
			return 0, fmt.Errorf("engine %d slot %d, key %#x: answer on port %d", e, slot, l.key, port%AnswerGroups)
		case l.hit != hit || l.way != way:
			return 0, fmt.Errorf("engine %d slot %d, key %#x: hit %v way %d, want %v, %d", e, slot, l.key, hit, way, l.hit, l.way)
		}
		b.slots[e][slot] = nil
		b.waiting--
		n++
	}
	return n, nil
}

// compareMemory reads all sets through the scan port, one per cycle.
func (b *bench) compareMemory() error {
	sets := b.p.Banks * b.p.BankSets()
	for n := range sets + 2 {
		if n >= 2 {
			bank, row := (n-2)%b.p.Banks, (n-2)/b.p.Banks
			if want, got := b.ref.Word(bank, row), b.data.Words(); !bv.Equal(want, got) {
				return fmt.Errorf("bank %d row %d: %x, want %x", bank, row, got, want)
			}
		}
		b.scan.SetBool(n < sets)
		b.scanBank.Set(uint64(n % b.p.Banks))
		b.scanRow.Set(uint64(n / b.p.Banks % b.p.BankSets()))
		if err := b.s.Step(); err != nil {
			return err
		}
	}
	return nil
}
