package capture_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// coverage is the effect of a flipped bit on a reader.
type coverage int

const (
	refused coverage = iota // the file has an error
	shown                   // not redundant: the packet's content changes, or the file has an error
	ignored                 // no effect on the capture
)

// field is a part of a block.
type field struct {
	name     string
	from, to int // offsets in bytes
	coverage coverage
}

// packetFields lists the fields of a packet block with its header; the packet itself follows.
var packetFields = []field{
	{"type", 0, 4, refused}, // a packet of an unknown type is missing in the count
	{"length", 4, 8, refused},
	{"interface, a copy of the direction", 8, 12, refused},
	{"time in ns, a copy of the time", 12, 20, refused},
	{"length of the packet, with a copy", 20, 28, refused},
	{"magic number and version", 28, 30, refused},
	{"kind", 30, 31, shown},
	{"direction", 31, 32, refused},
	{"zero", 32, 34, refused},
	{"flags", 34, 36, shown},
	{"time in ps", 36, 44, shown}, // refused if the nanosecond changes
}

var statisticsFields = []field{
	{"type", 0, 4, refused}, // without its statistics, an interface has no end
	{"length", 4, 8, refused},
	{"interface", 8, 12, refused},
	{"time", 12, 20, ignored},
	{"number of packets", 24, 32, refused},
}

var interfaceFields = []field{
	{"type", 0, 4, refused},
	{"length", 4, 8, refused},
	{"link type", 8, 10, refused},
	{"zero, limit of lengths", 10, 16, ignored},
}

var sectionFields = []field{
	{"type", 0, 4, refused},
	{"length", 4, 8, refused},
	{"byte order", 8, 12, refused},
	{"version", 12, 16, refused},
	{"length of the section", 16, 24, ignored},
}

// blocks returns the offsets of the blocks by type.
func blocks(file []byte) map[uint32][]int {
	at := map[uint32][]int{}
	for i := 0; i < len(file); i += int(binary.LittleEndian.Uint32(file[i+4:])) {
		typ := binary.LittleEndian.Uint32(file[i:])
		at[typ] = append(at[typ], i)
	}
	return at
}

// TestEachBitOfBlocks flips each bit of the blocks of a capture and of a packet header, according
// to the tables above. A change of a field without redundancy is at least visible.
func TestEachBitOfBlocks(t *testing.T) {
	const time = 5_123_456_789 // ps; some bits change the picoseconds only
	file := written(t, func(w *capture.Writer) {
		w.TLP(link.Up, time, 0, pcie.NewRead(pcie.NewID(1, 0, 0), 1, 0x1000, 64))
		w.TLP(link.Down, 1<<62, capture.Injected, pcie.NewRead(pcie.NewID(1, 0, 0), 2, 0x1000, 64))
	})
	want, err := packets(file)
	require.NoError(t, err)
	at := blocks(file)
	for typ, fields := range map[uint32][]field{6: packetFields, 5: statisticsFields, 1: interfaceFields, 0x0a0d0d0a: sectionFields} {
		for _, block := range at[typ] {
			if typ == 6 && block == at[6][0] {
				continue // the function, at time 0
			}
			length := int(binary.LittleEndian.Uint32(file[block+4:]))
			for _, f := range append(fields, field{"length again", length - 4, length, refused}) {
				for bit := 8 * f.from; bit < 8*f.to; bit++ {
					damaged := bytes.Clone(file)
					damaged[block+bit/8] ^= 1 << (bit % 8)
					got, err := packets(damaged)
					switch f.coverage {
					case refused:
						require.Error(t, err, "block type %d, %s, bit %d", typ, f.name, bit-8*f.from)
					case shown:
						require.False(t, err == nil && equal(want, got), "block type %d, %s, bit %d", typ, f.name, bit-8*f.from)
					case ignored:
						require.True(t, err == nil && equal(want, got), "block type %d, %s, bit %d: %v", typ, f.name, bit-8*f.from, err)
					}
				}
			}
		}
	}
}

// TestEachBitOfATime flips each bit of a time in ps. The copy in ns detects every change that
// affects the nanoseconds.
func TestEachBitOfATime(t *testing.T) {
	const time = 5_123_456_789
	file := written(t, func(w *capture.Writer) {
		w.TLP(link.Up, time, 0, pcie.NewRead(pcie.NewID(1, 0, 0), 1, 0x1000, 64))
	})
	at := blocks(file)[6][1] + 36
	for bit := range 64 {
		damaged := bytes.Clone(file)
		damaged[at+7-bit/8] ^= 1 << (bit % 8)
		got, err := packets(damaged)
		if other := uint64(time) ^ 1<<bit; other/1000 == time/1000 {
			require.NoError(t, err, "bit %d", bit)
			require.Equal(t, des.Time(other), got[1].Time)
		} else {
			require.Error(t, err, "bit %d", bit)
		}
	}
}

func equal(a, b []capture.Packet) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Header != b[i].Header || a[i].Comment != b[i].Comment || a[i].Delay != b[i].Delay || a[i].Function != b[i].Function {
			return false
		}
	}
	return true
}
