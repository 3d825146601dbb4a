package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/trainings"
)

func trainingsVerb() *cobra.Command {
	var batches int
	c := verb("trainings", "Print the speed-up of Hotline in trainings of rm1 to rm4", func() error {
		if batches < trainings.Least {
			return fmt.Errorf("--batches is %d, expected at least %d", batches, trainings.Least)
		}
		return nil
	}, func(out, _ io.Writer) error { return trainings.Table(context.Background(), out, batches) })
	c.Flags().IntVar(&batches, "batches", 200, "mini-batches of a training")
	return c
}
