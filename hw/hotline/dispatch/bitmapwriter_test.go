package dispatch

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func describeBitmapWriter(p arch.Params) hw.Generator[BitmapWriterPorts] { return BitmapWriter{p} }

func TestBitmapWriter(t *testing.T) {
	forSizes(t, describeBitmapWriter, checkBitmapWriter)
}

// long has bitmaps of two packets.
var long = sized(func(p *arch.Params) { p.Engines, p.StreamBits, p.ALUs, p.EDRAMWords = 16, 512, 16, 1<<19 })

func TestLongBitmaps(t *testing.T) {
	d, err := hw.Elaborate(BitmapWriter{long})
	require.NoError(t, err)
	require.Greater(t, MaxInputs(long), 8*dma.MaxBytes)
	require.NoError(t, checkBitmapWriter(d, long, 1))
}

// checkBitmapWriter writes bitmaps of all sizes to up to all GPUs.
func checkBitmapWriter(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	pin, out := pinsOf(b), newWriter(b, p)
	for k := range 8 {
		n := []int{MaxInputs(p), p.StreamBits, 1 + b.Rand.IntN(4*p.StreamBits), 1}[k%4]
		n = min(n, MaxInputs(p))
		gpus, half, addr := min(k, p.GPUs), b.Rand.IntN(2), b.Rand.Uint64()&^63
		mailbox := addresses(b.Rand, p.GPUs)
		out.packet.Rate, out.data.Rate = rate(b.Rand), rate(b.Rand)
		bitmap := make([]byte, (n+p.StreamBits-1)/p.StreamBits*p.StreamBytes())
		for i := range bitmap {
			bitmap[i] = byte(b.Rand.Uint32())
		}
		for name, v := range map[string]uint64{"half": uint64(half), "addr": addr, "inputs": uint64(n), "gpus": uint64(gpus)} {
			pin.set(name, v)
		}
		pin.elements("mailboxes", 64, mailbox)
		if err := pin.pulse(b, "start"); err != nil {
			return err
		}
		pin.set("addr", 0)
		for c := 0; pin["busy"].Bool(); c++ {
			if c > 20*(p.GPUs+1)*len(bitmap)/p.StreamBytes()+200 {
				return fmt.Errorf("%d inputs: busy after %d cycles", n, c)
			}
			line := int(pin.get("line_row")) - half*bitmapLines(p)
			read := pin["line_enable"].Bool()
			if err := b.Cycle(); err != nil {
				return err
			}
			if at := line * p.StreamBytes(); read && at >= 0 && at < len(bitmap) {
				pin["line"].SetWords(wordsOf(bitmap[at : at+p.StreamBytes()]))
			}
		}
		want := split(addr, bitmap, dma.MaxBytes)
		for g := range gpus {
			want = append(want, split(mailbox[g], bitmap, dma.MaxBytes)...)
		}
		if err := out.collect(); err != nil {
			return err
		}
		if err := compareWrites(out.writes, want); err != nil {
			return fmt.Errorf("%d inputs, %d GPUs: %w", n, gpus, err)
		}
		out.writes = nil
	}
	return quiet(b)
}
