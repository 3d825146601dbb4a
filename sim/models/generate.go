//go:build ignore

// This program writes the models of the shipped configurations.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

func main() {
	for name, p := range map[string]arch.Params{"small": arch.Small(), "paper": arch.Paper()} {
		if err := write(name, p); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func write(name string, p arch.Params) error {
	d, err := hw.Elaborate(top.Hotline{Params: p})
	if err != nil {
		return err
	}
	files, err := gosim.Generate(d, name)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(name); err != nil {
		return err
	}
	if err := os.MkdirAll(name, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(name, f.Name), []byte(f.Text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
