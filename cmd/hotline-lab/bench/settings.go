package bench

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/rebuilt"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// Settings are the flags of the verb.
type Settings struct {
	Quick, JSON bool
	Check       bool
	Copies      bool
	Verilators  []string
	Compilers   []string
	Only        []string // names of designs
	Rounds      int
	Dir         string
}

// Complete replaces missing values by their defaults. It returns an error for invalid settings.
func (s *Settings) Complete() error {
	if s.Rounds < 1 {
		return fmt.Errorf("--rounds is %d, expected at least 1", s.Rounds)
	}
	if s.Quick {
		s.Rounds = min(s.Rounds, 3)
	}
	var names []string
	for _, d := range s.designs() {
		names = append(names, d.name)
	}
	for _, name := range s.Only {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no design %q, expected some of %s", name, strings.Join(names, ","))
		}
	}
	if len(s.Only) == 0 {
		s.Only = names
	}
	if s.Verilators == nil {
		s.Verilators = []string{"verilator"}
	}
	if s.Compilers == nil {
		s.Compilers = []string{defaultCompiler()}
	}
	if s.Dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		s.Dir = filepath.Join(user, "hotline", "bench")
	}
	return nil
}

// Run measures the designs and prints the table.
func (s Settings) Run(out io.Writer) error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	if slices.Contains(s.Only, whole) && !s.Copies {
		d, err := wholeDesign()
		if err != nil {
			return err
		}
		if _, ok := compiled.Find(d); !ok { // the model is needed to record the stimuli
			return rebuilt.Run(d, out, os.Stderr, os.Args[1:]...)
		}
	}
	b := &bench{Settings: s, out: table{json: s.JSON, w: out}}
	if s.Check {
		if err := b.all(); err != nil {
			return err
		}
		return check(out, b.gains, keptGains)
	}
	var err error
	if b.versions, err = s.versions(); err != nil {
		return err
	}
	b.out.head()
	return b.all()
}

// designs returns the designs that can be measured.
func (s Settings) designs() []design {
	if s.Copies {
		return copiedDesigns()
	}
	return designs()
}

// all measures all selected designs.
func (b *bench) all() error {
	measure := b.measure
	if b.Copies {
		measure = b.measureCopies
	}
	for _, d := range b.designs() {
		if !slices.Contains(b.Only, d.name) {
			continue
		}
		if err := measure(d); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}
