package main

import (
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
)

// program is an engine built for a design.
type program struct {
	name      string
	verilator bool
	build     float64 // seconds of wall time
	command   []string
	arguments func(file string, passes int) []string
}

// fileAndPasses are the arguments of the runners in Go and C++.
func fileAndPasses(file string, passes int) []string { return []string{file, strconv.Itoa(passes)} }

// outcome is what a run prints: the cycles whose time counts, their CPU time,
// the checksum of all cycles; and the CPU time of all.
type outcome struct {
	cycles  uint64
	seconds float64
	sum     string
	total   float64
}

func (o outcome) speed() float64 { return float64(o.cycles) / max(o.seconds, 1e-9) }

// run runs a number of passes over the stimulus; the state goes from one to the
// next.
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
		some, err := b.buildCompiled(d.name, level, x)
		if err != nil {
			return err
		}
		programs = append(programs, some...)
	}
	all := levels()
	p, err := b.buildLibrary(d.name, all[len(all)-1], x)
	if err != nil {
		return err
	}
	programs = append(programs, p)
	stimuli, err := b.stimuli(d.name, x)
	if err != nil {
		return err
	}
	for _, st := range stimuli {
		engines, e := programs, effort{rounds: b.rounds, least: 1, most: math.Inf(1)}
		if b.quick {
			e.least, e.most = 0.3, 20
		}
		if st.brief {
			icarus, err := b.buildIcarus(d.name, x)
			if err != nil {
				return err
			}
			engines, e.rounds, e.least = append(engines[:len(engines):len(engines)], icarus), 1, 0
		}
		speeds, err := compare(d.name, st, engines, e)
		if err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
		for _, l := range lines(d.name, st.name, engines, speeds) {
			b.out.print(l)
		}
	}
	return nil
}

// effort is what a comparison may cost.
type effort struct {
	rounds int
	least  float64 // seconds for which the fastest engine is measured in a round
	most   float64 // seconds of all engines after which no other round begins
}

// compare runs the engines in turn, with as many passes as it takes to measure the
// fastest long enough, which a turn with a single pass tells; that turn is the first
// round if one is enough. The speeds are cycles per second by engine and round; the
// error is a checksum that differs.
func compare(design string, st stimulus, programs []*program, e effort) ([][]float64, error) {
	var done [][]outcome
	var spent float64
	passes := 1
	for turns := 0; len(done) == 0 || len(done) < e.rounds && spent < e.most; turns++ {
		o, err := turn(fmt.Sprintf("%s: %s, round %d of %d", design, st.name, len(done)+1, e.rounds), st, passes, programs)
		if err != nil {
			return nil, err
		}
		if turns == 0 {
			passes = passesFor(o, e.least)
		}
		if turns > 0 || passes == 1 {
			done = append(done, o)
		}
		for _, x := range o {
			spent += x.total
		}
	}
	speeds := make([][]float64, len(programs))
	for _, o := range done {
		for i := range programs {
			speeds[i] = append(speeds[i], o[i].speed())
		}
	}
	return speeds, nil
}

// turn runs each engine once.
func turn(title string, st stimulus, passes int, programs []*program) (out []outcome, err error) {
	defer progress("%s, passes: %d", title, passes)()
	for _, p := range programs {
		o, err := p.run(st, passes)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
		if first := out[0]; o.sum != first.sum || o.cycles != first.cycles {
			return nil, fmt.Errorf("the engines differ: %s has %s after %d cycles, %s has %s after %d",
				programs[0].name, first.sum, first.cycles, p.name, o.sum, o.cycles)
		}
	}
	return out, nil
}

// patience is how many times as long as the fastest engine is measured the slowest
// may run.
const patience = 20

// passesFor is the number of passes that lets the fastest engine be measured for at
// least so many seconds, or fewer if the slowest would take too long, given outcomes
// of a single pass.
func passesFor(single []outcome, least float64) int {
	const moment = 1e-6
	fastest, slowest := math.Inf(1), moment
	for _, o := range single {
		fastest, slowest = min(fastest, max(o.seconds, moment)), max(slowest, o.total)
	}
	return max(1, int(min(math.Ceil(least/fastest), patience*least/slowest)))
}
