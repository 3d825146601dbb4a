package capture_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/pcie/pcietest"
)

// function is the function in all captures of the tests.
var function = capture.Function{ID: pcie.NewID(1, 0, 0), BAR: link.Window{Base: 0xfe000000, Size: 0x10000}, MSIXOffset: 0x8000}

// written returns the capture that write creates.
func written(t *testing.T, write func(w *capture.Writer)) []byte {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(t, err)
	w.Function(function)
	write(w)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// packets reads a whole capture.
func packets(file []byte) ([]capture.Packet, error) {
	r, err := capture.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	var list []capture.Packet
	for {
		p, err := r.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, p)
	}
}

// mixed returns a capture of n TLPs and comments, and its packets.
func mixed(t *testing.T, seed uint64, n int) ([]byte, []capture.Packet) {
	rng := rand.New(rand.NewPCG(seed, 1))
	list := []capture.Packet{{Header: capture.Header{Kind: capture.KindFunction}, Function: function}}
	file := written(t, func(w *capture.Writer) {
		var at des.Time
		for range n {
			at += des.Time(rng.IntN(3000))
			h := capture.Header{Dir: link.Direction(rng.IntN(2)), Time: at, Flags: capture.Flags(rng.IntN(8))}
			if rng.IntN(10) == 0 {
				h.Kind, h.Flags = capture.KindComment, 0
				w.Comment(h.Dir, at, "a comment, µ")
				list = append(list, capture.Packet{Header: h, Comment: "a comment, µ"})
				continue
			}
			if rng.IntN(10) == 0 {
				h.Kind, h.Flags = capture.KindDelay, 0
				late := des.Time(1) << rng.IntN(61)
				w.Delay(h.Dir, at, late)
				list = append(list, capture.Packet{Header: h, Delay: late})
				continue
			}
			p := pcietest.Random(rng, 1024)
			w.TLP(h.Dir, at, h.Flags, p)
			list = append(list, capture.Packet{Header: h, TLP: *p})
		}
	})
	return file, list
}
