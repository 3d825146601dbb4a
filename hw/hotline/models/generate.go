//go:build ignore

// This program generates the model of the configuration small.
package main

import (
	"fmt"
	"os"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

func main() {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	if err == nil {
		err = gosim.Write("small", d, "small")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
