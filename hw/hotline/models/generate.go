//go:build ignore

// This program writes the models of the shipped configurations.
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
	for name, p := range map[string]arch.Params{"small": arch.Small(), "paper": arch.Paper()} {
		if err := write(name, p); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func write(name string, p arch.Params) error {
	d, err := hw.Elaborate(top.Hotline{Params: p})
	if err != nil {
		return err
	}
	return gosim.Write(name, d, name)
}
