package trace_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const bar, ring = 0xfe000000, 0x10000

// FuzzTrace: a capture with arbitrary TLPs can be analyzed. The input is a sequence of TLPs. A byte
// before each TLP contains its direction and, times 4, its length. The rings are set up before.
func FuzzTrace(f *testing.F) {
	var seed []byte
	id := pcie.NewID(1, 0, 0)
	fetch := pcie.NewRead(id, 1, ring, arch.CommandBytes)
	entry := pcie.NewCompletion(fetch, 0, ring, arch.CommandBytes, arch.CommandBytes)
	for i, t := range []*pcie.TLP{
		pcie.NewWrite(0, bar+arch.CSRSQTail, []byte{1, 0, 0, 0}), fetch, entry,
		pcie.NewWrite(id, 2*ring, make([]byte, arch.CompletionBytes)), pcie.NewRead(0, 1, bar, 4),
	} {
		b, err := t.AppendTo(nil)
		require.NoError(f, err)
		seed = append(append(seed, byte(len(b)/4<<1|i&1)), b...)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		var file bytes.Buffer
		w, err := capture.NewWriter(&file, "accelerator")
		require.NoError(t, err)
		w.Function(capture.Function{ID: id, BAR: link.Window{Base: bar, Size: 0x10000}, MSIXOffset: 0x8000})
		for _, at := range []struct{ csr, value uint64 }{{arch.CSRSQBaseLo, ring}, {arch.CSRSQLog2, 15}, {arch.CSRCQBaseLo, 2 * ring}, {arch.CSRCQLog2, 4}} {
			w.TLP(link.Down, 0, 0, pcie.NewWrite(0, bar+at.csr, []byte{byte(at.value), byte(at.value >> 8), byte(at.value >> 16), 0}))
		}
		for time := des.Time(1); len(data) > 0; time++ {
			dir, n := link.Direction(data[0]&1), int(data[0]>>1)*4
			data = data[1:]
			n = min(n, len(data))
			if p, err := pcie.Decode(data[:n]); err == nil {
				w.TLP(dir, time, 0, &p)
			}
			data = data[n:]
		}
		require.NoError(t, w.Close())
		x, err := trace.Read(&file)
		require.NoError(t, err)
		require.NoError(t, x.Summary(10).Print(io.Discard))
		trace.Lines(x.Select(trace.Filter{Addresses: &trace.Range{Last: ring}}))
		for _, c := range x.Commands {
			if way, err := x.Follow(c.ID); err == nil {
				require.NoError(t, way.Print(io.Discard))
			}
		}
	})
}
