package command

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/wrap"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/clib"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// genFlags contains the flags of hotline gen.
type genFlags struct {
	config, out string
	design      string
	wrapper     string
	source      bool
	goDir, pkg  string
	copies      int
	cDir        string
	stage       string
	unit        int
	registers
}

func genCommand() *cobra.Command {
	var f genFlags
	c := &cobra.Command{
		Use:   "gen [--out DIR] [--go DIR] [--c DIR] [--header FILE] [--systemrdl FILE] [--register-table FILE]",
		Short: "Write the Verilog and the cycle model of a configuration, for Go and for C, and its registers",
		Long: `With --out, writes the accelerator as Verilog-2005, one module per file, with a file
list (hotline.f, callees first), a FuseSoC core (hotline.core: targets default, lint
and synth), constraints (hotline.sdc: clock and port delays) and a manifest
(manifest.json: parameters, ports, memories, a hash of every module).

--wrapper selects another top: axi is hotline_axi, an AXI4 master with the DMA inside;
verilog-pcie is hotline_verilog_pcie, for dma_if_pcie and its clients; xdma is
hotline_xdma, for AMD's XDMA with descriptor bypass (docs/how-to/integration.md).

With --go, writes the cycle model as a Go package. A program that imports the package
has a compiled model of this configuration. The package needs this module, in the
version that generated it, and nothing else. With --copies N, 2 to 64, the model runs N
instances in lanes, each with its own inputs and state (docs/reference/simulation.md).

With --c, writes the cycle model as a C library: a Go module, a C header, classes for
C++ and Python, a Makefile (docs/how-to/c-library.md). Building it needs Go, a C
compiler, and the source of this project, which must stay in place.

With --header, writes the C header for drivers of the device: registers, commands,
statuses, layout of the rings (docs/how-to/kernel-driver.md). With --systemrdl, writes
the registers in SystemRDL 2.0; with --register-table, as a table in Markdown. All
configurations have the same registers.

With --design, does the same for a design that 'hotline import' wrote.

With --stage, prints the design after a stage of the compiler, with the names of the
design and places in its source (docs/explanation/cycle-model.md); with --unit, one of
its units.

Unchanged files are not written. Files of an earlier run that the design no longer has
are removed.`,
		Example: `  hotline gen --out build/small
  cd build/small && verilator --lint-only -Wall -f hotline.f

  hotline gen --out build/soc --wrapper axi

  hotline gen --config wide.hcl --go wide

  hotline gen --c build/library && make -C build/library

  hotline gen --config configs/paper.hcl --stage kernels --unit 13`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("unit") {
				f.unit = allUnits
			}
			if err := f.check(); err != nil {
				return usage(err)
			}
			cfg, d, err := f.subject()
			if err != nil {
				return err
			}
			return f.write(cmd.OutOrStdout(), cfg, d)
		},
	}
	c.Flags().StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	designFlag(c, &f.design)
	c.Flags().StringVar(&f.out, "out", "", "folder `DIR` for the Verilog; created if needed")
	c.Flags().StringVar(&f.wrapper, "wrapper", "", "other boundary of the Verilog: `NAME` is axi, verilog-pcie or xdma")
	c.Flags().BoolVar(&f.source, "source", false, "annotate each statement with its Go source line")
	c.Flags().StringVar(&f.goDir, "go", "", "folder `DIR` for the Go package; created if needed")
	c.Flags().IntVar(&f.copies, "copies", 1, "`NUMBER` of instances in the Go package")
	c.Flags().StringVar(&f.cDir, "c", "", "folder `DIR` for the C library; created if needed")
	c.Flags().StringVar(&f.header, "header", "", "`FILE` for the C header of the device")
	c.Flags().StringVar(&f.systemRDL, "systemrdl", "", "`FILE` for the registers in SystemRDL")
	c.Flags().StringVar(&f.table, "register-table", "", "`FILE` for the registers in Markdown")
	c.Flags().StringVar(&f.stage, "stage", "", "print the design after compiler stage `NAME`")
	c.Flags().IntVar(&f.unit, "unit", 0, "print unit `N` of the stage alone")
	c.Flags().StringVar(&f.pkg, "package", "", "`NAME` of the Go package (default: the name of its folder)")
	return c
}

// allUnits is the value of --unit for gosim.Dump if the flag is absent.
const allUnits = -1

// check rejects incompatible flags, and determines the package name.
func (f *genFlags) check() error {
	switch {
	case f.out == "" && f.goDir == "" && f.cDir == "" && f.stage == "" && f.registers == registers{}:
		return errors.New("--out, --go, --c, --header, --systemrdl, --register-table or --stage is missing; see 'hotline gen --help'")
	case f.stage != "" && !slices.Contains(stages(), f.stage):
		return fmt.Errorf("--stage is %q; expected one of %s", f.stage, strings.Join(stages(), ", "))
	case f.unit < allUnits:
		return fmt.Errorf("--unit is %d; expected at least 0", f.unit)
	case f.stage == "" && f.unit != allUnits:
		return errors.New("--unit needs --stage")
	case !slices.Contains([]string{"", "axi", "verilog-pcie", "xdma"}, f.wrapper):
		return fmt.Errorf("--wrapper is %q; expected axi, verilog-pcie or xdma", f.wrapper)
	case f.wrapper != "" && (f.out == "" || f.goDir != "" || f.cDir != ""):
		return errors.New("--wrapper needs --out, and excludes --go and --c")
	case f.design != "" && (f.wrapper != "" || f.registers != registers{}):
		return errors.New("--wrapper, --header, --systemrdl and --register-table describe the accelerator, and exclude --design")
	case f.source && f.out == "":
		return errors.New("--source needs --out")
	case f.goDir == "" && f.pkg != "":
		return errors.New("--package needs --go")
	case f.goDir == "" && f.copies != 1:
		return errors.New("--copies needs --go")
	case f.goDir == "":
		return nil
	case f.pkg == "":
		dir, err := filepath.Abs(f.goDir)
		if err != nil {
			return err
		}
		f.pkg = filepath.Base(dir)
	}
	if err := gosim.CheckName(f.pkg); err != nil {
		return fmt.Errorf("%w; choose one with --package", err)
	}
	if f.copies == 1 {
		return nil
	}
	return gosim.CheckCopies(f.copies)
}

// stages returns the valid names for --stage.
func stages() (names []string) {
	for _, s := range gosim.Stages() {
		names = append(names, s.Name)
	}
	return names
}

// subject returns the requested design and its configuration.
func (f *genFlags) subject() (*configs.Config, *ir.Design, error) {
	if f.design != "" {
		cfg, d, err := imported(f.config, f.design)
		return cfg, d, usage(err)
	}
	cfg, err := configuration(f.config)
	if err != nil {
		return nil, nil, usage(err)
	}
	d, err := f.elaborate(cfg)
	return cfg, d, err
}

// elaborate elaborates the accelerator with the requested boundary.
func (f *genFlags) elaborate(cfg *configs.Config) (*ir.Design, error) {
	switch f.wrapper {
	case "axi":
		return hw.Elaborate(wrap.AXI{Params: *cfg.Accelerator})
	case "verilog-pcie":
		return hw.Elaborate(wrap.VerilogPCIe{Params: *cfg.Accelerator})
	case "xdma":
		return hw.Elaborate(wrap.XDMA{Params: *cfg.Accelerator})
	}
	return elaborate(cfg)
}

// write writes the requested outputs and reports each.
func (f *genFlags) write(to io.Writer, cfg *configs.Config, d *ir.Design) error {
	if f.out != "" {
		opt := gen.Options{List: "hotline.f", Core: "hotline-rtl:" + d.Top.Name + ":" + cfg.Name, MHz: cfg.ClockMHz, Verilog: verilog.Options{Source: f.source}}
		if cfg.Accelerator != nil {
			opt.Parameters = cfg.Accelerator
		}
		if err := gen.Write(f.out, d, opt); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(to, "%s: Verilog in %s, listed in hotline.f\n", cfg.Name, f.out); err != nil {
			return err
		}
	}
	if f.goDir != "" {
		if err := f.writeGo(d); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(to, "%s: Go package %s in %s\n", cfg.Name, f.pkg, f.goDir); err != nil {
			return err
		}
	}
	if f.cDir != "" {
		if err := f.writeC(to, cfg, d); err != nil {
			return err
		}
	}
	if f.stage != "" {
		if err := gosim.Dump(to, d, f.stage, f.unit); err != nil {
			return usage(err)
		}
	}
	return f.registers.write(to)
}

// writeGo writes the Go package.
func (f *genFlags) writeGo(d *ir.Design) error {
	if f.copies > 1 {
		return gosim.WriteCopies(f.goDir, d, f.copies, f.pkg)
	}
	return gosim.Write(f.goDir, d, f.pkg)
}

// writeC writes the C library.
func (f *genFlags) writeC(to io.Writer, cfg *configs.Config, d *ir.Design) error {
	source, err := compiled.Source()
	if err != nil {
		return err
	}
	if err := clib.Write(f.cDir, d, clib.Options{Config: cfg.Name, Version: version(), Source: source}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "%s: C library in %s, to be built with make\n", cfg.Name, f.cDir)
	return err
}
