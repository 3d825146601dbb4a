package verilog_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
)

func TestReal(t *testing.T) {
	dir := os.Getenv("DIR")
	for name, f := range map[string]func() (*ir.Design, error){
		"top":  func() (*ir.Design, error) { return hw.Elaborate(top.Hotline{Params: arch.Small()}) },
		"arb":  func() (*ir.Design, error) { return hw.Elaborate(arb.RoundRobin{N: 8}) },
		"fp":   func() (*ir.Design, error) { return hw.Elaborate(fp32.Add{}) },
		"xbar": func() (*ir.Design, error) { return hw.Elaborate(xbar.Xbar{Sources: 6, Dests: 5, Width: 20, Groups: 3, Depth: 4}) },
	} {
		d, err := f()
		require.NoError(t, err)
		files, err := verilog.Generate(d)
		require.NoError(t, err)
		os.MkdirAll(filepath.Join(dir, name), 0o755)
		for _, f := range files {
			os.WriteFile(filepath.Join(dir, name, f.Name), []byte(f.Text), 0o644)
		}
	}
}
