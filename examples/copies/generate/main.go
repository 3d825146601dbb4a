// Command generate writes the model of 64 cores.
package main

import (
	"fmt"
	"os"

	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
)

func main() {
	d, err := hw.Elaborate(rv32i.Core{})
	if err == nil {
		err = gosim.WriteCopies("cores", d, 64, "cores")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
