package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/pictures"
	"github.com/hotline-rtl/hotline/gen/outfile"
)

func picturesVerb() *cobra.Command {
	return &cobra.Command{
		Use:     "pictures DIR",
		Short:   "Draw the pictures of the documents, from runs of the design, into the folders of DIR",
		Example: "  hotline-lab pictures docs",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(fmt.Errorf("%d arguments, expected one folder", len(args)))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := pictures.All()
			if err != nil {
				return err
			}
			for _, f := range files {
				if err := outfile.WriteBytes(filepath.Join(args[0], filepath.FromSlash(f.Name)), []byte(f.SVG)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
