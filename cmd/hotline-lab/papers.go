package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/study/papermap"
)

func papersVerb() *cobra.Command {
	return verb("papers", "Print where each box, figure and table of the papers is", anything, func(out, _ io.Writer) error { return papermap.Print(out) })
}
