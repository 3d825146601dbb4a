package pcie

import (
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	require.NoError(t, err)
	return b
}

// Headers written by hand according to the layout of the specification.
var encodings = []struct {
	name, bytes, text string
	tlp               TLP
}{
	{
		"32-bit write", "40000001 0000000f fe000010 78563412", "MWr 00:00.0 tag=000 @fe000010 len=1 be=0f",
		TLP{Kind: MWr, Length: 1, FirstBE: 15, Addr: 0xfe000010, Data: []byte{0x78, 0x56, 0x34, 0x12}},
	},
	{
		"64-bit read with a 10-bit tag", "20800010 0100a7ff 00000001 00001000", "MRd 01:00.0 tag=2a7 @0000000100001000 len=16 be=ff",
		TLP{Kind: MRd, Length: 16, Requester: 0x100, Tag: 0x2a7, FirstBE: 15, LastBE: 15, Addr: 0x1_0000_1000},
	},
	{
		"read with a digest", "20008010 010007ff 00000001 00001000 cc7fb564", "MRd 01:00.0 tag=007 @0000000100001000 len=16 be=ff",
		TLP{Kind: MRd, Length: 16, Requester: 0x100, Tag: 7, FirstBE: 15, LastBE: 15, Addr: 0x1_0000_1000, TD: true, Digest: 0x64b57fcc},
	},
	{
		"completion with data", "4a602001 00080044 0208ff3c aabbccdd", "CplD 00:01.0>02:01.0 tag=0ff SC bc=68 la=3c len=1",
		TLP{Kind: CplD, TC: 6, Attr: RelaxedOrdering, Length: 1, Completer: 8, ByteCount: 68, Requester: 0x208, Tag: 255, LowerAddr: 0x3c, Data: []byte{0xaa, 0xbb, 0xcc, 0xdd}},
	},
	{
		"failed completion", "0a080000 00003000 01008700", "Cpl 00:00.0>01:00.0 tag=187 UR bc=4096 la=00 len=0",
		TLP{Kind: Cpl, Tag: 0x187, Requester: 0x100, Status: UR, BCM: true, ByteCount: 4096},
	},
	{
		"poisoned 1024-DW write, all attributes", "604c7c00 ffff00ff ffffffff fffff000" + strings.Repeat("5a", 4096), "MWr ff:1f.7 tag=100 @fffffffffffff000 len=1024 be=ff [EP]",
		TLP{
			Kind: MWr, TC: 4, Attr: 7, AT: 3, EP: true, Length: 1024, Requester: 0xffff, Tag: 0x100, FirstBE: 15, LastBE: 15,
			Addr: 0xffff_ffff_ffff_f000, Data: []byte(strings.Repeat("Z", 4096)),
		},
	},
	{
		"broadcast message", "33000000 00000019 00000000 00000000", "Msg 00:00.0 tag=000 code=19 route=3 len=0",
		TLP{Kind: Msg, Route: Broadcast, Code: MsgPMETurnOff},
	},
	{
		"message with data", "74000001 01000050 11223344 55667788 01020304", "MsgD 01:00.0 tag=000 code=50 route=4 len=1",
		TLP{Kind: MsgD, Route: Local, Code: MsgSlotPowerLimit, Requester: 0x100, Addr: 0x1122334455667788, Length: 1, Data: []byte{1, 2, 3, 4}},
	},
	{
		"configuration read", "04000001 0000aa0f 01000010", "CfgRd0 00:00.0>01:00.0 tag=0aa @010 be=f",
		TLP{Kind: CfgRd0, Length: 1, Tag: 0xaa, FirstBE: 15, Completer: 0x100, Addr: 0x10},
	},
	{
		"configuration write, of a byte in the upper part", "44000001 00080504 020f0ffc 11223344", "CfgWr0 00:01.0>02:01.7 tag=005 @ffc be=4",
		TLP{Kind: CfgWr0, Length: 1, Requester: 8, Tag: 5, FirstBE: 4, Completer: 0x20f, Addr: 0xffc, Data: []byte{0x11, 0x22, 0x33, 0x44}},
	},
	{
		"configuration requests of type 1", "05000001 00000001 05000100", "CfgRd1 00:00.0>05:00.0 tag=000 @100 be=1",
		TLP{Kind: CfgRd1, Length: 1, FirstBE: 1, Completer: 0x500, Addr: 0x100},
	},
	{
		"configuration write of type 1", "45000001 00000000 05000004 00000000", "CfgWr1 00:00.0>05:00.0 tag=000 @004 be=0",
		TLP{Kind: CfgWr1, Length: 1, Completer: 0x500, Addr: 4, Data: []byte{0, 0, 0, 0}},
	},
}

func TestEncodings(t *testing.T) {
	for _, c := range encodings {
		t.Run(c.name, func(t *testing.T) {
			want := unhex(t, c.bytes)
			got, err := c.tlp.AppendTo(nil)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, len(want), c.tlp.Len())
			back, err := Decode(want)
			require.NoError(t, err)
			require.Equal(t, c.tlp, back)
			require.Equal(t, c.text, back.String())
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ bytes, want string }{
		{"", "0 bytes, expected a header of at least 12"},
		{"000000010000", "6 bytes"},
		{"00000001 0000000f fe000010 00000000", "MRd: 16 bytes, expected 12 for a header of 12, a length of 1 DWs and TD=0"},
		{"20000001 0000000f 00000001", "MRd: 12 bytes, expected 16"},
		{"20000001 0000000f 00000000 fe000010", "header of 4 DWs for address 0xfe000010, expected 3 DWs below 4 GiB"},
		{"40000002 000000ff fe000010 00000000", "MWr: 16 bytes, expected 20"},
		{"00008001 0000000f fe000010", "expected 16 for a header of 12, a length of 1 DWs and TD=1"},
		{"00000001 0000000f fe000011", "processing hint 01"},
		{"00010001 0000000f fe000010", "LN and TH bits are 01"},
		{"02000001 0000000f 01000000", "unsupported first byte 0x02"},
		{"24000001 0000000f 01000000 00000000", "unsupported first byte 0x24"},
		{"04000001 0000000f 01001000", "CfgRd0: reserved bits of DW 2 are 0x1000, expected 0"},
		{"45000001 0000000f 01000002 00000000", "CfgWr1: reserved bits of DW 2 are 0x0002, expected 0"},
		{"44000001 0000000f 01000000", "CfgWr0: 12 bytes, expected 16"},
		{"2a000001 0000000f 01000000 00000000", "unsupported first byte 0x2a"},
		{"80000001 0000000f 01000000", "prefix"},
		{"0a000001 00002004 01000000", "Cpl: length 1, expected 0 without data"},
		{"0a000000 00002004 01000080", "reserved bit 7"},
	} {
		_, err := Decode(unhex(t, c.bytes))
		require.ErrorContains(t, err, c.want, c.bytes)
	}
}

func TestEncodeRefuses(t *testing.T) {
	ok := func() TLP { return *NewWrite(0x100, 0x1000, make([]byte, 8)) }
	for _, c := range []struct {
		spoil func(*TLP)
		want  string
	}{
		{func(x *TLP) { x.Kind = kinds }, "unknown kind Kind(10)"},
		{func(x *TLP) { x.Length = 3 }, "MWr: payload of 8 bytes, expected 12 for a length of 3 DWs"},
		{func(x *TLP) { x.Kind = MRd }, "MRd: payload of 8 bytes, expected 0"},
		{func(x *TLP) { x.Length, x.Data = 1025, make([]byte, 4100) }, "length 1025, expected 1 to 1024"},
		{func(x *TLP) { x.Length, x.Data = 0, nil }, "length 0, expected 1"},
		{func(x *TLP) { x.Tag = 1024 }, "tag 1024, expected 0 to 1023"},
		{func(x *TLP) { x.TC = 8 }, "traffic class 8"},
		{func(x *TLP) { x.Addr = 0x1002 }, "address 0x1002, expected a multiple of 4"},
		{func(x *TLP) { x.Kind, x.Addr = CfgWr0, 0x1000 }, "CfgWr0: register 0x1000, expected a multiple of 4 below 0x1000"},
		{func(x *TLP) { x.Kind, x.Addr = CfgWr1, 2 }, "CfgWr1: register 0x2, expected"},
		{func(x *TLP) { x.LastBE = 16 }, "last byte enables 16"},
		{func(x *TLP) { x.Kind, x.ByteCount = CplD, 0 }, "byte count 0, expected 1 to 4096"},
		{func(x *TLP) { x.Kind, x.ByteCount, x.LowerAddr = CplD, 8, 128 }, "lower address 128"},
		{func(x *TLP) { x.Kind, x.ByteCount, x.Status = CplD, 8, 8 }, "status 8"},
	} {
		x := ok()
		c.spoil(&x)
		_, err := x.AppendTo(nil)
		require.ErrorContains(t, err, c.want)
	}
}

// randomTLP returns any encodable TLP.
func randomTLP(rng *rand.Rand) TLP {
	t := TLP{
		Kind: Kind(rng.IntN(int(kinds))), TC: uint8(rng.IntN(8)), Attr: Attr(rng.IntN(8)), AT: uint8(rng.IntN(4)),
		EP: rng.IntN(4) == 0, TD: rng.IntN(3) == 0, Requester: ID(rng.Uint32()), Tag: uint16(rng.IntN(1024)),
	}
	if t.TD {
		t.Digest = rng.Uint32()
	}
	if t.Kind != Cpl && t.Kind != Msg {
		t.Length = 1 + rng.IntN([]int{4, 32, MaxLength}[rng.IntN(3)])
	}
	if t.Kind.HasData() {
		t.Data = make([]byte, 4*t.Length)
		for i := range t.Data {
			t.Data[i] = byte(rng.Uint32())
		}
	}
	switch t.Kind {
	case MRd, MWr:
		t.Addr = rng.Uint64() >> rng.IntN(60) &^ 3
		t.FirstBE, t.LastBE = uint8(rng.IntN(16)), uint8(rng.IntN(16))
	case Cpl, CplD:
		t.Completer, t.Status, t.BCM = ID(rng.Uint32()), Status(rng.IntN(8)), rng.IntN(2) == 0
		t.ByteCount, t.LowerAddr = 1+rng.IntN(4096), uint8(rng.IntN(128))
	case CfgRd0, CfgWr0, CfgRd1, CfgWr1:
		t.Completer, t.Addr = ID(rng.Uint32()), uint64(rng.IntN(1024))*4
		t.FirstBE, t.LastBE = uint8(rng.IntN(16)), uint8(rng.IntN(16))
	default:
		t.Addr, t.Route, t.Code = rng.Uint64(), uint8(rng.IntN(8)), uint8(rng.Uint32())
	}
	return t
}

func TestDecodeInvertsEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var buf []byte
	for range 30000 {
		want := randomTLP(rng)
		var err error
		buf, err = want.AppendTo(buf[:0])
		require.NoError(t, err)
		got, err := Decode(buf)
		require.NoError(t, err)
		if !equalTLP(want, got) {
			require.Equal(t, want, got)
		}
	}
}

// equalTLP compares TLPs faster than the reflection of require.Equal.
func equalTLP(a, b TLP) bool {
	same := string(a.Data) == string(b.Data)
	a.Data, b.Data = nil, nil
	type scalar struct {
		k                    Kind
		tc, at, fbe, lbe, la uint8
		attr                 Attr
		ep, td, bcm          bool
		digest               uint32
		length, bc           int
		req, cpl             ID
		tag                  uint16
		addr                 uint64
		st                   Status
		route, code          uint8
	}
	s := func(t TLP) scalar {
		return scalar{t.Kind, t.TC, t.AT, t.FirstBE, t.LastBE, t.LowerAddr, t.Attr, t.EP, t.TD, t.BCM, t.Digest,
			t.Length, t.ByteCount, t.Requester, t.Completer, t.Tag, t.Addr, t.Status, t.Route, t.Code}
	}
	return same && s(a) == s(b)
}

// TestEncodeInvertsDecode: AppendTo reproduces all input that Decode accepts. All other input is an
// error, and nothing panics.
func TestEncodeInvertsDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	firsts := []byte{0x00, 0x20, 0x40, 0x60, 0x0a, 0x4a, 0x30, 0x35, 0x70, 0x74, 0x04, 0x05, 0x44, 0x45}
	taken := 0
	for range 130000 {
		b := make([]byte, 4*rng.IntN(9))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		if len(b) >= 12 && rng.IntN(10) > 0 {
			b[0], b[1] = firsts[rng.IntN(len(firsts))], b[1]&0xfc
			b[2], b[3] = b[2]&0xfc, byte(rng.IntN(5))
		}
		x, err := Decode(b)
		if err != nil {
			continue
		}
		taken++
		again, err := x.AppendTo(nil)
		require.NoError(t, err)
		require.Equal(t, b, again)
	}
	require.Greater(t, taken, 2500)
}

func FuzzDecode(f *testing.F) {
	for _, c := range encodings {
		f.Add(unhex(f, c.bytes))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Decode(b)
		if err != nil {
			return
		}
		again, err := x.AppendTo(nil)
		require.NoError(t, err)
		require.Equal(t, b, again)
		_ = x.String()
		_ = x.Check(0, 0)
	})
}

func TestNames(t *testing.T) {
	require.Equal(t, "03:1f.7", NewID(3, 31, 7).String())
	require.Equal(t, ID(0x0100), NewID(1, 0, 0))
	require.Equal(t, "SC UR CRS CA Status(3)", strings.Join([]string{SC.String(), UR.String(), CRS.String(), CA.String(), Status(3).String()}, " "))
	require.Equal(t, "posted non-posted completion no class", strings.Join([]string{Posted.String(), NonPosted.String(), Completion.String(), Classes.String()}, " "))
}

func BenchmarkCodec(b *testing.B) {
	x := NewWrite(0x100, 0x1_0000_0000, make([]byte, 256))
	buf := make([]byte, 0, 512)
	b.ReportAllocs()
	for range b.N {
		buf, _ = x.AppendTo(buf[:0])
		if _, err := Decode(buf); err != nil {
			b.Fatal(err)
		}
	}
}
