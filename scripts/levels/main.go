// Command levels reports the instruction sets of generated models that this processor lacks, whose kernels therefore no test
// on it executes. With the names of levels it exits with status 1 if the processor lacks one of them.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

func main() {
	os.Exit(run(os.Args[1:], model.Level.Check, os.Stdout, os.Stderr))
}

// run reports levels that check refuses, and returns the exit status.
func run(names []string, check func(model.Level) error, out, problems io.Writer) (status int) {
	for _, l := range []model.Level{model.AVX2, model.AVX512} {
		if check(l) != nil {
			fmt.Fprintf(out, "NOT EXECUTED: kernels of level %s, which this processor lacks\n", l)
		}
	}
	for _, name := range names {
		l, err := model.LevelNamed(name)
		if err == nil {
			err = check(l)
		}
		if err != nil {
			fmt.Fprintln(problems, "levels:", err)
			status = 1
		}
	}
	return status
}
