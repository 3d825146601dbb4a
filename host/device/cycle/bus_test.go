package cycle_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// slave is a stub with registers behind AXI4-Lite that answers after random delays. Registers from
// 0x100 on do not exist.
type slave struct {
	*stub
	rng        *rand.Rand
	regs       map[uint64]uint64
	addr, data []uint64 // of the write in flight
	strobe     uint64
	read       []uint64
	delay      int
	writes     int
	before     [3]uint64 // offered in the previous cycle
	held       [3]bool   // and not taken
	bad        string
}

func newSlave(seed uint64) *slave {
	s := &slave{stub: newStub(128), rng: rand.New(rand.NewPCG(seed, 7)), regs: map[uint64]uint64{}}
	s.edge = s.run
	s.quiet = true // except for the bus, which the card checks itself
	return s
}

func (s *slave) run() error {
	s.stable()
	took := func(ch string) bool { return s.high("s_axil_"+ch+"valid") && s.high("s_axil_"+ch+"ready") }
	if took("aw") {
		s.addr = append(s.addr, s.get("s_axil_awaddr"))
	}
	if took("w") {
		s.data, s.strobe = append(s.data, s.get("s_axil_wdata")), s.get("s_axil_wstrb")
	}
	if took("ar") {
		s.read = append(s.read, s.get("s_axil_araddr"))
		s.delay = s.rng.IntN(4)
	}
	if took("b") {
		s.addr, s.data = nil, nil
		s.writes++
	}
	if took("r") {
		s.read = nil
	}
	if len(s.addr) > 1 || len(s.data) > 1 || len(s.read) > 1 {
		s.bad = "an access was offered twice"
	}
	for _, ch := range []string{"aw", "w", "ar"} {
		s.set("s_axil_"+ch+"ready", uint64(s.rng.IntN(2)))
	}
	s.answer()
	return nil
}

// stable checks that offers remain stable until they are taken.
func (s *slave) stable() {
	for i, ch := range [3][2]string{{"aw", "awaddr"}, {"w", "wdata"}, {"ar", "araddr"}} {
		valid, now := s.high("s_axil_"+ch[0]+"valid"), s.get("s_axil_"+ch[1])
		if s.held[i] && (!valid || now != s.before[i]) {
			s.bad = "what " + ch[1] + " offered changed before it was taken"
		}
		s.before[i], s.held[i] = now, valid && !s.high("s_axil_"+ch[0]+"ready")
	}
}

func (s *slave) answer() {
	s.set("s_axil_bvalid", 0)
	s.set("s_axil_rvalid", 0)
	if len(s.addr) == 1 && len(s.data) == 1 {
		s.set("s_axil_bvalid", 1)
		if s.strobe == 15 {
			s.regs[s.addr[0]] = s.data[0]
		}
	}
	if len(s.read) == 1 {
		if s.delay--; s.delay <= 0 {
			s.set("s_axil_rvalid", 1)
			s.set("s_axil_rdata", s.regs[s.read[0]])
			s.set("s_axil_rresp", 0)
			if s.read[0] >= 0x100 {
				s.set("s_axil_rresp", 2) // SLVERR
			}
		}
	}
}

// TestBusOrder: a read observes all earlier writes. Later writes may overtake the read, because
// they are posted.
func TestBusOrder(t *testing.T) {
	for seed := range uint64(20) {
		s := newSlave(seed)
		r := newHost(t, 0, s, link.DefaultConfig())
		base := r.card.Endpoint().BAR().Base
		rng := rand.New(rand.NewPCG(seed, 8))
		last := map[uint64]uint32{} // values written to a register, strictly increasing
		writes, reads := uint32(0), 0
		for range 60 {
			reg := 4 * uint64(rng.IntN(4))
			if rng.IntN(2) == 0 {
				writes++
				last[reg] = writes
				require.NoError(t, r.Write32(reg, writes))
				continue
			}
			least := last[reg]
			require.NoError(t, r.rc.ReadAsync(base+reg, 4, func(b []byte, err error) {
				reads++
				require.NoError(t, err)
				require.GreaterOrEqual(t, binary.LittleEndian.Uint32(b), least)
			}))
		}
		for reg, want := range last {
			got, err := r.Read32(reg)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		require.Empty(t, s.bad)
		require.EqualValues(t, writes, s.writes)
		require.Positive(t, reads)
	}
}

// TestBusErrors accesses missing registers within and beyond the bus's addresses.
func TestBusErrors(t *testing.T) {
	s := newSlave(1)
	r := newHost(t, 0, s, link.DefaultConfig())
	for _, offset := range []uint64{0x104, 0x1000, 0x7ffc} {
		require.NoError(t, r.Write32(offset, 1), "posted")
		v, err := r.Read32(offset)
		var failed *link.AccessError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, link.UnsupportedRequest, failed.Code)
		require.EqualValues(t, 0xffffffff, v)
	}
	require.NotContains(t, s.regs, uint64(0), "0x1000 is not 0 again")
	require.NoError(t, r.Write32(8, 77))
	v, err := r.Read32(8)
	require.NoError(t, err)
	require.EqualValues(t, 77, v)
}

// TestRegistersOfTheAccelerator repeats TestBusOrder with the real accelerator.
func TestRegistersOfTheAccelerator(t *testing.T) {
	r := newHost(t, 0, engine(t), link.DefaultConfig())
	regs := []uint64{arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRCQBaseLo, arch.CSRCQBaseHi}
	bits := map[uint64]uint32{arch.CSRSQBaseLo: 0xffffffc0, arch.CSRSQBaseHi: 0xffffffff, arch.CSRCQBaseLo: 0xffffffe0, arch.CSRCQBaseHi: 0xffffffff}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		want := map[uint64]uint32{}
		for range 1 + rng.IntN(8) {
			reg := regs[rng.IntN(len(regs))]
			want[reg] = rng.Uint32()
			require.NoError(t, r.Write32(reg, want[reg]))
		}
		for _, reg := range regs {
			if w, ok := want[reg]; ok {
				got, err := r.Read32(reg)
				require.NoError(t, err)
				require.Equal(t, w&bits[reg], got)
			}
		}
	}
	for _, offset := range []uint64{0x2c, 0xb0, 0xffc, 0x1000} {
		_, err := r.Read32(offset)
		require.EqualError(t, err, (&link.AccessError{Addr: 0xfe000000 + offset, Size: 4, Code: link.UnsupportedRequest}).Error())
	}
}
