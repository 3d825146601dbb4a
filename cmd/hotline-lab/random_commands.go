package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands"
)

func randomCommandsVerb() *cobra.Command {
	var s randomcommands.Settings
	c := verb("random-commands", "Compare the accelerator with its document on random commands with random errors",
		func() error { return s.Check() }, func(out, log io.Writer) error { return s.Run(out, log) })
	c.Flags().IntVar(&s.Commands, "commands", 1_000_000, "number of commands")
	c.Flags().Uint64Var(&s.Seed, "seed", 1, "of everything random")
	c.Flags().StringVar(&s.Config, "config", "small", "sizes of the accelerator: small, paper, tiny or random (by seed)")
	c.Flags().IntVar(&s.Episode, "episode", -1, "run only the episode with this `number`")
	c.Flags().StringVar(&s.VCD, "vcd", "", "write waveforms of --episode to `file`")
	c.Flags().Uint64Var(&s.From, "from", 0, "first `cycle` of the waveforms, if there is a compiled model")
	c.Flags().StringVar(&s.Cover, "cover", "", "write a record of what was exercised to `file`, for hotline cover")
	c.Flags().BoolVar(&s.JSON, "json", false, "print one JSON object (docs/reference/json.md)")
	return c
}
