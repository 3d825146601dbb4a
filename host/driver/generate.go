//go:build ignore

// Generate writes regs.go; see internal/regs.
package main

import (
	"log"
	"os"

	"github.com/hotline-rtl/hotline/host/driver/internal/regs"
)

func main() {
	source, err := os.ReadFile(regs.Source)
	if err != nil {
		log.Fatal(err)
	}
	names, err := os.ReadFile(regs.Names)
	if err != nil {
		log.Fatal(err)
	}
	text, err := regs.Generate(source, names)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(regs.Target, text, 0o644); err != nil {
		log.Fatal(err)
	}
}
