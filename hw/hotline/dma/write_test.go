package dma

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

func TestWriteAgainstTarget(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(write(p.Params))
		require.NoError(t, err)
		for seed := range seeds() {
			require.NoError(t, randomWrites(d, p.Params, seed, 400), "%s, seed %d", p.name, seed)
		}
	}
}

func TestWriteScenarios(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(write(p.Params))
		require.NoError(t, err)
		for name, check := range writeScenarios {
			t.Run(p.name+"/"+name, func(t *testing.T) { require.NoError(t, check(d, p.Params)) })
		}
	}
}

// writeScenarios are situations that random traffic does not produce.
var writeScenarios = map[string]func(*ir.Design, arch.Params) error{
	"tags exhausted":       writeTagsExhausted,
	"packets back to back": packetsBackToBack,
	"latency":              writeLatency,
	"early status":         earlyStatus,
	"quiet":                writeQuiet,
	"hold":                 holdWrites,
}

// sendPackets queues n packets, each of the given number of beats.
func (w *writeHarness) sendPackets(n, beats int) {
	for k := range n {
		q := packet{addr: uint64(k) << 12, data: make([]byte, beats*w.p.StreamBytes())}
		for i := range q.data {
			q.data[i] = byte(w.Rand.Uint32())
		}
		w.send(q)
	}
}

// writeTagsExhausted withholds all statuses. Exactly Tags descriptors must leave, with all of their
// data.
func writeTagsExhausted(d *ir.Design, p arch.Params) error {
	w, err := newWriteHarness(d, p, 1)
	if err != nil {
		return err
	}
	w.target.Rate = 0
	w.sendPackets(p.Tags+3, 2)
	for range 3*p.Tags + 10 {
		if err := w.cycle(); err != nil {
			return err
		}
	}
	if w.issued != p.Tags || w.data.Sent() != 2*p.Tags {
		return fmt.Errorf("%d descriptors and %d beats, want %d and %d", w.issued, w.data.Sent(), p.Tags, 2*p.Tags)
	}
	w.target.Rate = 1
	return w.run(100 * p.Tags)
}

// holdWrites holds while packets are in flight. They must finish, and no other packet may be
// accepted.
func holdWrites(d *ir.Design, p arch.Params) error {
	w, err := newWriteHarness(d, p, 1)
	if err != nil {
		return err
	}
	w.sendPackets(3*p.Tags, 3)
	w.data.Rate = 0.3
	for w.pkt.Sent() < 3 {
		if err := w.cycle(); err != nil {
			return err
		}
	}
	taken := w.pkt.Sent()
	w.io.Hold.Poke(1)
	for n := 0; w.io.Pending.Peek() != 0; n++ {
		if n > 200*p.Tags {
			return errors.New("writes are pending for ever")
		}
		if err := w.cycle(); err != nil {
			return err
		}
	}
	if w.pkt.Sent() != taken || w.data.Sent() != 3*taken || !w.target.Idle() {
		return fmt.Errorf("%d packets, %d beats, want %d, %d", w.pkt.Sent(), w.data.Sent(), taken, 3*taken)
	}
	w.io.Hold.Poke(0)
	w.data.Rate = 1
	return w.run(100 * p.Tags)
}

// packetsBackToBack requires a beat per cycle without waiting for statuses.
func packetsBackToBack(d *ir.Design, p arch.Params) error {
	for _, beats := range []int{1, 4} {
		w, err := newWriteHarness(d, p, 1)
		if err != nil {
			return err
		}
		w.sendPackets(p.Tags, beats)
		for range p.Tags*beats + 2 {
			if err := w.cycle(); err != nil {
				return err
			}
		}
		if w.data.Sent() != p.Tags*beats {
			return fmt.Errorf("%d beats of %d", w.data.Sent(), p.Tags*beats)
		}
		if err := w.run(100 * p.Tags); err != nil {
			return err
		}
	}
	return nil
}

// writeLatency checks latencies: 1 cycle from a packet to its descriptor, 2 from the descriptor to
// the first beat.
func writeLatency(d *ir.Design, p arch.Params) error {
	w, err := newWriteHarness(d, p, 1)
	if err != nil {
		return err
	}
	w.sendPackets(1, 1)
	var seen []string
	for n := range 5 {
		if err := w.Cycle(func() error {
			if w.io.Desc.Valid.Peek() != 0 {
				seen = append(seen, fmt.Sprint("descriptor ", n))
			}
			if w.io.Out.Valid.Peek() != 0 {
				seen = append(seen, fmt.Sprint("data ", n))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	if got, want := fmt.Sprint(seen), fmt.Sprint([]string{"descriptor 1", "data 3"}); got != want {
		return fmt.Errorf("seen %s, want %s", got, want)
	}
	return nil
}

// earlyStatus fails descriptors before their data has been accepted. Their tags must not be freed
// before the data has left.
func earlyStatus(d *ir.Design, p arch.Params) error {
	w, err := newWriteHarness(d, p, 1)
	if err != nil {
		return err
	}
	w.sendPackets(2*p.Tags, 2)
	w.out.Rate = 0
	for range p.Tags + 10 {
		if err := w.Cycle(); err != nil {
			return err
		}
	}
	issued := len(w.desc.Got[0])
	for tag := range p.Tags {
		w.setStatus(TagStatus{tag, 11}, true)
		if err := w.Cycle(); err != nil {
			return err
		}
	}
	w.setStatus(TagStatus{}, false)
	if err := w.Run(10); err != nil {
		return err
	}
	if issued != p.Tags || len(w.desc.Got[0]) != issued {
		return fmt.Errorf("%d descriptors, then %d; want %d", issued, len(w.desc.Got[0]), p.Tags)
	}
	w.out.Rate = 1
	if err := w.Run(5 * p.Tags); err != nil {
		return err
	}
	if n := len(w.desc.Got[0]); n != 2*p.Tags || w.io.Error.Peek() != 11 {
		return fmt.Errorf("%d descriptors and error %d at the end, want %d and 11", n, w.io.Error.Peek(), 2*p.Tags)
	}
	return nil
}

// writeQuiet checks that no register changes once nothing arrives.
func writeQuiet(d *ir.Design, p arch.Params) error {
	w, err := newWriteHarness(d, p, 1)
	if err != nil {
		return err
	}
	w.sendPackets(p.Tags, 2)
	if err := w.run(100 * p.Tags); err != nil {
		return err
	}
	for range 2 {
		if err := w.Sim.Step(); err != nil {
			return err
		}
	}
	if !w.Sim.Quiet() {
		return errors.New("registers change though nothing arrives")
	}
	return nil
}

// checkWrite runs all checks until one fails.
func checkWrite(d *ir.Design, p arch.Params, seed uint64) error {
	if err := randomWrites(d, p, seed, 200); err != nil {
		return err
	}
	return errors.Join(packetsBackToBack(d, p), earlyStatus(d, p), writeLatency(d, p))
}

func TestWriteFaultsAreCaught(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(write(p))
	require.NoError(t, err)
	found := survivors(t, d, 80, func() error { return checkWrite(d, p, 1) })
	// Write does not check whether a tag is open before it allocates the tag.
	found = without(found, "reset value of unfinished")
	// Write does not use the number of allocated tags.
	found = without(found, "add for sub at ring.go")
	require.Empty(t, without(found, equivalentFaults))
}
