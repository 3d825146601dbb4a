package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/gen/verilog"
)

func genCommand() *cobra.Command {
	var config, out string
	var source bool
	c := &cobra.Command{
		Use:   "gen --out DIR",
		Short: "Write the Verilog of a configuration",
		Long: `Writes the accelerator as Verilog-2005, one module per file, with a file list
(hotline.f, callees first) and a manifest (manifest.json: ports, memories, a
hash of every file). Files that do not change are left alone; those of an
earlier run that are gone from the design are removed.

  hotline gen --out build/small
  verilator --lint-only -Wall -f hotline.f        # in that folder`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usage(fmt.Errorf("gen needs --out DIR; see 'hotline gen --help'"))
			}
			cfg, err := configuration(config)
			if err != nil {
				return err
			}
			d, err := elaborate(cfg)
			if err != nil {
				return err
			}
			opt := gen.Options{List: "hotline.f", Parameters: cfg.Accelerator, Verilog: verilog.Options{Source: source}}
			if err := gen.Write(out, d, opt); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d modules in %s, listed in hotline.f\n", cfg.Name, len(d.Modules), out)
			return nil
		},
	}
	c.Flags().StringVar(&config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	c.Flags().StringVar(&out, "out", "", "folder `DIR` to write to")
	c.Flags().BoolVar(&source, "source", false, "say after each statement which line of Go it comes from")
	return c
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Errorf("%q: %s takes flags only; see '%s --help'", args[0], c.Name(), c.CommandPath()))
	}
	return nil
}
