// Package pcietest generates TLPs for tests.
package pcietest

import (
	"math/bits"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// Random returns any encodable TLP, with at most most DWs of payload. Completions do not belong to
// requests, except by chance.
func Random(rng *rand.Rand, most int) *pcie.TLP {
	t := &pcie.TLP{
		Kind: pcie.Kind(rng.IntN(int(pcie.CfgWr1) + 1)),
		TC:   uint8(rng.IntN(8)), Attr: pcie.Attr(rng.IntN(8)), AT: uint8(rng.IntN(4)), EP: rng.IntN(4) == 0,
		Requester: pcie.ID(rng.Uint32()), Tag: uint16(rng.IntN(pcie.MaxTag + 1)),
	}
	if t.Kind != pcie.Cpl && t.Kind != pcie.Msg {
		t.Length = 1 + rng.IntN(1<<rng.IntN(bits.Len(uint(most))))
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
