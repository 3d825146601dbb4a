// Package rebuilt runs hotline-lab with the compiled model of a design that the running program
// lacks.
package rebuilt

import (
	"fmt"
	"io"
	"os/exec"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// Run builds hotline-lab with the compiled model of d and runs it with these arguments. A program
// that an earlier call has built is used again.
func Run(d *ir.Design, stdout, stderr io.Writer, args ...string) error {
	program, err := compiled.Build(d, "github.com/hotline-rtl/hotline/cmd/hotline-lab", "")
	if err != nil {
		return err
	}
	if program.New {
		fmt.Fprintf(stderr, "built a cycle model for %q\n", args)
	}
	c := exec.Command(program.Path, args...)
	c.Stdout, c.Stderr = stdout, stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", program.Path, err)
	}
	return nil
}
