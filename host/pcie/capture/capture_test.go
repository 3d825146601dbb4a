package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/gopacket"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/pcie/pcietest"
)

func TestRoundTrip(t *testing.T) {
	file, want := mixed(t, 1, 2000)
	got, err := packets(file)
	require.NoError(t, err)
	require.Equal(t, want, got)
	again, _ := mixed(t, 1, 2000)
	require.Equal(t, file, again, "the same packets, the same bytes")
}

// TestLayers: gopacket.NewPacket decodes the layers, too.
func TestLayers(t *testing.T) {
	b := []byte{0xc1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9}
	tlp := pcie.NewWrite(pcie.NewID(1, 0, 0), 0x1234, []byte{1, 2, 3})
	b, err := tlp.AppendTo(b)
	require.NoError(t, err)
	p := gopacket.NewPacket(b, capture.LayerTypeHeader, gopacket.Default)
	require.Nil(t, p.ErrorLayer())
	require.Equal(t, *tlp, p.Layer(capture.LayerTypeTLP).(*capture.TLPLayer).TLP)
	p = gopacket.NewPacket(b[:len(b)-1], capture.LayerTypeHeader, gopacket.Default)
	require.ErrorContains(t, p.ErrorLayer().Error(), "15 bytes, expected 16")
}

// TestEveryCut: a file that is truncated anywhere is an error.
func TestEveryCut(t *testing.T) {
	file, _ := mixed(t, 2, 20)
	for n := range file {
		_, err := packets(file[:n])
		require.Error(t, err, "cut at %d of %d", n, len(file))
	}
}

// set returns a copy of a file with one word replaced.
func set(file []byte, at int, word uint32) []byte {
	out := bytes.Clone(file)
	binary.LittleEndian.PutUint32(out[at:], word)
	return out
}

// TestMistakes checks the message of each error. Blocks are found by their type.
func TestMistakes(t *testing.T) {
	file := written(t, func(w *capture.Writer) {
		w.TLP(link.Up, 1500, 0, pcie.NewRead(pcie.NewID(1, 0, 0), 1, 0x1000, 64))
		w.TLP(link.Up, 2500, 0, pcie.NewRead(pcie.NewID(1, 0, 0), 2, 0x1000, 64))
	})
	at := map[uint32][]int{}
	for i := 0; i < len(file); i += int(binary.LittleEndian.Uint32(file[i+4:])) {
		typ := binary.LittleEndian.Uint32(file[i:])
		at[typ] = append(at[typ], i)
	}
	section, description, first, second, end := 0, at[1][0], at[6][1], at[6][2], at[5][1]
	for _, c := range []struct {
		want string
		file []byte
	}{
		{"at byte 0: the file is empty", nil},
		{"at byte 0: 5 bytes of a block, expected 8: the file is cut off", file[:5]},
		{"block type 0x6c6c6548, expected a section header: this is not a pcapng file", []byte("Hell\x0c\x00\x00\x00\x0c\x00\x00\x00")},
		{"big-endian section", set(file, 4, 0x1c000000)},
		{"byte-order magic 0x1, expected 0x1a2b3c4d", set(file, section+8, 1)},
		{"pcapng version 1.1, expected 1.0", set(file, section+12, 1|1<<16)},
		{"link type 1, expected 147", set(file, description+8, 1)},
		{"of 6 bytes, expected a multiple of 4", set(file, first+4, 6)},
		{"bytes, expected a multiple of 4 from 12 to 65536", set(file, first+4, 1<<31)},
		{"ends with the length", set(file, second-4, 8)},
		{"interface 7, but there are 2", set(file, first+8, 7)},
		{"28 bytes of a packet of 33, expected all", set(file, first+24, 33)},
		{"expected at most", set(set(file, first+20, 1<<30), first+24, 1<<30)},
		{"direction up on interface 0", set(file, first+8, 0)},
		{"time 1.5ns in the header, but another one", set(file, first+16, 7)},
		{"packet header begins with 00 00, expected c1 01", set(file, first+28, 0)},
		{"packet of kind 9, expected 0 or 2 to 5", set(file, first+28, 0x000901c1|1<<24)},
		{"reserved bits that are set", set(file, first+32, 1)},
		{"decode", set(file, first+44, 0xff)},
		{"2 packets, but their number should be 3: some are lost", set(file, end+24, 3)},
		{"without the number of packets of interface 1", file[:end]},
		{"a second section", append(bytes.Clone(file), file...)},
		{"a block of interface 1 behind its end", append(bytes.Clone(file), file[first:second]...)},
		{"more than 2 interfaces", append(bytes.Clone(file), file[description:at[1][1]]...)},
		{"option 1 of 255 bytes", set(file, description+16, 1|255<<16)},
		{"resolution 6, expected 9", bytes.Replace(file, []byte{9, 0, 1, 0, 9}, []byte{9, 0, 1, 0, 6}, 1)},
		{"resolution -1, expected 9", bytes.Replace(file, []byte{9, 0, 1, 0, 9}, []byte{10, 0, 1, 0, 9}, 1)},
		{"time 1.5ns behind 2.5ns", slice(file, first, second, end)},
	} {
		_, err := packets(c.file)
		require.ErrorContains(t, err, c.want)
	}
}

// slice swaps two adjacent blocks.
func slice(file []byte, first, second, end int) []byte {
	third := second + (second - first)
	return bytes.Join([][]byte{file[:first], file[second:third], file[first:second], file[third:]}, nil)
}

// TestOtherBlocks: blocks of unknown types, as other programs write them, are skipped.
func TestOtherBlocks(t *testing.T) {
	file, want := mixed(t, 3, 5)
	other := []byte{4, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0}
	got, err := packets(append(bytes.Clone(file), other...))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestDamage: random damage is detected or only changes the contents of packets; no packet is lost.
func TestDamage(t *testing.T) {
	file, want := mixed(t, 4, 30)
	rng := rand.New(rand.NewPCG(4, 4))
	for range 20_000 {
		damaged := bytes.Clone(file)
		damaged[rng.IntN(len(file))] ^= byte(1 + rng.IntN(255))
		if got, err := packets(damaged); err == nil {
			require.Len(t, got, len(want))
		}
	}
}

// full is a full disk.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFullDisk(t *testing.T) {
	w, err := capture.NewWriter(full{}, "x")
	require.NoError(t, err, "it is in a buffer still")
	for range 1000 {
		w.TLP(link.Down, 0, 0, pcie.NewRead(0, 0, 0x1000, 64))
	}
	require.ErrorIs(t, w.Close(), errFull)
}

// TestComments checks TLPs that cannot be encoded, and long texts.
func TestComments(t *testing.T) {
	bad := pcie.NewRead(0, 0, 0x1000, 64)
	bad.Tag = 4000
	got, err := packets(written(t, func(w *capture.Writer) {
		w.TLP(link.Up, 5, 0, bad)
		w.Comment(link.Up, 5, strings.Repeat("µ", 1023))
	}))
	require.NoError(t, err)
	require.Equal(t, "a TLP that cannot be written: pcie: encode MRd: tag 4000, expected 0 to 1023", got[1].Comment)
	require.Equal(t, strings.Repeat("µ", 512), got[2].Comment)
}

// sink accepts all TLPs.
type sink struct{}

func (sink) Receive(p *link.Port, t *pcie.TLP) { p.Release(t) }

// TestInjected: an injection is described before its TLP and in the TLP's flags.
func TestInjected(t *testing.T) {
	k := des.NewKernel()
	down, _, err := link.Connect(k, link.DefaultConfig(), sink{}, sink{})
	require.NoError(t, err)
	n := 0
	file := written(t, func(w *capture.Writer) {
		capture.Record(down.Link(), w)
		down.Link().Inject(func(_ link.Direction, _ des.Time, t *pcie.TLP) link.Fate {
			n++
			switch n {
			case 2:
				t.EP = true
				t.Data[0] = 9 // in place
			case 3:
				return link.Fate{Drop: true, Cause: "a test"}
			case 4:
				return link.Fate{Delay: des.Microsecond}
			case 5:
				return link.Fate{Behind: []*pcie.TLP{pcie.NewRead(0, 1, 0x1000, 4)}, Cause: "another"}
			}
			return link.Fate{}
		})
		for i := range 6 {
			down.Send(pcie.NewWrite(0, uint64(i)*64, []byte{1, 2, 3, 4}), nil)
		}
		require.NoError(t, k.Run(func() bool { return k.Now() > 0 && n == 6 }))
	})
	got, err := packets(file)
	require.NoError(t, err)
	var list []string
	for _, p := range got {
		switch p.Kind {
		case capture.KindComment:
			list = append(list, p.Comment)
		case capture.KindDelay:
			list = append(list, fmt.Sprint(p.Delay))
		case capture.KindTLP:
			list = append(list, fmt.Sprintf("%v %d", p.TLP.Kind, p.Flags))
		}
	}
	require.Equal(t, []string{
		"MWr 0",
		"injected: changed from MWr 00:00.0 tag=000 @00000040 len=1 be=0f", "MWr 2",
		"injected: a test, dropped", "MWr 3",
		"1us", "MWr 2",
		"injected: another", "MWr 2", "injected: sent on purpose", "MRd 6",
		"MWr 0",
	}, list)
}

// FuzzRead: no file crashes the reader, and rewriting the packets that it reads gives the same
// packets.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(f, err)
	w.Function(function)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 8 {
		w.TLP(link.Direction(i&1), des.Time(i)*1000, 0, pcietest.Random(rng, 1024))
	}
	w.Comment(link.Up, 9000, "the end")
	require.NoError(f, w.Close())
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:100])
	f.Add([]byte("\x0a\x0d\x0d\x0a"))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, p := range first(packets(file)) {
			if p.Kind != capture.KindTLP {
				continue
			}
			again, err := p.TLP.AppendTo(nil)
			require.NoError(t, err)
			decoded, err := pcie.Decode(again)
			require.NoError(t, err)
			require.Equal(t, p.TLP, decoded)
		}
	})
}

func first(list []capture.Packet, _ error) []capture.Packet { return list }
