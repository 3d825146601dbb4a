package cdc_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	for _, p := range parts {
		yosystest.Run(t, "cdc_"+p.Kind, elaborate(t, p.part), 1, func(d *ir.Design, _ uint64) error { return everyRate(d, p.check) })
	}
}
