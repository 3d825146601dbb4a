package pictures

import (
	_ "embed"
	"fmt"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/asm"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

//go:embed programs/classify.s
var program string // of the documents

// record runs a program on the accelerator of the small configuration, in a server, and keeps the
// signals with the given paths.
func record(program string, paths []string) (*wave.Trace, error) {
	cfg := configs.Small()
	d, err := hw.Elaborate(top.Hotline{Params: *cfg.Accelerator})
	if err != nil {
		return nil, err
	}
	trace := wave.NewTrace(paths...)
	s, err := interp.New(d, interp.AllSignals(), interp.Record(trace))
	if err != nil {
		return nil, err
	}
	const file = "programs/classify.s"
	p, err := asm.Parse(file, program)
	if err != nil {
		return nil, err
	}
	server, dev, err := experiment.Insert(cfg, experiment.Cycle("interp", s), nil)
	if err != nil {
		return nil, err
	}
	r, err := p.Run(server, dev, nil)
	if err == nil {
		err = r.Unmet(file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return trace, nil
}
