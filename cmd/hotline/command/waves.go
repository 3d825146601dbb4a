package command

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// waveFlags contains the flags that select waveforms.
type waveFlags struct {
	file, from, to, limit string

	first, end uint64 // cycles
	bytes      int64
}

func (f *waveFlags) define(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.file, "vcd", "", "write the accelerator's waveforms to `FILE` (see above)")
	s.StringVar(&f.from, "vcd-from", "0", "start at this `cycle` or time")
	s.StringVar(&f.to, "vcd-to", "", "stop before this `cycle` or time (default: the end of the run)")
	s.StringVar(&f.limit, "vcd-limit", "1GB", "maximum size in `bytes`, with kB, MB, GB or TB; 0 for no limit")
}

// check parses the flags.
func (f *waveFlags) check(cmd *cobra.Command, cfg *configs.Config) (err error) {
	for _, name := range []string{"vcd-from", "vcd-to", "vcd-limit"} {
		if cmd.Flags().Changed(name) && f.file == "" {
			return fmt.Errorf("--%s needs --vcd FILE", name)
		}
	}
	if f.file == "" {
		return nil
	}
	if f.first, err = cycles("vcd-from", f.from, cfg.Period(), math.Floor); err != nil {
		return err
	}
	f.end = math.MaxUint64
	if f.to != "" {
		if f.end, err = cycles("vcd-to", f.to, cfg.Period(), math.Ceil); err != nil {
			return err
		}
	}
	if f.first >= f.end {
		return fmt.Errorf("--vcd-from %s is not before --vcd-to %s", f.from, f.to)
	}
	f.bytes, err = size("vcd-limit", f.limit)
	return err
}

// quantity parses a number of at least 0 with one of the given units.
func quantity(flag, text, expected string, units map[string]float64) (number float64, unit string, err error) {
	unit = strings.TrimLeft(text, "0123456789.")
	number, err = strconv.ParseFloat(strings.TrimSuffix(text, unit), 64)
	if _, known := units[unit]; err != nil || !known {
		return 0, "", fmt.Errorf("--%s is %q; expected %s", flag, text, expected)
	}
	return number * units[unit], unit, nil
}

// times contains the units of simulated time, in picoseconds.
var times = map[string]float64{"": 1, "ps": 1, "ns": 1e3, "us": 1e6, "ms": 1e9, "s": 1e12}

// cycles parses a number of cycles, or a time, which round converts to a whole number of cycles.
func cycles(flag, text string, period des.Time, round func(float64) float64) (uint64, error) {
	const expected = "cycles, as 5000, or simulated time, as 20us (ps, ns, us, ms, s)"
	n, unit, err := quantity(flag, text, expected, times)
	switch {
	case err != nil:
		return 0, err
	case unit != "":
		n = round(n / float64(period))
	case n != math.Floor(n):
		return 0, fmt.Errorf("--%s is %q; expected %s", flag, text, expected)
	}
	return uint64(min(n, 1<<60)), nil
}

// size parses a number of bytes; 0 means no limit.
func size(flag, text string) (int64, error) {
	n, _, err := quantity(flag, text, "bytes, as 500MB (kB, MB, GB, TB), or 0 for no limit",
		map[string]float64{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12})
	if n == 0 {
		n = math.MaxInt64 / 2
	}
	return int64(min(n, math.MaxInt64/2)), err
}

// waves is a waveform recording in progress; nil without waveforms.
type waves struct {
	flags  waveFlags
	file   *os.File
	vcd    *wave.VCD
	say    func(line string)
	period des.Time
}

// open starts the recording; say prints messages during the run.
func (f waveFlags) open(cfg *configs.Config, say func(string)) (*waves, error) {
	if f.file == "" {
		return nil, nil
	}
	file, err := outfile.Stream(f.file)
	if err != nil {
		return nil, err
	}
	w := &waves{flags: f, file: file, vcd: wave.NewVCD(file, uint64(cfg.Period())), say: say, period: cfg.Period()}
	w.vcd.Window(f.first, f.end)
	w.vcd.Limit(f.bytes, w.full)
	return w, nil
}

// full reports that the limit is reached.
func (w *waves) full(cycle uint64) {
	w.say(fmt.Sprintf("%s ends at cycle %d (%v): it has reached --vcd-limit %s. The run goes on without it; "+
		"a higher --vcd-limit, or --vcd-from and --vcd-to, record more or other cycles",
		w.flags.file, cycle, des.Time(cycle)*w.period, w.flags.limit))
}

// close closes the file. It returns an error if the waveforms are incomplete.
func (w *waves) close() error {
	if w == nil {
		return nil
	}
	if err := errors.Join(w.vcd.Close(), w.file.Close()); err != nil {
		return fmt.Errorf("the waveforms are incomplete: %w", err)
	}
	if last := w.vcd.Cycles(); w.vcd.Empty() && last <= w.flags.first {
		w.say(fmt.Sprintf("%s has no cycle: the run ended at cycle %d (%v), before --vcd-from %s",
			w.flags.file, last, des.Time(last)*w.period, w.flags.from))
		return nil
	}
	w.say(fmt.Sprintf("%[1]s has the waveforms: open it with GTKWave or Surfer, or list its signals with 'hotline draw --vcd %[1]s'", w.flags.file))
	return nil
}
