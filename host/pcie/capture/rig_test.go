package capture_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// function is that of the captures here.
var function = capture.Function{ID: pcie.NewID(1, 0, 0), BAR: link.Window{Base: 0xfe000000, Size: 0x10000}, MSIXOffset: 0x8000}

// written is a capture that write makes.
func written(t *testing.T, write func(w *capture.Writer)) []byte {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(t, err)
	w.Function(function)
	write(w)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// packets reads all of a capture.
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

// random is any TLP that can be encoded.
func random(rng *rand.Rand) *pcie.TLP {
	t := &pcie.TLP{
		Kind: pcie.Kind(rng.IntN(int(pcie.CfgWr1) + 1)),
		TC:   uint8(rng.IntN(8)), Attr: pcie.Attr(rng.IntN(8)), AT: uint8(rng.IntN(4)), EP: rng.IntN(4) == 0,
		Requester: pcie.ID(rng.Uint32()), Tag: uint16(rng.IntN(pcie.MaxTag + 1)),
	}
	if t.Kind != pcie.Cpl && t.Kind != pcie.Msg {
		t.Length = 1 + rng.IntN(1<<rng.IntN(11))
	}
	if t.Kind.HasData() {
		t.Data = make([]byte, 4*t.Length)
		for i := range t.Data {
			t.Data[i] = byte(rng.Uint32())
		}
	}
	switch t.Kind {
	case pcie.MRd, pcie.MWr:
		t.Addr, t.FirstBE, t.LastBE = rng.Uint64()>>rng.IntN(60)&^3, uint8(rng.IntN(16)), uint8(rng.IntN(16))
	case pcie.CfgRd0, pcie.CfgWr0, pcie.CfgRd1, pcie.CfgWr1:
		t.Completer, t.Addr, t.FirstBE, t.LastBE = pcie.ID(rng.Uint32()), uint64(rng.IntN(1024))*4, uint8(rng.IntN(16)), uint8(rng.IntN(16))
	case pcie.Cpl, pcie.CplD:
		t.Completer, t.Status, t.BCM = pcie.ID(rng.Uint32()), pcie.Status(rng.IntN(8)), rng.IntN(2) == 0
		t.ByteCount, t.LowerAddr = 1+rng.IntN(4096), uint8(rng.IntN(128))
	default:
		t.Route, t.Code, t.Addr = uint8(rng.IntN(8)), uint8(rng.Uint32()), rng.Uint64()
	}
	if rng.IntN(3) == 0 {
		t.TD = true
		t.Digest = t.ECRC()
	}
	return t
}

// mixed is a capture of n TLPs with comments among them, and what is in it.
func mixed(t *testing.T, seed uint64, n int) ([]byte, []capture.Packet) {
	rng := rand.New(rand.NewPCG(seed, 1))
	list := []capture.Packet{{Header: capture.Header{Kind: capture.KindFunction}, Function: function}}
	file := written(t, func(w *capture.Writer) {
		var at node.Time
		for range n {
			at += node.Time(rng.IntN(3000))
			h := capture.Header{Dir: link.Direction(rng.IntN(2)), Time: at, Flags: capture.Flags(rng.IntN(8))}
			if rng.IntN(10) == 0 {
				h.Kind, h.Flags = capture.KindComment, 0
				w.Comment(h.Dir, at, "a comment, µ")
				list = append(list, capture.Packet{Header: h, Comment: "a comment, µ"})
				continue
			}
			if rng.IntN(10) == 0 {
				h.Kind, h.Flags = capture.KindDelay, 0
				late := node.Time(1) << rng.IntN(61)
				w.Delay(h.Dir, at, late)
				list = append(list, capture.Packet{Header: h, Delay: late})
				continue
			}
			p := random(rng)
			w.TLP(h.Dir, at, h.Flags, p)
			list = append(list, capture.Packet{Header: h, TLP: *p})
		}
	})
	return file, list
}
