package wrap

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func xdmaCard(t *testing.T) (*card, *irqModel) {
	d, err := hw.Elaborate(XDMA{small()})
	require.NoError(t, err)
	return cardOf(t, d)
}

// cardOf returns a device with the given XDMA design, connected to a model of the core.
func cardOf(t *testing.T, d *ir.Design) (*card, *irqModel) {
	c, err := newCard(d, 1)
	require.NoError(t, err)
	return c, c.behindXDMA(small().StreamBytes(), 40, 1).IRQ
}

func TestXDMACard(t *testing.T) {
	c, _ := xdmaCard(t)
	use(t, c)
}

// randomXDMA drives random descriptors, with consecutive tags, through the engine.
func randomXDMA(d *ir.Design, p arch.Link, seed uint64, batches int) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	memory, want := dma.Pages{}, dma.Pages{}
	far := newXDMAModel(b, memory, p.StreamBytes(), 20, seed)
	reads, writes := bench.PushOf[dma.ReadDesc](b, "read_desc", p), bench.PushOf[dma.WriteDesc](b, "write_desc", p)
	out := b.Sink("read_data_tvalid", "read_data_tready", prefixed("read_data_t", "data", "keep", "id", "user", "last")...)
	in := b.Source("write_data_tvalid", "write_data_tready", prefixed("write_data_t", "data", "keep", "id", "last")...)
	var reading []*readJob
	var readTags, writeTags []uint64
	var queue [][]bench.Item
	taken := 0
	look := func() error {
		for _, it := range out.Got[0] {
			n := p.StreamBits / 64
			if len(reading) == 0 || it[n] != ^uint64(0)>>(64-p.StreamBytes()) || it[n+1] != readTags[0] || it[n+2] != 0 {
				return fmt.Errorf("a beat %x of tags %d", it, readTags)
			}
			j := reading[0]
			j.got, j.last = append(j.got, dma.BytesOf(it[:n])...), it[n+3] == 1
		}
		out.Got[0] = nil
		if b.Pin("read_status_valid").Bool() {
			if len(reading) == 0 || len(reading[0].got) < reading[0].bytes {
				return errors.New("a status too early")
			}
			j, data := reading[0], make([]byte, reading[0].bytes)
			memory.ReadAt(j.addr, data)
			if b.Pin("read_status_tag").Get() != readTags[0] || b.Pin("read_status_error").Get() != 0 || !j.last || !bytes.Equal(j.got[:j.bytes], data) {
				return fmt.Errorf("read %+v is wrong", *j)
			}
			reading, readTags = reading[1:], readTags[1:]
		}
		if b.Pin("write_status_valid").Bool() {
			if len(writeTags) == 0 || b.Pin("write_status_tag").Get() != writeTags[0] || b.Pin("write_status_error").Get() != 0 {
				return fmt.Errorf("a write of %d is wrong", writeTags)
			}
			writeTags = writeTags[1:]
		}
		return far.Look()
	}
	cycle := func() error {
		far.Give()
		err := b.Cycle(look)
		for ; taken < writes.Sent(); taken++ {
			for _, it := range queue[0] {
				in.Send(0, it)
			}
			queue = queue[1:]
		}
		return errors.Join(err, far.Take())
	}
	for i := range 0x4000 { // source of the reads; no write overlaps it
		memory.WriteAt(uint64(i), []byte{byte(b.Rand.Uint32())})
		want.WriteAt(uint64(i), []byte{0})
	}
	readTag, writeTag := uint64(0), uint64(0)
	for batch := range batches {
		reads.Rate, writes.Rate, in.Rate, out.Rate, far.Ready, far.DataRate = rate(b), rate(b), rate(b), rate(b), rate(b), rate(b)
		far.Delay = []int{0, 3, 20, 100}[batch%4]
		for range 40 {
			for n := 0; slices.Contains(readTags, readTag) || slices.Contains(writeTags, writeTag); n++ {
				if err := cycle(); err != nil || n == 20000 {
					return errors.Join(err, errors.New("a tag is not over"))
				}
			}
			addr, n := place(b, p.StreamBytes())
			addr &= 0x2ffc
			reading, readTags = append(reading, &readJob{addr: addr, bytes: n}), append(readTags, readTag)
			reads.Send(0, bench.Item{addr, uint64(n), readTag, 0})
			readTag = (readTag + 1) % (2 * uint64(p.Tags))

			addr, n = place(b, p.StreamBytes())
			addr |= 1 << 40
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(b.Rand.Uint32())
			}
			want.WriteAt(addr, data)
			writeTags = append(writeTags, writeTag)
			writes.Send(0, bench.Item{addr, uint64(n), writeTag})
			queue = append(queue, beatsOf(data, p.StreamBytes(), writeTag))
			writeTag = (writeTag + 1) % uint64(p.Tags)
		}
		for n := 0; len(readTags)+len(writeTags) > 0 || !far.Idle(); n++ {
			if err := cycle(); err != nil || n == 20000 {
				return errors.Join(err, errors.New("not over"))
			}
		}
	}
	for page, data := range want {
		if page >= 1<<28 && (memory[page] == nil || *memory[page] != *data) {
			return fmt.Errorf("page %#x is wrong", page)
		}
	}
	return nil
}

func TestChannels(t *testing.T) {
	for _, p := range []arch.Link{tiny(), crowd()} {
		d, err := hw.Elaborate(channels{p})
		require.NoError(t, err)
		require.NoError(t, randomXDMA(d, p, 1, 8))
	}
}

func TestFaultsOfChannelsAreCaught(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(channels{p})
	require.NoError(t, err)
	found := survivors(t, d, 30, func() error {
		if err := randomXDMA(d, p, 1, 4); err != nil {
			return err
		}
		return randomXDMA(d, p, 2, 2)
	})
	// Queues of tags are never full, and the engine does not check whether the queue of reads is
	// empty. A length is a multiple of 4. Addresses have a reset only so that ports are known.
	found = slices.DeleteFunc(found, func(s string) bool {
		return regexp.MustCompile(`^reset value of (h2c|c2h)_(addr|len) | at \.\./\.\./lib/fifo/fifo\.go:(46|78|79) `).MatchString(s)
	})
	require.Empty(t, without(found, "constant off by one at xdma.go:160 < xdma.go:127"))
}
