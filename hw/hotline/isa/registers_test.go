package isa

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
)

// readOnly are the registers that cannot be written and their values after
// reset, with the EAL not ready; writable those that can, and their bits.
func readOnly(p arch.Params) map[uint64]uint64 {
	log := func(n int) uint64 { return uint64(arch.Log2(n)) }
	return map[uint64]uint64{
		arch.CSRID:      0x484F544C,
		arch.CSRVersion: 0x00010000,
		arch.CSRCaps0:   log(p.Engines) | log(p.Banks)<<8 | log(p.Blocks)<<16 | log(p.Ways)<<24,
		arch.CSRCaps1:   uint64(p.StreamBits/8 | p.Tags<<16),
		arch.CSRCaps2:   uint64(p.EDRAMWords / 2),
		arch.CSRCaps3:   uint64(p.Slots | p.Tables<<16),
		arch.CSRCaps4:   uint64(p.IDBits() | p.GPUs<<8 | p.VectorValues<<16),
		arch.CSRStatus:  0, arch.CSRSQHead: 0, arch.CSRLookups: 0, arch.CSRCacheHits: 0, arch.CSRLookupCycles: 0, arch.CSRRowsRead: 0, arch.CSRRowsWritten: 0,
	}
}

var writable = map[uint64]uint64{
	arch.CSRControl:  1,
	arch.CSRSQBaseLo: 0xffffffff, arch.CSRSQBaseHi: 0xffffffff, arch.CSRSQLog2: 0xf, arch.CSRSQTail: 0xffff,
	arch.CSRCQBaseLo: 0xffffffff, arch.CSRCQBaseHi: 0xffffffff, arch.CSRCQLog2: 0xf, arch.CSRCQHead: 0xffff,
}

// checkRegisters reads and writes all addresses.
func checkRegisters(d *ir.Design, p arch.Params, seed uint64) error {
	r, err := newRig(d, p, seed)
	if err != nil {
		return err
	}
	fixed := readOnly(p)
	for offset := uint64(0); offset < 1<<AddrBits; offset += 4 {
		want, known := fixed[offset]
		if _, ok := writable[offset]; ok {
			known = true
		}
		if offset > 0x100 && r.Rand.IntN(16) > 0 {
			continue
		}
		v, resp, err := r.read(offset)
		if wantResp := response(known); err != nil || v != want || resp != wantResp {
			return errors.Join(err, fmt.Errorf("register %#x is %#x with response %d, want %#x, %d", offset, v, resp, want, wantResp))
		}
		if _, ok := writable[offset]; !ok {
			if err := r.access(offset, r.Rand.Uint64()>>32, 0xf, axil.SLVERR); err != nil {
				return err
			}
		}
	}
	return errors.Join(r.checkWritable(), r.checkCounters())
}

func response(known bool) uint64 {
	if known {
		return axil.OKAY
	}
	return axil.SLVERR
}

// checkWritable writes whole words, parts of words, and reads all again.
func (r *rig) checkWritable() error {
	values := map[uint64]uint64{}
	for range 3 {
		for offset, mask := range writable {
			if offset == arch.CSRControl {
				continue // the rings are not set up
			}
			if offset == arch.CSRSQTail {
				mask = 0 // nor is there a command
			}
			v := r.Rand.Uint64() >> 32
			values[offset] = v & mask
			if mask == 0 {
				v = 0
			}
			if err := r.write(offset, v); err != nil {
				return err
			}
			for strobe := range uint64(15) {
				if err := r.access(offset, r.Rand.Uint64()>>32, strobe, axil.OKAY); err != nil {
					return err
				}
			}
		}
		for offset, v := range values {
			if err := r.expectRead(offset, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkCounters lets the counters count.
func (r *rig) checkCounters() error {
	inputs := map[string]uint64{"lookups": arch.CSRLookups, "cache_hits": arch.CSRCacheHits, "lookup_active": arch.CSRLookupCycles, "row_read": arch.CSRRowsRead, "row_written": arch.CSRRowsWritten}
	want := map[string]uint64{}
	for range 200 {
		for name := range inputs {
			n := r.Rand.Uint64N(2)
			if name == "lookups" || name == "cache_hits" {
				n = r.Rand.Uint64N(uint64(r.p.Engines) + 1)
			}
			r.pins[name].Set(n)
			want[name] += n
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	for name := range inputs {
		r.pins[name].Set(0)
	}
	for name, offset := range inputs {
		if err := r.expectRead(offset, want[name]); err != nil {
			return err
		}
	}
	r.pins["ready"].Set(1)
	return r.expectRead(arch.CSRStatus, 2)
}
