package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

func levelsVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "levels [LEVEL]...",
		Short: "Report the instruction sets whose kernels no test executes, as this processor lacks them, and fail if it lacks an argument",
		RunE:  func(c *cobra.Command, args []string) error { return levels(args, model.Level.Check, c.OutOrStdout()) },
	}
}

// levels prints the instruction sets that check refuses. It returns an error if check refuses one
// in names.
func levels(names []string, check func(model.Level) error, out io.Writer) error {
	for _, l := range []model.Level{model.AVX2, model.AVX512} {
		if check(l) != nil {
			fmt.Fprintf(out, "NOT EXECUTED: kernels of level %s, which this processor lacks\n", l)
		}
	}
	var errs []error
	for _, name := range names {
		l, err := model.LevelNamed(name)
		if err == nil {
			err = check(l)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
