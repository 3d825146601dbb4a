package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/draw"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/study/papermap"
	"github.com/hotline-rtl/hotline/hw/ir"
)

func drawCommand() *cobra.Command {
	var config, design, block, out string
	var timing timingFlags
	c := &cobra.Command{
		Use:   "draw [--block MODULE | --vcd FILE --signals PATHS] --out FILE",
		Short: "Draw a block diagram of the accelerator, or a timing diagram of a VCD file",
		Long: `Writes a block diagram as SVG: the instances in a module, the streams between them as
bold arrows with the names of their ports, and other signals as thin lines. A box has the
name of its block in the Hotline paper and its Go package. Resting the pointer on a line
lists its ports. The picture is made from the design.

With --vcd it writes a timing diagram of signals in a VCD file, of any design and any
simulator. Paths begin below the outermost scope. Cycles in which no signal changes are
replaced by a gap. Without --signals and --out it lists the paths.

Packages gen/draw and host/ui/picture do the same for designs of your own.`,
		Example: `  hotline draw --out hotline.svg
  hotline draw --block dispatch --out dispatch.svg
  hotline draw --vcd run.vcd
  hotline draw --vcd run.vcd --signals irq_req,irq_ack,isa.state --from 900 --to 1000 --out irq.svg`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if timing.lists(out) {
				return usage(timing.list(cmd.OutOrStdout()))
			}
			if out == "" {
				return usage(errors.New("--out FILE is expected; see 'hotline draw --help'"))
			}
			if err := timing.check(cmd); err != nil {
				return usage(err)
			}
			if err := outfile.Check(out); err != nil {
				return err
			}
			if timing.file != "" {
				svg, err := timing.draw()
				if err != nil || isDryRun(cmd) {
					return usage(err)
				}
				return outfile.WriteBytes(out, []byte(svg))
			}
			d, err := drawn(config, design)
			if err != nil {
				return err
			}
			if err := chooseTop(d, block); err != nil || isDryRun(cmd) {
				return usage(err)
			}
			return outfile.WriteBytes(out, []byte(draw.SVG(d.Top, papermap.Names())))
		},
	}
	c.Flags().StringVar(&config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	designFlag(c, &design)
	c.Flags().StringVar(&block, "block", "", "only the `module`: its Verilog name or a prefix")
	timing.define(c)
	c.Flags().StringVar(&out, "out", "", "`FILE`.svg for the picture")
	return c
}

// drawn returns the design to draw.
func drawn(config, design string) (*ir.Design, error) {
	if design != "" {
		_, d, err := imported(config, design)
		return d, usage(err)
	}
	cfg, err := configuration(config)
	if err != nil {
		return nil, usage(err)
	}
	return elaborate(cfg)
}
