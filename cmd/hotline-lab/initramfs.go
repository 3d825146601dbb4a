package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/initramfs"
)

func initramfsVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "initramfs NAME=FILE...",
		Short: "Write an initial file system for Linux",
		RunE: func(c *cobra.Command, args []string) error {
			return initramfs.Write(bufio.NewWriter(c.OutOrStdout()), args)
		},
	}
}
