package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/faults"
)

func faultsVerb() *cobra.Command {
	var s faults.Settings
	c := verb("faults", "Run random commands with faults on the link",
		func() error { return s.Check() }, func(out, log io.Writer) error { return s.Run(out, log) })
	c.Flags().IntVar(&s.Commands, "commands", 1_000_000, "`number` of commands on the functional model")
	c.Flags().IntVar(&s.Hardware, "hardware", 10_000, "`number` of further commands on the hardware, cycle by cycle")
	c.Flags().Uint64Var(&s.Seed, "seed", 1, "of everything random")
	c.Flags().Float64Var(&s.Rate, "rate", 4, "faults in a thousand commands, about")
	c.Flags().IntVar(&s.Episode, "episode", -1, "run only the episode with this `number`")
	c.Flags().BoolVar(&s.JSON, "json", false, "print one JSON object (docs/reference/json.md)")
	return c
}
