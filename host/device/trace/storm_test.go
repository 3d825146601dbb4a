package trace_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/pcie/pcietest"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// scripts/fuzz passes larger values.
var (
	stormFiles = flag.Int("captures", 2_000, "random captures of TestRandomCaptures")
	stormSeed  = flag.Uint64("seed", 1, "their seed")
)

// TestRandomCaptures: a damaged, truncated or random capture is rejected, or can be summarized,
// listed, followed and, in every hundredth case, replayed. The part of a torn capture before the
// tear can also be used, except for a replay.
func TestRandomCaptures(t *testing.T) {
	rng := rand.New(rand.NewPCG(*stormSeed, 0))
	r, _ := run(t)
	whole := r.file.Bytes()
	short := beginning(t, whole, 60)
	refused, torn, read, random := 0, 0, 0, 0
	for i := range *stormFiles {
		var file []byte
		if i%4 == 0 {
			file = randomCapture(t, rng)
			random++
		} else {
			file = damaged(rng, [][]byte{short, short, short, whole}[rng.IntN(4)])
		}
		x, err := trace.Read(bytes.NewReader(file))
		if err != nil {
			require.NotZero(t, i%4, err)
			refused++
			if errors.As(err, new(*capture.TornError)) {
				torn++
				use(t, r, x, false)
			}
		} else {
			read++
			use(t, r, x, i%100 == 0)
		}
		if n := i + 1; n%100_000 == 0 {
			fmt.Printf("%d captures: %d of random TLPs, %d refused, %d read\n", n, random, refused, read)
		}
	}
	require.Positive(t, torn)
	require.Greater(t, refused, torn)
	require.Greater(t, read, random, "some of the damaged ones, too")
}

// beginning returns a capture of the first n packets of a capture.
func beginning(t *testing.T, file []byte, n int) []byte {
	c, err := capture.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(t, err)
	for range n {
		p, err := c.Next()
		require.NoError(t, err)
		if p.Kind == capture.KindFunction {
			w.Function(p.Function)
		} else {
			w.TLP(p.Dir, p.Time, p.Flags, &p.TLP)
		}
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// damaged returns a file with changed, lost or duplicated bytes, or a missing end. Half of the
// changes affect only packet contents, so that the file structure stays valid.
func damaged(rng *rand.Rand, file []byte) []byte {
	b := bytes.Clone(file)
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(b))
		switch rng.IntN(12) {
		case 0:
			b = b[:at+1]
		case 1:
			b = append(b[:at], b[min(len(b), at+4*rng.IntN(8)):]...)
		case 2:
			b = append(b[:at:at], b[max(0, at-4*rng.IntN(8)):]...)
		case 3:
			binary.LittleEndian.PutUint32(b[min(at&^3, len(b)-len(b)%4-4):], rng.Uint32()>>rng.IntN(32))
		case 4, 5:
			b[at] = byte(rng.Uint32())
		default:
			inPacket(rng, b)
		}
		if len(b) < 8 {
			break
		}
	}
	return b
}

// inPacket changes a bit after the block header of a packet, or the packet's length.
func inPacket(rng *rand.Rand, b []byte) {
	var list []int
	for at := 0; at+8 <= len(b); {
		n := int(binary.LittleEndian.Uint32(b[at+4:]))
		if n < 12 || at+n > len(b) {
			break
		}
		if binary.LittleEndian.Uint32(b[at:]) == 6 && n > 28+4 {
			list = append(list, at)
		}
		at += n
	}
	if len(list) == 0 {
		return
	}
	at := list[rng.IntN(len(list))]
	if rng.IntN(8) == 0 { // change both copies of the length
		length := rng.Uint32() >> rng.IntN(32)
		binary.LittleEndian.PutUint32(b[at+20:], length)
		binary.LittleEndian.PutUint32(b[at+24:], length)
		return
	}
	n := int(binary.LittleEndian.Uint32(b[at+4:]))
	b[at+28+rng.IntN(n-28-4)] ^= 1 << rng.IntN(8)
}

// randomCapture returns a capture with meaningless TLPs for a device that is set up.
func randomCapture(t *testing.T, rng *rand.Rand) []byte {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(t, err)
	e := server.DefaultConfig().Endpoint
	w.Function(capture.Function{ID: e.ID, BAR: e.BAR, MSIXOffset: e.MSIXOffset})
	for _, at := range []struct{ csr, value uint64 }{{arch.CSRSQBaseLo, ring}, {arch.CSRSQLog2, 15}, {arch.CSRCQBaseLo, 2 * ring}, {arch.CSRCQLog2, 4}} {
		w.TLP(link.Down, 0, 0, pcie.NewWrite(0, e.BAR.Base+at.csr, binary.LittleEndian.AppendUint32(nil, uint32(at.value))))
	}
	var at des.Time
	for range rng.IntN(20) {
		at += des.Time(rng.IntN(100_000))
		x := pcietest.Random(rng, 128)
		x.Tag, x.Requester = x.Tag%4, e.ID*pcie.ID(rng.IntN(2))
		if rng.IntN(4) > 0 && !x.Kind.IsConfig() {
			x.Addr = []uint64{e.BAR.Base, ring, 2 * ring}[rng.IntN(3)] + uint64(4*rng.IntN(64))
		}
		w.TLP(link.Direction(rng.IntN(2)), at, capture.Flags(rng.IntN(8)), x)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// use runs the operations of hotline trace on a trace.
func use(t *testing.T, r *harness, x *trace.Trace, replay bool) {
	require.NoError(t, x.Summary(10).Print(io.Discard))
	for _, l := range trace.Lines(x.Select(trace.Filter{})) {
		_ = l.String()
	}
	for _, c := range x.Commands {
		if way, err := x.Follow(c.ID); err == nil {
			require.NoError(t, way.Print(io.Discard))
		}
	}
	if replay {
		require.NoError(t, x.WriteHTML(io.Discard, "a capture"))
		_, _ = r.replay(x)
	}
}
