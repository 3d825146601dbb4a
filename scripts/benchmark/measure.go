package main

import (
	"fmt"
	"os/exec"
	"strings"
)

// program is an engine built for a design.
type program struct {
	name      string
	verilator bool
	build     float64 // seconds of wall time
	command   []string
	option    string // before the file of the stimulus
}

// outcome is what a run prints: the cycles whose time counts, their CPU time,
// the checksum of all cycles.
type outcome struct {
	cycles  uint64
	seconds float64
	sum     string
}

func (o outcome) speed() float64 { return float64(o.cycles) / max(o.seconds, 1e-9) }

// run runs the stimulus once.
func (p *program) run(st stimulus) (o outcome, err error) {
	cmd := exec.Command(p.command[0], append(p.command[1:len(p.command):len(p.command)], p.option+st.file)...)
	cmd.Env = append(cmd.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	if err != nil {
		return o, fmt.Errorf("%s: %w", p.name, withStderr(err))
	}
	if _, err := fmt.Fscan(strings.NewReader(string(out)), &o.cycles, &o.seconds, &o.sum); err != nil {
		return o, fmt.Errorf("%s printed %q: %w", p.name, out, err)
	}
	return o, nil
}

// bench is what the designs share.
type bench struct {
	settings
	versions []version
	taps     *taps // nil before the first block
	out      table
}

// measure builds the engines of a design and compares them on its stimuli.
func (b *bench) measure(d design) error {
	x, err := d.make()
	if err != nil {
		return err
	}
	var programs []*program
	for _, v := range b.versions {
		p, err := b.buildVerilator(d.name, v, x)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	for _, level := range levels() {
		p, err := b.buildCompiled(d.name, level, x)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	stimuli, err := b.stimuli(d.name, x)
	if err != nil {
		return err
	}
	for _, st := range stimuli {
		engines, rounds := programs, b.rounds
		if st.brief {
			icarus, err := b.buildIcarus(d.name, x)
			if err != nil {
				return err
			}
			engines, rounds = append(engines[:len(engines):len(engines)], icarus), 1
		}
		speeds, err := compare(d.name, st, engines, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
		for _, l := range lines(d.name, st.name, engines, speeds) {
			b.out.print(l)
		}
	}
	return nil
}

// compare runs the engines in turn. The speeds are cycles per second by engine
// and round; the error is a checksum that differs.
func compare(design string, st stimulus, programs []*program, rounds int) ([][]float64, error) {
	speeds := make([][]float64, len(programs))
	for round := range rounds {
		done := progress("%s: %s, round %d of %d", design, st.name, round+1, rounds)
		var first outcome
		for i, p := range programs {
			o, err := p.run(st)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				first = o
			}
			if o.sum != first.sum || o.cycles != first.cycles {
				return nil, fmt.Errorf("the engines differ: %s has %s after %d cycles, %s has %s after %d",
					programs[0].name, first.sum, first.cycles, p.name, o.sum, o.cycles)
			}
			speeds[i] = append(speeds[i], o.speed())
		}
		done()
	}
	return speeds, nil
}
