package input_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeBitmapWriter(p arch.Params) hw.Generator[input.BitmapWriterPorts] {
	return input.BitmapWriter{Beats: sizes.BeatsOf(p), GPUNumbers: sizes.GPUNumbers{GPUs: p.GPUs}}
}

func TestBitmapWriter(t *testing.T) {
	dispatchtest.ForSizes(t, describeBitmapWriter, checkBitmapWriter)
}

// long has bitmaps of two packets.
var long = dispatchtest.Sized(func(p *arch.Params) { p.Engines, p.StreamBits, p.ALUs, p.EDRAMWords = 16, 512, 16, 1<<19 })

func TestLongBitmaps(t *testing.T) {
	d, err := hw.Elaborate(describeBitmapWriter(long))
	require.NoError(t, err)
	require.Greater(t, sizes.HalvesOf(long).MaxInputs(), 8*dma.MaxBytes)
	require.NoError(t, checkBitmapWriter(d, long, 1))
}

// checkBitmapWriter writes bitmaps of all sizes to different numbers of GPUs.
func checkBitmapWriter(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	k, out := sizes.BeatsOf(p), dispatchtest.NewWriter(b, p)
	tb, line := sim.Bind[input.BitmapWriterPorts](b.Sim, describeBitmapWriter(p)), b.Pin("line_bits")
	for i := range 12 {
		n := []int{k.MaxInputs(), 8*dma.MaxBytes + 1 + b.Rand.IntN(2*p.StreamBits), p.StreamBits, 1 + b.Rand.IntN(4*p.StreamBits), 1}[i%5]
		n = min(n, k.MaxInputs())
		gpus, half, addr := min(i, p.GPUs), b.Rand.IntN(2), b.Rand.Uint64()&^63
		mailbox := dispatchtest.Addresses(b.Rand, p.GPUs)
		out.Packet.Rate, out.Data.Rate = dispatchtest.Rate(b.Rand), dispatchtest.Rate(b.Rand)
		bitmap := make([]byte, (n+p.StreamBits-1)/p.StreamBits*p.StreamBytes())
		for j := range bitmap {
			bitmap[j] = byte(b.Rand.Uint32())
		}
		tb.Half.Poke(uint64(half))
		tb.Addr.Poke(addr)
		tb.Inputs.Poke(uint64(n))
		tb.GPUs.Poke(uint64(gpus))
		dispatchtest.Poke(tb.Mailboxes, mailbox)
		if err := dispatchtest.Pulse(b, tb.Start); err != nil {
			return err
		}
		tb.Addr.Poke(0)
		for c := 0; tb.Busy.Peek() == 1; c++ {
			tb.Start.Poke(b.Rand.Uint64N(2))
			if c > 20*(p.GPUs+1)*len(bitmap)/p.StreamBytes()+200 {
				return fmt.Errorf("%d inputs: busy after %d cycles", n, c)
			}
			number := int(tb.Line.Number.Peek()) - half*k.Lines()
			read := tb.Line.Enable.Peek() == 1
			if err := b.Cycle(); err != nil {
				return err
			}
			if at := number * p.StreamBytes(); read && at >= 0 && at < len(bitmap) {
				line.SetWords(dma.WordsOf(bitmap[at : at+p.StreamBytes()]))
			}
			tb.Start.Poke(0)
		}
		want := dispatch.Packets(addr, bitmap, dma.MaxBytes)
		for g := range gpus {
			want = append(want, dispatch.Packets(mailbox[g], bitmap, dma.MaxBytes)...)
		}
		if err := out.Collect(); err != nil {
			return err
		}
		if err := dispatchtest.CompareWrites(out.Writes, want); err != nil {
			return fmt.Errorf("%d inputs, %d GPUs: %w", n, gpus, err)
		}
		out.Writes = nil
	}
	return dispatchtest.Quiet(b)
}
