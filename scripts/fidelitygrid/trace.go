package main

import (
	"fmt"
	"os"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

func (r *rig) trace(functional bool) {
	name := os.Getenv("TRACE")
	if name == "" {
		return
	}
	if functional {
		name += ".f"
	} else {
		name += ".c"
	}
	f, _ := os.Create(name)
	r.s.Slot().Observe(func(d link.Direction, at node.Time, t *pcie.TLP) {
		fmt.Fprintf(f, "%v %v %x %d %.2f\n", d, t.Kind, t.Addr, t.Length, float64(at)/2857)
	})
}
