package dispatch

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim/bv"
)

func describeHotSet(p arch.Params) hw.Generator[HotSetPorts] { return HotSet{p} }
func describePacker(p arch.Params) hw.Generator[PackerPorts] { return Packer{p} }

func TestHotSet(t *testing.T) { forSizes(t, describeHotSet, checkHotSet) }
func TestPacker(t *testing.T) { forSizes(t, describePacker, checkPacker) }

// setWords is a set as the scan port shows it, little-endian words of 64 bits.
func setWords(p arch.Params, t *eal.Tracker, bank, set int) []uint64 {
	width := blockBits(p)
	out := make([]uint64, ir.Words(p.Ways*width))
	for w, b := range t.Set(bank, set) {
		x := uint64(b.RRPV)<<p.TagBits | uint64(b.Tag)
		if b.Valid {
			x |= 1 << (width - 1)
		}
		bv.Insert(out, w*width, []uint64{x}, width)
	}
	return out
}

// someBlocks is a tracker of which one block in so many is valid.
func someBlocks(r *rand.Rand, p arch.Params, share int) *eal.Tracker {
	t := eal.NewTracker(p)
	for bank := range p.Banks {
		for row := range p.BankSets() {
			set := t.Set(bank, row)
			for w := range set {
				set[w] = eal.Entry{Valid: r.IntN(share) == 0, RRPV: eal.RRPV(r.IntN(4)), Tag: r.Uint32() >> (32 - p.TagBits)}
			}
		}
	}
	return t
}

// checkHotSet reads EALs that are full, half full and almost empty.
func checkHotSet(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	pin, entry := pinsOf(b), b.Pop("entry")
	for k, share := range []int{1, 1, 2, 100, 1 << 20} {
		t := someBlocks(b.Rand, p, share)
		entry.Rate = []float64{0.1, 1, 0.7, 0.3, 1}[k]
		if err := pin.pulse(b, "start"); err != nil {
			return err
		}
		var late [2][]uint64 // what the scan port shows in the next cycles
		for c := 0; pin["busy"].Bool(); c++ {
			if c > 20*p.Blocks+100 {
				return fmt.Errorf("busy after %d cycles", c)
			}
			late[0], late[1] = late[1], nil
			if pin["scan_enable"].Bool() {
				late[1] = setWords(p, t, int(pin.get("scan_bank")), int(pin.get("scan_row")))
			}
			if err := b.Cycle(); err != nil {
				return err
			}
			if late[0] != nil {
				pin["scan_data"].SetWords(late[0])
			}
		}
		var got []arch.HotRow
		for _, it := range entry.Got[0] {
			got = append(got, arch.HotRow{ID: uint32(it[0]), Block: uint32(it[0] >> 32)})
		}
		entry.Got[0] = nil
		if err := compare("entries", got, HotEntries(p, t), equal); err != nil {
			return err
		}
		if n := int(pin.get("entries")); n != len(got) {
			return fmt.Errorf("%d entries counted, want %d", n, len(got))
		}
	}
	return quiet(b)
}

// checkPacker packs hot sets of all sizes.
func checkPacker(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	pin, source, out := pinsOf(b), b.Push("entry"), newWriter(b, p)
	for n := range 40 {
		source.Rate, out.packet.Rate, out.data.Rate = rate(b.Rand), rate(b.Rand), rate(b.Rand)
		addr := b.Rand.Uint64() &^ 63
		pin.set("addr", addr)
		if err := pin.pulse(b, "start"); err != nil {
			return err
		}
		pin.set("addr", 0)
		entries := make([]arch.HotRow, n)
		for i := range entries {
			entries[i] = arch.HotRow{ID: b.Rand.Uint32(), Block: b.Rand.Uint32()}
			source.Send(0, bench.Item{uint64(entries[i].Block)<<32 | uint64(entries[i].ID)})
		}
		sent := source.Sent() + n
		for c := 0; source.Sent() < sent || !pin["idle"].Bool(); c++ {
			if c > 100*n+100 {
				return fmt.Errorf("%d entries: not idle after %d cycles", n, c)
			}
			pin["finish"].SetBool(source.Sent() == sent)
			if err := b.Cycle(); err != nil {
				return err
			}
		}
		pin.set("finish", 0)
		if err := out.collect(); err != nil {
			return err
		}
		if err := compareWrites(out.writes, packEntries(addr, entries)); err != nil {
			return fmt.Errorf("%d entries: %w", n, err)
		}
		out.writes = nil
	}
	return quiet(b)
}
