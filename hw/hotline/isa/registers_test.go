package isa

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// readOnly returns the read-only registers with their values after reset, while the EAL is not
// ready. writable lists the other registers with their writable bits.
func readOnly(p arch.Params) map[uint64]uint64 {
	log := func(n int) uint64 { return uint64(arch.Log2(n)) }
	return map[uint64]uint64{
		arch.CSRID:      0x484F544C,
		arch.CSRVersion: 0x00020004,
		arch.CSRCaps0:   log(p.Engines) | log(p.Banks)<<8 | log(p.Blocks)<<16 | log(p.Ways)<<24,
		arch.CSRCaps1:   uint64(p.StreamBits/8 | p.Tags<<16),
		arch.CSRCaps2:   uint64(p.EDRAMWords / 2),
		arch.CSRCaps3:   uint64(p.Slots | p.Tables<<16),
		arch.CSRCaps4:   uint64(p.IDBits() | p.GPUs<<8 | p.VectorValues<<16),
		arch.CSRStatus:  0, arch.CSRSQHead: 0, arch.CSRCQTail: 0, arch.CSRError: 0, arch.CSRRowsAhead: 0, arch.CSRDropped: 0, arch.CSRLookups: 0, arch.CSRCacheHits: 0, arch.CSRLookupCycles: 0, arch.CSRRowsRead: 0, arch.CSRRowsWritten: 0,
		arch.CSRHotLookups: 0, arch.CSRConflicts: 0, arch.CSRWindowStalls: 0, arch.CSRQueueStalls: 0, arch.CSRLearnCycles: 0, arch.CSRReadsInFlight: 0,
		arch.CSRTagStalls: 0, arch.CSRLateRows: 0, arch.CSRWriteStalls: 0, arch.CSRBytesReadLo: 0, arch.CSRBytesReadHi: 0, arch.CSRBytesWrittenLo: 0, arch.CSRBytesWrittenHi: 0,
	}
}

var writable = map[uint64]uint64{
	arch.CSRControl:  1,
	arch.CSRSQBaseLo: 0xffffffc0, arch.CSRSQBaseHi: 0xffffffff, arch.CSRSQLog2: 0xf, arch.CSRSQTail: 0xffff,
	arch.CSRCQBaseLo: 0xffffffe0, arch.CSRCQBaseHi: 0xffffffff, arch.CSRCQLog2: 0xf, arch.CSRCQHead: 0xffff,
}

// checkRegisters reads and writes all addresses.
func checkRegisters(d *ir.Design, p arch.Params, seed uint64) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	fixed := readOnly(p)
	// A high word returns the value that was latched when its low word was read.
	if err := errors.Join(r.expectRead(arch.CSRBytesReadHi, 0), r.expectRead(arch.CSRBytesWrittenHi, 0)); err != nil {
		return err
	}
	for offset := range uint64(1 << AddrBits) {
		want, known := fixed[offset]
		_, writable := writable[offset]
		known = known || writable
		if offset > 0x100 && r.Rand.IntN(16) > 0 {
			continue
		}
		v, mapped, err := r.read(offset)
		if err != nil || mapped != known || v != want {
			return errors.Join(err, fmt.Errorf("register %#x is %#x, mapped %v, want %#x, %v", offset, v, mapped, want, known))
		}
		if !writable {
			if err := r.access(offset, r.Rand.Uint64()>>32, 0xf, false); err != nil {
				return err
			}
		}
	}
	return errors.Join(r.checkWritable(), r.checkCounters(), r.checkStatus(), r.checkReset())
}

// checkWritable writes whole words and parts of words, and reads all registers again.
func (r *harness) checkWritable() error {
	values := map[uint64]uint64{}
	for range 3 {
		for offset, mask := range writable {
			if offset == arch.CSRControl {
				continue // the rings are not set up
			}
			v := r.Rand.Uint64() >> 32
			values[offset] = v & mask
			if err := r.write(offset, v); err != nil {
				return err
			}
			for strobe := range uint64(15) {
				if err := r.access(offset, r.Rand.Uint64()>>32, strobe, false); err != nil {
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

// checkStatus checks the registers that report the state of other blocks.
func (r *harness) checkStatus() error {
	for _, base := range []uint64{arch.CSRSQTail, arch.CSRSQLog2, arch.CSRCQHead, arch.CSRCQLog2} {
		if err := r.write(base, 0); err != nil {
			return err
		}
	}
	for _, ready := range []uint64{1, 0} {
		ahead, dropped := r.Rand.Uint64N(uint64(r.p.Tags)+1), r.Rand.Uint64N(1<<dma.DroppedBits)
		r.io.Shown.Ready.Poke(ready)
		r.io.Shown.RowsAhead.Poke(ahead)
		reads := r.Rand.Uint64N(uint64(r.p.Tags) + 1)
		if err := r.checkReads(reads); err != nil {
			return err
		}
		r.io.Shown.Dropped.Poke(dropped)
		if err := errors.Join(r.expectRead(arch.CSRStatus, ready<<arch.StatusReadyBit), r.expectRead(arch.CSRRowsAhead, ahead), r.expectRead(arch.CSRDropped, dropped)); err != nil {
			return err
		}
	}
	return nil
}

// checkReads checks the number of reads in flight. The maximum must include values of a single
// cycle.
func (r *harness) checkReads(now uint64) error {
	before, _, err := r.read(arch.CSRReadsInFlight)
	if err != nil {
		return err
	}
	most := before >> 16
	for _, n := range []uint64{now, now / 2, now} {
		r.io.Shown.ReadsInFlight.Poke(n)
		most = max(most, n)
		if err := errors.Join(r.cycle(), r.expectRead(arch.CSRReadsInFlight, most<<16|n)); err != nil {
			return err
		}
	}
	r.io.Shown.ReadsInFlight.Poke(0)
	return nil
}

// checkReset requests a reset. Only a write of the whole control register may do so.
func (r *harness) checkReset() error {
	asks := func(offset, v, strobe uint64) bool {
		r.present(offset, v, strobe)
		asks := r.io.ResetRequest.Peek() != 0
		r.io.CSR.Write.Poke(0)
		return asks || r.io.ResetRequest.Peek() != 0
	}
	for _, c := range []struct {
		offset, v, strobe uint64
		want              bool
	}{
		{arch.CSRControl, 2, 0xf, true}, {arch.CSRControl, 3, 0xf, true}, {arch.CSRControl, 1, 0xf, false}, {arch.CSRControl, 0xfffffffd, 0xf, false},
		{arch.CSRControl, 2, 1, false}, {arch.CSRControl + 1, 2, 0xf, false}, {arch.CSRSQTail, 2, 0xf, false},
	} {
		if asks(c.offset, c.v, c.strobe) != c.want {
			return fmt.Errorf("write of %#x to %#x with strobes %x asks for a reset: %v", c.v, c.offset, c.strobe, !c.want)
		}
	}
	if err := r.write(arch.CSRControl, 1); err != nil {
		return err
	}
	r.io.Shown.Resetting.Poke(1)
	if err := r.expectRead(arch.CSRControl, 2); err != nil {
		return err
	}
	r.io.Shown.Resetting.Poke(0)
	return r.expectRead(arch.CSRControl, 1)
}

// checkCounters checks that the counters accumulate their events.
func (r *harness) checkCounters() error {
	shown := r.io.Shown
	inputs := []struct {
		pin    hw.Bits
		offset uint64
		most   int
	}{
		{shown.Lookups, arch.CSRLookups, r.p.Engines}, {shown.CacheHits, arch.CSRCacheHits, r.p.Engines}, {shown.LookupActive, arch.CSRLookupCycles, 1},
		{shown.RowRead, arch.CSRRowsRead, 1}, {shown.RowWritten, arch.CSRRowsWritten, 1},
		{shown.HotLookups, arch.CSRHotLookups, r.p.Engines}, {shown.Conflicts, arch.CSRConflicts, 2 * r.p.Engines},
		{shown.WindowStalls, arch.CSRWindowStalls, r.p.Engines}, {shown.QueueStalls, arch.CSRQueueStalls, r.p.Engines},
		{shown.LearnActive, arch.CSRLearnCycles, 1}, {shown.TagStall, arch.CSRTagStalls, 1}, {shown.LateRow, arch.CSRLateRows, 1}, {shown.WriteStall, arch.CSRWriteStalls, 1},
		{shown.BytesRead, arch.CSRBytesReadLo, dma.MaxBytes}, {shown.BytesWritten, arch.CSRBytesWrittenLo, dma.MaxBytes},
	}
	want := make([]uint64, len(inputs))
	for range 200 {
		for i, in := range inputs {
			n := r.Rand.Uint64N(uint64(in.most) + 1)
			in.pin.Poke(n)
			want[i] += n
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	for _, in := range inputs {
		in.pin.Poke(0)
	}
	for i, in := range inputs {
		if err := r.expectRead(in.offset, want[i]); err != nil {
			return err
		}
	}
	return nil
}
