package main

import (
	"flag"
	"fmt"
	"os"
)

// settings are the flags.
type settings struct {
	commands int
	hardware int
	seed     uint64
	rate     float64
	stretch  int
	json     bool
}

func main() {
	flag.CommandLine = flag.NewFlagSet("soak --faults", flag.ExitOnError)
	var s settings
	flag.IntVar(&s.commands, "commands", 1_000_000, "`number` of commands on the functional model")
	flag.IntVar(&s.hardware, "hardware", 10_000, "`number` of further commands on the hardware, cycle by cycle")
	flag.Uint64Var(&s.seed, "seed", 1, "of everything random")
	flag.Float64Var(&s.rate, "rate", 4, "faults in a thousand commands, about")
	flag.IntVar(&s.stretch, "stretch", -1, "run the stretch of this `number` alone")
	flag.BoolVar(&s.json, "json", false, "print one JSON object (docs/json.md)")
	flag.Parse()
	if err := s.check(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "soak --faults:", err)
		os.Exit(2)
	}
	if err := s.run(os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "soak --faults:", err)
		os.Exit(1)
	}
}

// check tells which setting, or argument, cannot be.
func (s settings) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("argument %q, expected only flags", args[0])
	case s.commands < 0 || s.hardware < 0 || s.commands+s.hardware == 0:
		return fmt.Errorf("--commands is %d and --hardware %d, expected 0 or more, and not both 0", s.commands, s.hardware)
	case !(s.rate >= 0 && s.rate <= 100):
		return fmt.Errorf("--rate is %v, expected 0 to 100", s.rate)
	case s.stretch >= s.stretches():
		return fmt.Errorf("--stretch is %d, expected below %d", s.stretch, s.stretches())
	}
	return nil
}
