package bench

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// program is an engine built for a design.
type program struct {
	name      string
	verilator bool
	level     model.Level // instruction set of a Go model
	most      int         // if not 0, the engine is slow: it runs once, and only stimuli of at most this number of cycles
	within    bool        // unsuitable for random inputs, with which designs read beyond memories; the engine returns different values there
	build     float64     // build time in seconds
	command   []string
	arguments func(file string, passes int) []string
}

// fileAndPasses returns the arguments of the runners in Go and C++.
func fileAndPasses(file string, passes int) []string { return []string{file, strconv.Itoa(passes)} }

// outcome is the output of a run: the cycles whose time counts, their CPU time in seconds, and the
// checksum of all cycles. total is the CPU time of the whole run.
type outcome struct {
	cycles  uint64
	seconds float64
	sum     string
	total   float64
	passes  int
}

func (o outcome) speed() float64 { return float64(o.cycles) / max(o.seconds, 1e-9) }

// run runs a number of passes over the stimulus. The state carries over from pass to pass.
func (p *program) run(st stimulus, passes int) (o outcome, err error) {
	cmd := exec.Command(p.command[0], append(p.command[1:len(p.command):len(p.command)], p.arguments(st.file, passes)...)...)
	cmd.Env = append(cmd.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	if err != nil {
		return o, fmt.Errorf("%s: %w", p.name, withStderr(err))
	}
	if _, err := fmt.Fscan(strings.NewReader(string(out)), &o.cycles, &o.seconds, &o.sum); err != nil {
		return o, fmt.Errorf("%s printed %q: %w", p.name, out, err)
	}
	o.total = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return o, nil
}

// bench is the state that the measurements of all designs share.
type bench struct {
	Settings
	versions []version
	taps     *taps // nil before the first block
	out      table
	gains    []gain // results of --check
}

// measure builds the engines of a design and compares them on its stimuli.
func (b *bench) measure(d design) error {
	x, err := d.make()
	if err != nil {
		return err
	}
	programs, err := b.programs(d, x)
	if err != nil {
		return err
	}
	stimuli, err := b.stimuli(d.name, x)
	if err != nil {
		return err
	}
	for _, st := range stimuli {
		c, err := compare(d.name, st, able(programs, st), b.effort())
		if err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
		if b.Check {
			b.gains = append(b.gains, gains(d.name, c)...)
			continue
		}
		for _, l := range lines(d.name, st.name, c) {
			b.out.print(l)
		}
	}
	return nil
}

// programs builds the engines of a design. With --check it builds only Go models for the baseline.
func (b *bench) programs(d design, x *ir.Design) (out []*program, err error) {
	if b.Check {
		return b.buildCompiled(d.name, levels()[0], x)
	}
	for _, build := range []func(design, *ir.Design) ([]*program, error){b.verilatorPrograms, b.goPrograms, b.otherPrograms} {
		some, err := build(d, x)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// verilatorPrograms builds d with all combinations of Verilators and compilers.
func (b *bench) verilatorPrograms(d design, x *ir.Design) (out []*program, err error) {
	for _, v := range b.versions {
		p, err := b.buildVerilator(d.name, v, x, cppRunner)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// goPrograms builds the Go models and, for some designs, the C library.
func (b *bench) goPrograms(d design, x *ir.Design) (out []*program, err error) {
	all := levels()
	for _, level := range all {
		some, err := b.buildCompiled(d.name, level, x)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	if !d.library {
		return out, nil
	}
	p, err := b.buildLibrary(d.name, all[len(all)-1], x)
	return append(out, p), err
}

// otherPrograms builds the remaining simulators.
func (b *bench) otherPrograms(d design, x *ir.Design) (out []*program, err error) {
	if d.cxxrtl != none {
		p, err := b.buildCXXRTL(d, x)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if d.name == whole {
		p, err := b.buildIcarus(d.name, x)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// able returns the programs that can run a stimulus.
func able(programs []*program, st stimulus) (out []*program) {
	for _, p := range programs {
		if (p.most == 0 || st.cycles <= p.most) && !(p.within && st.name == random) {
			out = append(out, p)
		}
	}
	return out
}
