package cycle_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// until runs the host until a condition holds, for at most 10 ms.
func (r *harness) until(done func() bool) {
	r.t.Helper()
	end := r.k.Now() + 10*des.Millisecond
	require.NoError(r.t, r.k.Run(func() bool { return done() || r.card.Err() != nil || r.k.Now() > end }))
	require.NoError(r.t, r.card.Err())
	require.LessOrEqual(r.t, r.k.Now(), end, "it takes too long")
}

func TestResetAtPowerUp(t *testing.T) {
	s := newStub(128)
	r := newHost(t, 0, s, link.DefaultConfig())
	r.until(func() bool { return s.cycle == 10 })
	require.Equal(t, 4, s.resets)
	require.Equal(t, 10*des.Time(period), r.k.Now()+period)
}

// randomDescriptors returns descriptors with every possible number of bytes in the last beat,
// including one beat plus four bytes, and a whole page.
func randomDescriptors(rng *rand.Rand, base uint64, n int) []*descriptor {
	var list []*descriptor
	for i := range n {
		size := 4 * (1 + rng.IntN(64))
		switch i % 8 {
		case 0:
			size = 4 * (1 + i/8%32)
		case 1:
			size = 4096
		}
		list = append(list, &descriptor{addr: base + uint64(i)*8192 + 4*uint64(rng.IntN(1024)), size: size})
	}
	return list
}

func TestReads(t *testing.T) {
	for _, width := range []int{128, 256, 512} {
		rng := rand.New(rand.NewPCG(uint64(width), 0))
		list := randomDescriptors(rng, 1<<20, 200)
		s := newReader(width, list, 1)
		r := newHost(t, 0, s, link.DefaultConfig())
		want := make([][]byte, len(list))
		for i, d := range list {
			want[i] = make([]byte, d.size)
			for k := range want[i] {
				want[i][k] = byte(rng.Uint32())
			}
			require.NoError(t, r.memory.Write(d.addr, want[i]))
		}
		r.until(func() bool { return s.ended == len(list) })
		require.Empty(t, s.bad)
		for i, d := range list {
			require.Zero(t, d.code)
			require.Equal(t, want[i], d.data, "descriptor %d", i)
		}
	}
}

// TestFailedReads mixes valid reads with reads of unmapped addresses, reads beyond the end of
// memory, damaged answers and impossible reads.
func TestFailedReads(t *testing.T) {
	var list []*descriptor
	for i := range 60 {
		d := &descriptor{addr: 1<<20 + uint64(i)*64, size: 64}
		switch i % 6 {
		case 1:
			d.addr = 1 << 50
		case 2:
			d.addr, d.size = memorySize-2048, 4096
		case 3:
			d.size = 0
		case 4:
			d.addr = 1<<22 + uint64(i)*64
		case 5:
			d.addr = ^uint64(31)
		}
		list = append(list, d)
	}
	s := newReader(128, list, 2)
	r := newHost(t, 0, s, link.DefaultConfig())
	poisoned := map[uint16]bool{}
	r.slot.Inject(func(_ link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
		switch {
		case p.Kind == pcie.MRd && p.Addr >= 1<<22 && p.Addr < 1<<23:
			poisoned[p.Tag] = true
		case p.Kind == pcie.CplD && poisoned[p.Tag]:
			p.EP = true
			delete(poisoned, p.Tag)
		}
		return link.Fate{}
	})
	r.until(func() bool { return s.ended == len(list) })
	require.Empty(t, s.bad)
	for i, d := range list {
		want := [6]link.Error{link.OK, link.UnsupportedRequest, link.UnsupportedRequest, link.UnsupportedRequest, link.Poisoned, link.UnsupportedRequest}[i%6]
		require.Equal(t, want, link.Error(d.code), "descriptor %d", i)
		require.Equal(t, want == link.OK, d.last, "descriptor %d", i)
	}
}

func TestWrites(t *testing.T) {
	for _, width := range []int{128, 256, 512} {
		rng := rand.New(rand.NewPCG(uint64(width), 1))
		list := randomDescriptors(rng, 1<<20, 200)
		for _, d := range list {
			d.data = make([]byte, d.size)
			for k := range d.data {
				d.data[k] = byte(1 + rng.IntN(255))
			}
		}
		s := newWriter(width, list, 1)
		r := newHost(t, 0, s, link.DefaultConfig())
		r.until(func() bool { return s.ended == len(list) })
		require.NoError(t, r.k.RunTo(r.k.Now()+2*des.Microsecond))
		for i, d := range list {
			require.Zero(t, d.code)
			got := make([]byte, d.size+64)
			require.NoError(t, r.memory.Read(d.addr, got))
			require.Equal(t, d.data, got[:d.size], "descriptor %d", i)
			require.Equal(t, make([]byte, 64), got[d.size:], "behind descriptor %d", i)
		}
	}
}

// TestWriteBackPressure: on a slow link the card accepts 32 descriptors, and another descriptor
// only after a descriptor has left.
func TestWriteBackPressure(t *testing.T) {
	var list []*descriptor
	for i := range 100 {
		d := &descriptor{addr: 1<<20 + uint64(i)*64, size: 64, data: make([]byte, 64)}
		d.data[0] = byte(i)
		list = append(list, d)
	}
	s := newWriter(128, list, 5)
	slow := link.DefaultConfig()
	slow.Generation, slow.Lanes = 1, 1
	r := newHost(t, 0, s, slow)
	r.until(func() bool { return s.ended == len(list) })
	require.Equal(t, 32, s.most)
	require.Greater(t, s.stalled, 1000)
	require.NoError(t, r.k.RunTo(r.k.Now()+2*des.Microsecond))
	for i, d := range list {
		var b [1]byte
		require.NoError(t, r.memory.Read(d.addr, b[:]))
		require.EqualValues(t, i, b[0])
	}
}

func TestImpossibleWrite(t *testing.T) {
	list := []*descriptor{{addr: 1 << 20, size: 4, data: []byte("text")}, {addr: ^uint64(3), size: 64, data: make([]byte, 64)}}
	s := newWriter(128, list, 1)
	r := newHost(t, 0, s, link.DefaultConfig())
	r.until(func() bool { return s.ended == 2 })
	require.Zero(t, list[0].code)
	require.EqualValues(t, link.UnsupportedRequest, list[1].code)
}

// TestBreachesStopTheCard: the error names the design's violation of the boundary's rules, not its
// consequences.
func TestBreachesStopTheCard(t *testing.T) {
	twice := newStub(128)
	twice.edge = func() error {
		twice.set("m_axis_read_desc_valid", 1)
		twice.set("m_axis_read_desc_dma_addr", 1<<20)
		twice.set("m_axis_read_desc_len", 64)
		twice.set("m_axis_read_desc_tag", 7)
		return nil
	}
	long := &descriptor{addr: 1 << 20, size: 20, data: make([]byte, 20)}
	early := newWriter(128, []*descriptor{long}, 1)
	early.spoil = func(w *writer) { w.set("m_axis_write_data_tlast", 1) }
	late := newWriter(128, []*descriptor{long}, 1)
	late.spoil = func(w *writer) { w.set("m_axis_write_data_tlast", 0) }
	failing := newStub(128)
	failing.edge = func() error {
		if failing.cycle == 9 {
			return errors.New("assertion failed")
		}
		return nil
	}
	for _, c := range []struct {
		s    *stub
		want string
	}{
		{twice, "accelerator in cycle 6: read descriptor 7 began while another with its tag was open"},
		{early.stub, "accelerator in cycle 10: write descriptor 0: tlast is true after 16 of 20 bytes"},
		{late.stub, "accelerator in cycle 11: write descriptor 0: tlast is false after 20 of 20 bytes"},
		{failing, "cycle: assertion failed"},
	} {
		r := newHost(t, 0, c.s, link.DefaultConfig())
		require.NoError(t, r.k.Run(func() bool { return r.card.Err() != nil }))
		require.EqualError(t, r.card.Err(), c.want)
		stopped := c.s.cycle
		require.NoError(t, r.k.Run(nil), "the clock sleeps")
		require.LessOrEqual(t, c.s.cycle, stopped+1)
	}
}

// TestInterrupts: each request causes one interrupt, however long the acknowledgement takes.
func TestInterrupts(t *testing.T) {
	s := newStub(128)
	acks := 0
	s.edge = func() error {
		if s.high("irq_req") && s.high("irq_ack") {
			acks++
			s.set("irq_req", 0)
		} else if s.cycle%20 == 0 && acks < 3 {
			s.set("irq_req", 1)
		}
		return nil
	}
	r := newHost(t, 0, s, link.DefaultConfig())
	require.NoError(t, r.EnableVector(0))
	r.until(func() bool { return s.cycle == 200 })
	require.NoError(t, r.k.RunTo(r.k.Now()+2*des.Microsecond))
	require.Equal(t, 3, acks)
	require.Equal(t, 3, r.fired)
}

// TestInterruptBehindData: the interrupt does not overtake earlier writes.
func TestInterruptBehindData(t *testing.T) {
	d := &descriptor{addr: 1 << 20, size: 4096, data: make([]byte, 4096)}
	d.data[4095] = 9
	s := newWriter(128, []*descriptor{d}, 1)
	s.spoil = func(w *writer) {
		if w.ended == 1 {
			w.set("irq_req", 1)
		}
	}
	slow := link.DefaultConfig()
	slow.Generation, slow.Lanes = 1, 1
	r := newHost(t, 0, s, slow)
	require.NoError(t, r.EnableVector(0))
	r.until(func() bool { return r.fired > 0 })
	var last [1]byte
	require.NoError(t, r.memory.Read(d.addr+4095, last[:]))
	require.EqualValues(t, 9, last[0])
}

func TestDeadlockReport(t *testing.T) {
	s := newReader(128, []*descriptor{{addr: 1 << 20, size: 64}}, 1)
	r := newHost(t, 0, s, link.DefaultConfig())
	straps := link.DefaultStraps()
	straps.BusMaster = false
	require.NoError(t, r.card.Endpoint().SetStraps(straps))
	r.until(func() bool { return s.issued == 1 })
	s.quiet = true
	err := r.k.Run(func() bool { return false })
	require.ErrorIs(t, err, des.ErrDeadlock)
	require.ErrorContains(t, err, "accelerator: 1 read and 0 write descriptors open")
}

func TestBadEndpoint(t *testing.T) {
	cfg := link.DefaultEndpointConfig()
	cfg.CompletionTimeout = 0
	_, err := cycle.New(des.NewKernel(), newStub(128), period, cfg)
	require.EqualError(t, err, "link: completion timeout 0s, expected above 0")
}
