package link

import (
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// SetECRC sets whether p adds a digest to each TLP that its owner sends, and whether it checks the
// digests of received TLPs. A new port does neither. TLPs that a switch or root complex forwards
// keep their digest or its absence.
func (p *Port) SetECRC(generate, check bool) { p.generateECRC, p.checkECRC = generate, check }

// ECRC returns the ECRC enables set by the host.
func (e *Endpoint) ECRC() (generate, check bool) { return e.set.GenerateECRC, e.set.CheckECRC }

// digest adds a digest to a TLP if it has none and p generates digests.
func (p *Port) digest(t *pcie.TLP) {
	if p.generateECRC && !t.TD {
		t.TD, t.Digest = true, t.ECRC()
	}
}

// badDigest reports whether p checks digests and the digest of t is wrong.
func (p *Port) badDigest(t *pcie.TLP) bool {
	return p.checkECRC && t.TD && t.Digest != t.ECRC()
}

// passes reports whether the owner of p forwards t. TLPs with a wrong digest are also forwarded:
// the final receiver drops them (2.7.1).
func (p *Port) passes(t *pcie.TLP) bool {
	h, ok := p.own.(interface{ forwards(*pcie.TLP) bool })
	return ok && h.forwards(t)
}

// forwards reports whether t is for a device behind another port.
func (h *hub) forwards(t *pcie.TLP) bool { return h.uplink != nil || h.lookup(t) != nil }

// setECRC sets ECRC generation in the registers and all ports of h.
func (h *hub) setECRC(generate bool) {
	w := digests(extended(h.errors.DW, config.AERID), generate)
	h.errors.SetDW(w.at, w.value, w.enables)
	for _, p := range h.ids {
		p.SetECRC(h.digests())
	}
}

// digests returns the ECRC enables in the registers of h.
func (h *hub) digests() (generate, check bool) {
	s := h.errors.Settings()
	return s.GenerateECRC, s.CheckECRC
}
