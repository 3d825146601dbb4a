package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// settings are the flags.
type settings struct {
	quick, json bool
	check       bool
	copies      bool
	verilators  []string
	compilers   []string
	only        []string
	rounds      int
	dir         string
}

func main() {
	s, err := parse(os.Args[1:])
	if err == nil {
		err = s.run()
	}
	if err == flag.ErrHelp {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parse reads the command line; what is not given gets its default.
func parse(args []string) (s settings, err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.BoolVar(&s.quick, "quick", false, "up to three rounds of shorter runs")
	flags.BoolVar(&s.json, "json", false, "print one JSON object a line")
	flags.BoolVar(&s.check, "check", false, "fail if vectors gain a tenth less than they did; runs Go models only")
	flags.BoolVar(&s.copies, "copies", false, "measure copies of small designs side by side, with a stimulus for each")
	add := func(list *[]string) func(string) error {
		return func(v string) error { *list = append(*list, v); return nil }
	}
	flags.Func("verilator", "compare with this `program`; may be repeated (default verilator)", add(&s.verilators))
	flags.Func("cxx", "build Verilator's programs with this `compiler`; may be repeated (default clang++ or else g++)", add(&s.compilers))
	only := flags.String("only", "", "measure only `names` of designs, separated by commas")
	flags.IntVar(&s.rounds, "rounds", 7, "interleaved `runs` of each engine")
	flags.StringVar(&s.dir, "dir", "", "`folder` for builds (default: in the user's cache)")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if s.rounds < 1 {
		return s, fmt.Errorf("--rounds is %d, expected at least 1", s.rounds)
	}
	if s.quick {
		s.rounds = min(s.rounds, 3)
	}
	if s.only, err = chosen(*only, s.designs()); err != nil {
		return s, err
	}
	if s.verilators == nil {
		s.verilators = []string{"verilator"}
	}
	if s.compilers == nil {
		s.compilers = []string{defaultCompiler()}
	}
	if s.dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return s, err
		}
		s.dir = filepath.Join(user, "hotline", "bench")
	}
	return s, nil
}

// chosen splits a list of designs; none is all.
func chosen(list string, from []design) (names []string, err error) {
	for _, d := range from {
		names = append(names, d.name)
	}
	if list == "" {
		return names, nil
	}
	only := strings.Split(list, ",")
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no design %q, expected some of %s", name, strings.Join(names, ","))
		}
	}
	return only, nil
}

func (s settings) run() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	b := &bench{settings: s, out: table{json: s.json, w: os.Stdout}}
	if s.check {
		if err := b.all(); err != nil {
			return err
		}
		return check(os.Stdout, b.gains, keptGains)
	}
	var err error
	if b.versions, err = s.versions(); err != nil {
		return err
	}
	b.out.head()
	return b.all()
}

// designs are those that can be measured.
func (s settings) designs() []design {
	if s.copies {
		return copiedDesigns()
	}
	return designs()
}

// all measures all designs that are chosen.
func (b *bench) all() error {
	measure := b.measure
	if b.copies {
		measure = b.measureCopies
	}
	for _, d := range b.designs() {
		if !slices.Contains(b.only, d.name) {
			continue
		}
		if err := measure(d); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}
