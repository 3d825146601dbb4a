package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

// settings are the flags.
type settings struct {
	commands int
	seed     uint64
	config   string
	stretch  int
	vcd      string
	from     uint64
	cover    string
	json     bool
}

func main() {
	flag.CommandLine = flag.NewFlagSet("random-commands", flag.ExitOnError)
	var s settings
	flag.IntVar(&s.commands, "commands", 1_000_000, "number of commands")
	flag.Uint64Var(&s.seed, "seed", 1, "of everything random")
	flag.StringVar(&s.config, "config", "small", "sizes of the accelerator: small, paper, tiny or random (by seed)")
	flag.IntVar(&s.stretch, "stretch", -1, "run the `stretch` of this number alone")
	flag.StringVar(&s.vcd, "vcd", "", "write waveforms of --stretch to `file`")
	flag.Uint64Var(&s.from, "from", 0, "first `cycle` of the waveforms, if there is a compiled model")
	flag.StringVar(&s.cover, "cover", "", "write a record of what was exercised to `file`, for hotline cover")
	flag.BoolVar(&s.json, "json", false, "print one JSON object (docs/json.md)")
	flag.Parse()
	if err := s.check(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "random-commands:", err)
		os.Exit(2)
	}
	if err := s.run(os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "random-commands:", err)
		os.Exit(1)
	}
}

// check tells which setting, or argument, cannot be.
func (s settings) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("argument %q, expected only flags", args[0])
	case s.commands < 1:
		return fmt.Errorf("--commands is %d, expected at least 1", s.commands)
	case s.vcd != "" && s.stretch < 0:
		return errors.New("--vcd needs --stretch")
	case s.cover != "" && s.stretch >= 0:
		return errors.New("--cover is of a whole campaign, without --stretch")
	case s.json && s.stretch >= 0:
		return errors.New("--json is of a whole campaign, without --stretch")
	}
	_, err := configuration(s.config, s.seed)
	return err
}
