package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/draw"
	"github.com/hotline-rtl/hotline/gen/outfile"
)

func drawCommand() *cobra.Command {
	var config, block, out string
	c := &cobra.Command{
		Use:   "draw [--block MODULE] --out FILE",
		Short: "Draw the blocks of the accelerator, or of a module in it, and their streams",
		Long: `Writes a block diagram as SVG: the instances in a module, the streams between them as
bold arrows with the names of their ports, and other signals as thin lines. Resting the
pointer on a line lists its ports. The picture is made from the design.

Package gen/draw does the same for designs of your own.`,
		Example: `  hotline draw --out hotline.svg
  hotline draw --block dispatch --out dispatch.svg`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usage(errors.New("--out FILE is expected; see 'hotline draw --help'"))
			}
			if err := outfile.Check(out); err != nil {
				return err
			}
			cfg, err := configuration(config)
			if err != nil {
				return usage(err)
			}
			d, err := elaborate(cfg)
			if err != nil {
				return err
			}
			if err := chooseTop(d, block); err != nil || isDryRun(cmd) {
				return usage(err)
			}
			return outfile.WriteBytes(out, []byte(draw.SVG(d.Top)))
		},
	}
	c.Flags().StringVar(&config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	c.Flags().StringVar(&block, "block", "", "only the `module`: its Verilog name or a prefix")
	c.Flags().StringVar(&out, "out", "", "`FILE`.svg for the picture")
	return c
}
