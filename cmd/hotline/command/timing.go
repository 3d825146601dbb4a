package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/ui/picture"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// timingFlags contains the flags of a timing diagram.
type timingFlags struct {
	file, clock string
	signals     string
	from, to    uint64
}

func (f *timingFlags) define(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.file, "vcd", "", "draw signals of this VCD `FILE`")
	s.StringVar(&f.signals, "signals", "", "their `paths`, separated by commas")
	s.StringVar(&f.clock, "clock", "clk", "`path` of the clock")
	s.Uint64Var(&f.from, "from", 0, "first `cycle`")
	s.Uint64Var(&f.to, "to", 0, "`cycle` after the last one (default: the end of the file)")
}

// mostTiming is the maximum number of cycles of a diagram.
const mostTiming = 10_000

func (f *timingFlags) check(cmd *cobra.Command) error {
	if f.file == "" {
		for _, name := range []string{"signals", "clock", "from", "to"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s needs --vcd FILE", name)
			}
		}
		return nil
	}
	for _, name := range []string{"config", "block"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--vcd and --%s are both there; expected one of them", name)
		}
	}
	switch {
	case f.signals == "":
		return errors.New("--signals PATHS is expected; without --out, 'hotline draw --vcd FILE' lists the paths")
	case f.to != 0 && f.from >= f.to:
		return fmt.Errorf("--from %d is not before --to %d", f.from, f.to)
	}
	return nil
}

// lists reports whether the signals of the file are to be listed.
func (f *timingFlags) lists(out string) bool { return f.file != "" && f.signals == "" && out == "" }

// list prints the paths of the signals, with the widths of vectors.
func (f *timingFlags) list(w io.Writer) error {
	file, err := os.Open(f.file)
	if err != nil {
		return err
	}
	defer file.Close()
	signals, err := wave.ReadSignals(file)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	var b strings.Builder
	for _, s := range signals {
		b.WriteString(strings.Join(s.Path, "."))
		if s.Width > 1 {
			fmt.Fprintf(&b, " %d bits", s.Width)
		}
		b.WriteByte('\n')
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// draw returns the picture.
func (f *timingFlags) draw() (string, error) {
	file, err := os.Open(f.file)
	if err != nil {
		return "", err
	}
	defer file.Close()
	trace, err := wave.ReadVCD(file, f.clock, strings.Split(f.signals, ",")...)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.file, err)
	}
	to := f.to
	if to == 0 {
		to = trace.Cycles()
	}
	switch {
	case to > trace.Cycles() || f.from >= to:
		return "", fmt.Errorf("cycles %d to %d are asked for; %s ends before cycle %d", f.from, to, f.file, trace.Cycles())
	case to-f.from > mostTiming:
		return "", fmt.Errorf("%d cycles are asked for; expected at most %d: use --from and --to", to-f.from, mostTiming)
	}
	return picture.File(timingOf(trace.Rows(f.from, to), f.from).SVG()), nil
}

// timingOf returns a diagram of rows. The scope of a signal is its group.
func timingOf(rows []wave.Row, first uint64) picture.Timing {
	t := picture.Timing{Title: fmt.Sprintf("Cycles %d to %d", first, first+uint64(len(rows[0].Values))-1), Text: "Signals of a simulation."}
	for i := range rows[0].Values {
		t.Cycles = append(t.Cycles, first+uint64(i))
	}
	for _, r := range rows {
		group, name := "", r.Name
		if dot := strings.LastIndex(r.Name, "."); dot >= 0 {
			group, name = r.Name[:dot], r.Name[dot+1:]
		}
		t.Signals = append(t.Signals, picture.TimingSignal{Group: group, Name: name, Bit: r.Width == 1, Values: r.Hex()})
	}
	return t
}
