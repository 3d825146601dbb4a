package dispatchtest

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Sizes are the configurations of the tests. A beat fills a whole or half a row of the eDRAM; the
// number of rows is not always a power of two; there are 4, 2, 1 and 8 GPUs.
var Sizes = []struct {
	Name string
	arch.Params
}{
	{"tiny", Tiny},
	{"wide", Sized(func(p *arch.Params) {
		p.Engines, p.StreamBits, p.ALUs, p.GPUs, p.Ways, p.Tables = 16, 256, 8, 2, 4, 8
		p.EDRAMWords, p.Blocks = 16*2*60, 512
	})},
	{"full", Full},
	{"many", Many},
}

// Tiny is the smallest configuration.
var Tiny = Sized(func(p *arch.Params) { p.Engines, p.Ways, p.TagBits, p.Tables, p.Slots, p.Tags = 4, 2, 6, 4, 8, 4 })

// Full has beats that fill a row of the eDRAM, and a single GPU.
var Full = Sized(func(p *arch.Params) {
	p.Engines, p.StreamBits, p.ALUs, p.GPUs, p.Tables, p.Slots = 16, 512, 16, 1, 2, 16
	p.EDRAMWords, p.Blocks = 16*2*33, 1024
})

// Many has 64 engines, so that several bitmap words end within a row.
var Many = Sized(func(p *arch.Params) { p.Engines, p.EDRAMWords, p.Slots, p.GPUs = 64, 64*2*40, 256, 8 })

// Sized returns small sizes modified by change.
func Sized(change func(*arch.Params)) arch.Params {
	p := arch.Small()
	p.Banks, p.Blocks, p.TagBits, p.EDRAMWords, p.Slots, p.VectorValues, p.GPUs = 4, 256, 8, 4*2*64, 64, 32, 4
	change(&p)
	return p
}

// ForSizes runs a check of the module returned by describe, with all Sizes and several seeds.
func ForSizes[P any](t *testing.T, describe func(arch.Params) hw.Generator[P], check func(*ir.Design, arch.Params, uint64) error) {
	for _, p := range Sizes {
		if err := p.Validate(); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		d, err := hw.Elaborate(describe(p.Params))
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(3) {
			if err := check(d, p.Params, seed); err != nil {
				t.Fatalf("%s, seed %d: %v", p.Name, seed, err)
			}
		}
	}
}
