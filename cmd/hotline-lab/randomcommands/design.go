package randomcommands

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models" // the model of the small configuration
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// device is the accelerator under test.
type device struct {
	arch.Params
	design *ir.Design
}

// newDevice elaborates an accelerator.
func newDevice(p arch.Params) (device, error) {
	d, err := hw.Elaborate(top.Hotline{Params: p})
	return device{p, d}, err
}

// simulate returns a simulation of the design in its initial state. It uses the compiled model if
// there is one.
func (d device) simulate() (sim.Simulator, error) {
	s, _, err := compiled.New(d.design)
	return s, err
}

// Tiny returns the parameters of the smallest accelerator whose stream is streamBits wide.
func Tiny(streamBits int) arch.Params {
	engines := max(4, streamBits/32)
	return arch.Params{Engines: engines, Banks: 4, Blocks: 256, Ways: 4, TagBits: 6, QueueDepth: 2, Window: 8, Cache: 4,
		StreamBits: streamBits, ALUs: streamBits / 32, VectorValues: 32, EDRAMWords: 256, Tags: 4, Slots: 8, Tables: 4, GPUs: 1}
}

// random returns the parameters of a small accelerator with random sizes.
func random(r *rand.Rand) arch.Params {
	p := Tiny(128 << r.IntN(3))
	p.Banks <<= r.IntN(2)
	p.Ways = 2 << r.IntN(3)
	p.TagBits = max(12-arch.Log2(p.Sets()), 6) + r.IntN(6)
	p.QueueDepth <<= r.IntN(2)
	p.VectorValues <<= r.IntN(3)
	p.EDRAMWords <<= r.IntN(3)
	p.Tags <<= r.IntN(2)
	p.Slots <<= r.IntN(2)
	p.Tables <<= r.IntN(2)
	p.GPUs <<= r.IntN(4)
	return p
}

// configuration returns the parameters with this name: small, paper, tiny or random. The sizes of
// random depend on the seed.
func configuration(name string, seed uint64) (arch.Params, error) {
	switch name {
	case "small":
		return arch.Small(), nil
	case "paper":
		return arch.Paper(), nil
	case "tiny":
		return Tiny(128), nil
	case "random":
		return random(rand.New(rand.NewPCG(seed, 0))), nil
	}
	return arch.Params{}, fmt.Errorf("configuration %q, expected small, paper, tiny or random", name)
}
