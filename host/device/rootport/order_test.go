//go:build linux

package rootport_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Windows of an orderHarness: a window that the client shares, and a window that is accessed by
// messages.
const (
	shared   = 0x100000
	messages = 0x200000
	window   = 0x10000
)

// orderHarness is a stub behind a socket, with both kinds of memory.
type orderHarness struct {
	*harness
	cards *stubs
	file  *os.File // of the shared window
	byMsg map[uint64]uint32
	fired *client.Event // by regFire
}

func newOrderHarness(r *harness, cards *stubs) *orderHarness {
	o := &orderHarness{harness: r, cards: cards, file: r.share(shared, window), byMsg: map[uint64]uint32{}}
	r.byMessages(messages, window)
	r.c.Memory = o
	o.fired = r.event(5)
	return o
}

// Read implements client.Memory.
func (o *orderHarness) Read(addr uint64, p []byte) error {
	if addr < messages {
		_, err := o.file.ReadAt(p, int64(addr-shared))
		return err
	}
	copy(p, client.U32(o.byMsg[addr]))
	return nil
}

// Write implements client.Memory.
func (o *orderHarness) Write(addr uint64, p []byte) error {
	if addr < messages {
		_, err := o.file.WriteAt(p, int64(addr-shared))
		return err
	}
	o.byMsg[addr] = le.Uint32(p)
	return nil
}

// fileWord returns the DW at an offset in the shared window.
func (o *orderHarness) fileWord(at int64) uint32 { return word(o.t, o.file, at) }

// take returns the next DMA message, which must be a command for an address.
func (o *orderHarness) take(command uint16, addr uint64) (client.Frame, error) {
	f, err := o.c.Take(time.Second)
	if err == nil && (f.Command != command || le.Uint64(f.Body) != addr) {
		err = fmt.Errorf("DMA message %d at %#x, expected %d at %#x", f.Command, le.Uint64(f.Body), command, addr)
	}
	return f, err
}

// before checks that a message arrived before the latest answer.
func (o *orderHarness) before(f client.Frame) error {
	if f.Arrived > o.c.Latest.Arrived {
		return fmt.Errorf("the answer is message %d, the write before it message %d", o.c.Latest.Arrived, f.Arrived)
	}
	return nil
}

// becomes waits for a value at the start of the shared window. It answers messages meanwhile.
func (o *orderHarness) becomes(want uint32) error {
	for end := time.Now().Add(client.Patience); o.fileWord(0) != want && time.Now().Before(end); {
		if _, err := o.c.Pump(nil, time.Millisecond); err != nil {
			return err
		}
	}
	return differ("memory", o.fileWord(0), want)
}

// fires waits for the interrupt without accessing the card.
func (o *orderHarness) fires() error {
	for end := time.Now().Add(client.Patience); time.Now().Before(end); time.Sleep(10 * time.Microsecond) {
		if o.fired.Count() > 0 {
			return nil
		}
	}
	return errors.New("no interrupt")
}

// ended waits until n reads of the stub have ended. It answers messages meanwhile.
func (o *orderHarness) ended(n int) error {
	card := o.cards.made[len(o.cards.made)-1]
	var got []link.Error
	for end := time.Now().Add(client.Patience); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if err := o.c.CatchUp(); err != nil {
			return err
		}
		if o.port.Inspect(func() { got = slices.Clone(card.readErrs) }); len(got) >= n {
			break
		}
	}
	if want := slices.Repeat([]link.Error{link.OK}, n); !slices.Equal(got, want) {
		return fmt.Errorf("reads end with %v, expected %v", got, want)
	}
	return nil
}

// inside evaluates get on the stub while the simulation is paused.
func inside[T any](o *orderHarness, get func(*stub) T) (v T) {
	o.port.Inspect(func() { v = get(o.cards.made[len(o.cards.made)-1]) })
	return v
}

func differ[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s is %v, expected %v", what, got, want)
	}
	return nil
}

// post sends register writes without waiting for an answer.
func (o *orderHarness) post(offset uint64, v uint32) error {
	return o.c.Post(client.RegionWrite, client.AccessBody(offset, client.BAR0, 4, client.U32(v)...))
}

// ordering tests the PCI Express ordering table (2.4.1) at the socket: the row is the later
// transaction, the column the earlier transaction. Upstream is from the card to the client: DMA
// writes and interrupts are posted, DMA reads are non-posted, and answers to accesses are
// completions. Downstream is the opposite direction: register writes are posted, register reads and
// configuration accesses are non-posted, and answers to DMA reads are completions. For pairs in
// which the table allows both orders, the test checks that both work.
var ordering = []struct {
	name  string
	bug   string // key of bugs that breaks the rule, or ""
	check func(*orderHarness) error
}{
	{"up: a write stays behind a write, both by messages", "writes change places", func(o *orderHarness) error {
		for i := range uint32(20) {
			o.dma(regWrite, messages+4*uint64(i), 4, i)
		}
		for i := range uint64(20) {
			if _, err := o.take(client.DMAWrite, messages+4*i); err != nil {
				return err
			}
		}
		return nil
	}},
	{"up: a write to shared memory stays behind a write by a message", "messages are late", func(o *orderHarness) error {
		o.dma(regWrite, messages, 4, 7)
		o.dma(regWrite, shared, 4, 8)
		o.read32(0)
		f, err := o.take(client.DMAWrite, messages)
		if err != nil {
			return err
		}
		if err := errors.Join(differ("memory before the client has the first write", o.fileWord(0), 0), o.c.Serve(f)); err != nil {
			return err
		}
		return o.becomes(8)
	}},
	{"up: an interrupt stays behind a write to shared memory", "writes are late", func(o *orderHarness) error {
		for i := range uint32(100) {
			o.dma(regWrite, shared, 0x4000, i+1)
			o.write32(regFire, 1)
			if err := errors.Join(o.fires(), differ("memory at the interrupt", o.fileWord(0x3ffc), i+1)); err != nil {
				return err
			}
		}
		return nil
	}},
	{"up: an interrupt stays behind a write by a message", "writes are late", func(o *orderHarness) error {
		o.dma(regWrite, messages, 4, 7)
		o.write32(regFire, 1)
		o.read32(0)
		f, err := o.take(client.DMAWrite, messages)
		if err != nil {
			return err
		}
		if o.fired.Count() > 0 {
			return errors.New("the interrupt comes before the client has answered the write")
		}
		return errors.Join(o.c.Serve(f), o.fires())
	}},
	{"up: a write passes a read that the client holds", "one DMA at a time", func(o *orderHarness) error {
		o.dma(regRead, messages, 4, 0)
		held, err := o.take(client.DMARead, messages)
		if err != nil {
			return err
		}
		o.dma(regWrite, messages+8, 4, 9)
		o.dma(regWrite, shared, 4, 9)
		o.read32(0)
		f, err := o.take(client.DMAWrite, messages+8)
		if err != nil {
			return err
		}
		if err := o.c.Serve(f); err != nil {
			return err
		}
		return errors.Join(o.becomes(9), o.c.Serve(held), o.ended(1))
	}},
	{"up: a write passes an answer that the card holds back", "writes are late", func(o *orderHarness) error {
		o.dma(regWrite, messages, 4, 1)
		o.read32(regSlow) // the card writes again before it answers
		for range 2 {
			f, err := o.take(client.DMAWrite, messages)
			if err = errors.Join(err, o.before(f)); err != nil {
				return err
			}
		}
		return nil
	}},
	{"up: a read stays behind a write, both in shared memory", "writes are late", func(o *orderHarness) error {
		for i := range uint32(100) {
			o.dma(regWrite, shared, 0x4000, i+1)
			o.dma(regRead, shared+0x3ffc, 4, i+1)
			o.read32(0)
			if err := o.ended(int(i + 1)); err != nil {
				return err
			}
			if err := differ("what is read", le.Uint32(inside(o, func(c *stub) []byte { return c.read })), i+1); err != nil {
				return err
			}
		}
		return nil
	}},
	{"up: a read stays behind a write, both by messages", "writes are late", func(o *orderHarness) error {
		o.dma(regWrite, messages, 4, 7)
		o.dma(regRead, messages, 4, 7)
		o.read32(0)
		w, err := o.take(client.DMAWrite, messages)
		if err != nil {
			return err
		}
		r, err := o.take(client.DMARead, messages)
		if err != nil {
			return err
		}
		return errors.Join(o.c.Serve(w), o.c.Serve(r), o.ended(1), differ("what is read", le.Uint32(inside(o, func(c *stub) []byte { return c.read })), 7))
	}},
	{"up: a read of shared memory stays behind a write by a message", "messages are late", func(o *orderHarness) error {
		o.dma(regWrite, messages, 4, 7)
		o.dma(regRead, shared, 4, 7)
		o.read32(0)
		w, err := o.take(client.DMAWrite, messages)
		if err != nil {
			return err
		}
		// The client executes the first write, which the read must observe.
		if _, err := o.file.WriteAt(client.U32(7), 0); err != nil {
			return err
		}
		return errors.Join(o.c.Serve(w), o.ended(1), differ("what is read", le.Uint32(inside(o, func(c *stub) []byte { return c.read })), 7))
	}},
	{"up: reads may be answered in any order", "one DMA at a time", func(o *orderHarness) error {
		o.dma(regRead, messages, 4, 0)
		o.dma(regRead, messages+8, 4, 0)
		o.read32(0)
		first, err := o.take(client.DMARead, messages)
		if err != nil {
			return err
		}
		second, err := o.take(client.DMARead, messages+8)
		if err != nil {
			return err
		}
		return errors.Join(o.c.Serve(second), o.c.Serve(first), o.ended(2))
	}},
	{"up: the answer to a register read stays behind writes to shared memory", "writes are late", func(o *orderHarness) error {
		for i := range uint32(200) {
			o.dma(regWrite, shared, 0x4000, i+1)
			o.read32(0)
			if err := differ("memory after the answer", o.fileWord(0x3ffc), i+1); err != nil {
				return err
			}
		}
		return nil
	}},
	{"up: the answer to a register read stays behind writes by messages", "writes are late", func(o *orderHarness) error {
		for i := range uint32(20) {
			o.dma(regWrite, messages, 0x1000, i)
			o.read32(0)
			for at := uint64(0); at < 0x1000; at += 128 {
				f, err := o.take(client.DMAWrite, messages+at)
				if err = errors.Join(err, o.before(f)); err != nil {
					return err
				}
			}
		}
		return nil
	}},
	{"up: the answer to a configuration read or write stays behind writes", "writes are late", func(o *orderHarness) error {
		for i := range uint32(100) {
			o.dma(regWrite, shared, 0x4000, i+1)
			if i%2 == 0 {
				require.NoError(o.t, o.c.Write(client.Config, 0x3c, byte(i)))
			} else {
				o.space()
			}
			if err := differ("memory after the answer", o.fileWord(0x3ffc), i+1); err != nil {
				return err
			}
		}
		o.dma(regWrite, messages, 4, 1)
		require.NoError(o.t, o.c.Write(client.Config, 0x3c, 1))
		f, err := o.take(client.DMAWrite, messages)
		return errors.Join(err, o.before(f))
	}},
	{"up: an answer passes a read that the client holds", "", func(o *orderHarness) error {
		o.write32(regMark, 3)
		o.dma(regRead, messages, 4, 0)
		held, err := o.take(client.DMARead, messages)
		if err != nil {
			return err
		}
		o.space()
		return errors.Join(differ("a register", o.read32(regMark), 3), o.c.Serve(held), o.ended(1))
	}},
	{"up: answers come in the order of the accesses", "", func(o *orderHarness) error {
		for i := range uint16(20) {
			f := client.Frame{ID: 500 + i, Command: client.RegionRead, Body: client.AccessBody(uint64(i)%2*regSlow, client.BAR0, 4)}
			if err := o.c.Send(f.Encode()); err != nil {
				return err
			}
		}
		for i := range uint16(20) {
			f, err := o.c.Answer()
			if err = errors.Join(err, differ("the answer", f.ID, 500+i)); err != nil {
				return err
			}
		}
		return nil
	}},
	{"down: a register write stays behind a register write", "register writes are late", func(o *orderHarness) error {
		for i := range uint32(100) {
			if err := o.post(regMark, i); err != nil {
				return err
			}
		}
		o.read32(0)
		for i, v := range inside(o, func(c *stub) []uint32 { return slices.Clone(c.marks) }) {
			if err := differ("a write", v, uint32(i)); err != nil {
				return err
			}
		}
		return differ("the number of writes", inside(o, func(c *stub) int { return len(c.marks) }), 100)
	}},
	{"down: a register write does not wait for ever for a register read", "register writes are late", func(o *orderHarness) error {
		f := client.Frame{ID: 600, Command: client.RegionRead, Body: client.AccessBody(regSilent, client.BAR0, 4)}
		err := errors.Join(o.c.Send(f.Encode()), o.post(regMark, 5))
		a, failed := o.c.Answer() // all ones
		err = errors.Join(err, failed, differ("the answer", a.ID, 600))
		if err != nil {
			return err
		}
		require.NoError(o.t, o.c.Write(client.Config, 0x3c, 1))
		return differ("the number of writes", inside(o, func(c *stub) int { return len(c.marks) }), 1)
	}},
	{"down: a read stays behind a register write", "register writes are late", func(o *orderHarness) error {
		for i := range uint32(100) {
			if err := o.post(regMark, i); err != nil {
				return err
			}
			if err := differ("a register", o.read32(regMark), i); err != nil {
				return err
			}
		}
		return nil
	}},
	{"down: a configuration write stays behind a register write", "register writes are late", func(o *orderHarness) error {
		for i := range uint32(100) {
			if err := o.post(regMark, i); err != nil { // no longer arrives when BAR 0 does not answer
				return err
			}
			require.NoError(o.t, o.c.Write(client.Config, 4, 4))
			require.NoError(o.t, o.c.Write(client.Config, 4, 6))
			if err := differ("a register", o.read32(regMark), i); err != nil {
				return err
			}
		}
		return nil
	}},
	{"down: the answer to a DMA read stays behind a register write", "register writes are late", func(o *orderHarness) error {
		for i := range uint32(100) {
			o.dma(regRead, messages, 4, 0)
			f, err := o.take(client.DMARead, messages)
			if err != nil {
				return err
			}
			if err := errors.Join(o.post(regMark, 1000+i), o.c.Serve(f), o.ended(int(i+1))); err != nil {
				return err
			}
			when := inside(o, func(c *stub) uint32 { return c.readWhen[i] })
			if err := differ("the register when the data comes", when, 1000+i); err != nil {
				return err
			}
		}
		return nil
	}},
	{"down: the answer to a DMA read does not wait for ever for a register read", "", func(o *orderHarness) error {
		o.dma(regRead, messages, 4, 0)
		held, err := o.take(client.DMARead, messages)
		if err != nil {
			return err
		}
		f := client.Frame{ID: 700, Command: client.RegionRead, Body: client.AccessBody(regSilent, client.BAR0, 4)}
		err = errors.Join(o.c.Send(f.Encode()), o.c.Serve(held))
		a, failed := o.c.Answer()
		return errors.Join(err, failed, differ("the answer", a.ID, 700), o.ended(1))
	}},
}

// TestOrdering: both directions through the socket obey the ordering table.
func TestOrdering(t *testing.T) {
	for _, x := range ordering {
		t.Run(x.name, func(t *testing.T) {
			m := &stubs{}
			require.NoError(t, x.check(newOrderHarness(newHarness(t, m.card), m)))
		})
	}
}

// TestOrderingFindsBugs: a server that breaks a rule fails its test.
func TestOrderingFindsBugs(t *testing.T) {
	for _, x := range ordering {
		if x.bug == "" {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			m := &stubs{}
			err := x.check(newOrderHarness(newHarnessWith(t, m.card, bugs[x.bug]), m))
			require.Error(t, err)
			t.Log(err)
		})
	}
}
