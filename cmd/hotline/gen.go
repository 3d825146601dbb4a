package main

import (
	"errors"
	"fmt"
	"io/fs"

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
(hotline.f, callees first) and a manifest (manifest.json: parameters, ports,
memories, a hash of every file). Files that do not change are left alone; those
of an earlier run that are gone from the design are removed.`,
		Example: `  hotline gen --out build/small
  cd build/small && verilator --lint-only -Wall -f hotline.f`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usage(errors.New("--out is missing; see 'hotline gen --help'"))
			}
			cfg, err := configuration(config)
			if err != nil {
				return usage(err)
			}
			d, err := elaborate(cfg)
			if err != nil {
				return err
			}
			opt := gen.Options{List: "hotline.f", Parameters: cfg.Accelerator, Verilog: verilog.Options{Source: source}}
			if err := gen.Write(out, d, opt); err != nil {
				return outError(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d modules in %s, listed in hotline.f\n", cfg.Name, len(d.Modules), out)
			return err
		},
	}
	c.Flags().StringVar(&config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	c.Flags().StringVar(&out, "out", "", "folder `DIR` to write to; it is made if needed")
	c.Flags().BoolVar(&source, "source", false, "say after each statement which line of Go it comes from")
	return c
}

// outError tells a folder that cannot be made or opened, which is the user's to
// mend, from what is not, such as a full disk.
func outError(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Op != "write" && path.Op != "close" {
		return usage(err)
	}
	return err
}
