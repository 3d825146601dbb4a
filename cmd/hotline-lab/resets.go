package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/resets"
)

func resetsVerb() *cobra.Command {
	return verb("resets", "Remove each reset, and look for state that lacks one", anything,
		func(out, _ io.Writer) error { return verdict(resets.Run(out)) })
}
