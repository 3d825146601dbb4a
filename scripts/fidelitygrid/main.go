package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// The flags are those of scripts/fidelity, and --cycle, with which another program
// is asked for what the cycle model in it does.
func main() {
	flag.CommandLine = flag.NewFlagSet("fidelity", flag.ExitOnError)
	quick := flag.Bool("quick", false, "the points of the small configuration alone")
	only := flag.String("only", "", "points whose names contain `text`")
	raw := flag.Bool("cycle", false, "print the cycle model's results of the point named by --only, as JSON")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "fidelity: argument %q, expected only flags\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*quick, *raw, *only); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func run(quick, raw bool, only string) error {
	if raw {
		return printCycle(os.Stdout, only)
	}
	printHeader(os.Stdout)
	var all []compared
	for _, p := range grid() {
		if quick && !p.quick || !strings.Contains(p.name, only) {
			continue
		}
		c, err := p.compare(os.Stderr)
		if err != nil {
			return err
		}
		printPoint(os.Stdout, c)
		all = append(all, c)
	}
	printSummary(os.Stdout, all)
	return nil
}
