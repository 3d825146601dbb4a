package pcie

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnablesExhaustive compares byte enables with a bit per byte.
func TestEnablesExhaustive(t *testing.T) {
	for addr := range uint64(16) {
		for n := range 70 {
			first, last := Enables(addr, n)
			lead := addr & 3
			length := DWs(addr, n)
			mask := make([]bool, 4*length)
			for i := range n {
				mask[int(lead)+i] = true
			}
			nibble := func(dw int) (v uint8) {
				for i := range 4 {
					if mask[4*dw+i] {
						v |= 1 << i
					}
				}
				return v
			}
			require.Equal(t, nibble(0), first, "%d+%d", addr, n)
			if length == 1 {
				require.Zero(t, last)
			} else {
				require.Equal(t, nibble(length-1), last, "%d+%d", addr, n)
			}
			x := NewRead(0, 0, addr, n)
			require.NoError(t, x.Check(0, 0))
			start, size := x.Span()
			if n == 0 {
				require.Equal(t, []any{addr &^ 3, 1}, []any{start, size}, "a flush counts as one byte")
			} else {
				require.Equal(t, []any{addr, n}, []any{start, size})
			}
		}
	}
}

// TestRunsExhaustive checks the runs of every combination of enables of one DW and of an aligned
// quadword.
func TestRunsExhaustive(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	for be := range 256 {
		x := &TLP{Kind: MWr, Addr: 0x1000, Length: 2, FirstBE: uint8(be & 15), LastBE: uint8(be >> 4), Data: data}
		if x.LastBE == 0 {
			x.Length, x.Data = 1, data[:4]
		} else if x.FirstBE == 0 {
			require.ErrorIs(t, x.Check(0, 0), ErrMalformed)
			continue
		}
		require.NoError(t, x.Check(0, 0))
		got := map[uint64]byte{}
		for addr, b := range x.Runs() {
			require.NotEmpty(t, b)
			for i := range b {
				got[addr+uint64(i)] = b[i]
			}
		}
		want := map[uint64]byte{}
		for i := range 8 {
			if be>>i&1 != 0 {
				want[0x1000+uint64(i)] = data[i]
			}
		}
		require.Equal(t, want, got, "%08b", be)
	}
	for addr := uint64(0x1000); addr < 0x1008; addr++ {
		for n := range 20 {
			runs := 0
			for a, b := range NewWrite(0, addr, make([]byte, n)).Runs() {
				require.Equal(t, []any{addr, n}, []any{a, len(b)})
				runs++
			}
			require.Equal(t, min(n, 1), runs, "%#x+%d", addr, n)
		}
	}
}

func TestCheck(t *testing.T) {
	rd := func(addr uint64, length int, first, last uint8) *TLP {
		return &TLP{Kind: MRd, Addr: addr, Length: length, FirstBE: first, LastBE: last}
	}
	for _, c := range []struct {
		tlp  *TLP
		want string
	}{
		{rd(0xff0, 4, 15, 15), ""},
		{rd(0xff4, 4, 15, 15), "MRd of 16 bytes at 0xff4 crosses a 4 KiB boundary"},
		{rd(0, 129, 15, 15), "MRd of 516 bytes, expected at most 512"},
		{rd(0, 1, 5, 0), ""},
		{rd(0, 1, 15, 1), "one DW has last byte enables 0001"},
		{rd(0, 2, 15, 0), "expected both to be set"},
		{rd(0, 2, 5, 10), ""},
		{rd(4, 2, 5, 15), "first byte enables 0101, expected no hole"},
		{rd(4, 3, 7, 15), "first byte enables 0111"},
		{rd(4, 3, 15, 14), "last byte enables 1110"},
		{NewWrite(0, 0, make([]byte, 256)), ""},
		{NewWrite(0, 0, make([]byte, 260)), "MWr with 260 bytes of payload, expected at most 256"},
		{NewWrite(0, 3, make([]byte, 255)), "MWr with 260 bytes"},
		{&TLP{Kind: CplD, Length: 2, ByteCount: 5, LowerAddr: 3}, ""},
		{&TLP{Kind: CplD, Length: 2, ByteCount: 4, LowerAddr: 4}, "CplD of 2 DWs for 4 bytes owed at lower address 0x4, expected at most 1 DWs"},
	} {
		err := c.tlp.Check(256, 512)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ErrMalformed)
		require.ErrorContains(t, err, c.want)
	}
}

func TestOrderingTable(t *testing.T) {
	one := []*TLP{
		{Kind: MWr, Requester: 1},
		{Kind: MRd, Requester: 1, Tag: 1},
		{Kind: CplD, Requester: 9, Tag: 1, Completer: 1},
	}
	want := [3][3]Passing{ // row passes column
		{MustNot, Must, May},
		{MustNot, May, May},
		{MustNot, Must, May},
	}
	for r, row := range one {
		for c, col := range one {
			later := *row
			later.Tag += 100 // another transaction
			require.Equal(t, want[r][c], MayPass(&later, col), "%v after %v", row.Kind, col.Kind)
		}
	}
	msg := &TLP{Kind: Msg}
	require.Equal(t, MustNot, MayPass(msg, one[0]), "messages are posted")

	same := *one[2]
	require.Equal(t, MustNot, MayPass(&same, one[2]), "completions of one read")
	other := *one[2]
	other.TC = 1
	require.Equal(t, May, MayPass(&other, one[0]), "another traffic class")

	for _, c := range []struct {
		later TLP
		want  Passing
	}{
		{TLP{Kind: MWr, Requester: 1, Attr: RelaxedOrdering}, May},
		{TLP{Kind: CplD, Completer: 1, Attr: RelaxedOrdering}, May},
		{TLP{Kind: MRd, Requester: 1, Attr: RelaxedOrdering}, MustNot},
		{TLP{Kind: MRd, Requester: 1, Attr: IDOrdering}, MustNot},
		{TLP{Kind: MRd, Requester: 2, Attr: IDOrdering}, May},
		{TLP{Kind: MWr, Requester: 2, Attr: IDOrdering}, May},
		{TLP{Kind: Cpl, Completer: 2, Requester: 1, Attr: IDOrdering}, May},
		{TLP{Kind: Cpl, Completer: 1, Requester: 2, Attr: IDOrdering}, MustNot},
	} {
		require.Equal(t, c.want, MayPass(&c.later, one[0]), "%+v", c.later)
	}
}

func TestCredits(t *testing.T) {
	for n, want := range map[int]int{4: 1, 16: 1, 20: 2, 64: 4, 256: 16} {
		require.Equal(t, want, NewWrite(0, 0, make([]byte, n)).DataCredits())
	}
	require.Zero(t, NewRead(0, 0, 0, 4096).DataCredits())
}

// TestCRCVectors checks two TLPs captured on real hardware, test vectors of an independent
// implementation, and digests computed by an independent dissector.
func TestCRCVectors(t *testing.T) {
	wire := func(crc uint32) string {
		return fmt.Sprintf("%02x%02x%02x%02x", byte(crc), byte(crc>>8), byte(crc>>16), byte(crc>>24))
	}
	require.Equal(t, "fa26064b", wire(LCRC(5, unhex(t, "33000000 00000019 00000000 00000000"))))
	require.Equal(t, "dbacc7b1", wire(LCRC(4, unhex(t, "35000000 0000001b 00000000 00000000"))))
	require.Equal(t, uint32(0xd1bb79c7), LCRC(0, make([]byte, 12)))
	require.Equal(t, LCRC(5, nil), LCRC(0x1005, nil), "the sequence number has 12 bits")

	for in, want := range map[string]uint16{
		"00000004": 0x0c37, "00000005": 0x1796, "21000000": 0x5510, "24000000": 0x0c93,
		"80040067": 0xb85a, "8004c180": 0x3ab7, "00000000": 0x62b3,
	} {
		require.Equal(t, want, DLLPCRC([4]byte(unhex(t, in))), in)
	}

	for in, want := range map[string]uint32{
		"20008010 010007ff 00000001 00001000": 0x64b57fcc,
		"40008001 0100000f fee00000 21000000": 0xc6220622,
		"4000c001 0100000f fee00000 21000000": 0xc6220622, // poisoned: EP is not covered
	} {
		b := unhex(t, in)
		require.Equal(t, want, ECRC(b), in)
		x, err := Decode(append(b, 0, 0, 0, 0))
		require.NoError(t, err)
		require.Equal(t, want, x.ECRC())
		x.TD = false
		require.Equal(t, want, x.ECRC(), "the digest is that of the packet with TD set")
	}
}

// TestECRCCoversEachBit flips each bit of a packet with a digest. The digest no longer matches,
// unless a switch may change the bit.
func TestECRCCoversEachBit(t *testing.T) {
	packet := append(unhex(t, "60008004 010007ff 00000012 34567890"), "sixteen bytes..."...)
	good := ECRC(packet)
	for i := range 8 * len(packet) {
		packet[i/8] ^= 1 << (i % 8)
		if i/8 < 4 && variant[i/8]>>(i%8)&1 != 0 {
			require.Equal(t, good, ECRC(packet), "bit %d", i)
		} else {
			require.NotEqual(t, good, ECRC(packet), "bit %d", i)
		}
		packet[i/8] ^= 1 << (i % 8)
	}
	require.Equal(t, [4]byte{0x01, 0x00, 0x40, 0x00}, variant, "bit 0 of Type, and EP")
}

// TestRates checks rates and efficiencies of a Gen3 link, in GB/s as published for x16.
func TestRates(t *testing.T) {
	require.InDelta(t, 15.754e9, Gen(3).BytesPerSecond(16), 1e6)
	require.InDelta(t, 7.877e9, Gen(3).BytesPerSecond(8), 1e6)
	require.InDelta(t, 250e6, Gen(1).BytesPerSecond(1), 1)
	require.InDelta(t, 8e9, Gen(2).BytesPerSecond(16), 1)
	require.InDelta(t, 63.015e9, Gen(5).BytesPerSecond(16), 1e6)
	require.Panics(t, func() { Gen(6).ByteTime(16) })

	for _, c := range []struct {
		payload   int
		high, low float64 // header of 4 and of 3 DWs, raw
	}{
		{4, 2.25, 2.63}, {16, 6.30, 7.00}, {32, 9.00, 9.69}, {64, 11.46, 12.00},
		{128, 13.27, 13.62}, {256, 14.40, 14.61}, {512, 15.05, 15.16},
	} {
		rate := func(addr uint64) float64 {
			x := NewWrite(0, addr, make([]byte, c.payload))
			return 1e-9 * Gen(3).BytesPerSecond(16) * float64(c.payload) / float64(x.WireLen())
		}
		require.InDelta(t, c.high, rate(1<<32), 0.006)
		require.InDelta(t, c.low, rate(0), 0.006)
	}
	require.InDelta(t, 13.96/15.754, TLPShare(16, 128), 1e-4)
	require.InDelta(t, 14.33/15.754, TLPShare(16, 4096), 1e-4)
	require.InDelta(t, 7.24/7.877, TLPShare(8, 256), 1e-4)
}
