package main

import (
	"fmt"
	"math"
)

// effort is what a comparison may cost.
type effort struct {
	rounds, fewest int     // of each engine, and those that are run in any case
	least          float64 // seconds for which the fastest engine is measured in a round
	most           float64 // seconds of all engines after which no other round begins
}

// effort is that for a stimulus.
func (s settings) effort() effort {
	if s.quick {
		return effort{rounds: s.rounds, fewest: 1, least: 0.3, most: 20}
	}
	return effort{rounds: s.rounds, fewest: 2, least: 0.3, most: 90}
}

// comparison is what engines did by turns: an outcome of each in each turn, none of
// slow ones, which are last, after the first.
type comparison struct {
	programs []*program
	turns    [][]outcome
	trial    bool // the first turn counts for slow engines only
}

// measured are the turns that count for an engine.
func (c comparison) measured(engine int) [][]outcome {
	switch {
	case c.programs[engine].most > 0:
		return c.turns[:1]
	case c.trial:
		return c.turns[1:]
	}
	return c.turns
}

// speeds are the cycles per second of an engine in the turns that count for it.
func (c comparison) speeds(engine int) (out []float64) {
	for _, turn := range c.measured(engine) {
		out = append(out, turn[engine].speed())
	}
	return out
}

// ratios are the speeds of an engine in those turns to that of another.
func (c comparison) ratios(engine, to int) (out []float64) {
	for _, turn := range c.measured(engine) {
		out = append(out, turn[engine].speed()/turn[to].speed())
	}
	return out
}

// compare runs the engines in turn, with as many passes as it takes to measure the
// fastest long enough, which a turn with a single pass tells; that turn is the first
// round if one is enough. The error is a checksum that differs.
func compare(design string, st stimulus, programs []*program, e effort) (comparison, error) {
	c := comparison{programs: programs}
	fast := programs[:countFast(programs)]
	spent := 0.0
	take := func(round, passes int, programs []*program) error {
		o, err := turn(fmt.Sprintf("%s: %s, round %d of %d", design, st.name, round, e.rounds), st, passes, programs)
		c.turns = append(c.turns, o)
		for _, x := range o[:min(len(o), len(fast))] {
			spent += x.total
		}
		return err
	}
	if err := take(1, 1, programs); err != nil {
		return c, err
	}
	passes := passesFor(c.turns[0][:len(fast)], e.least)
	c.trial = passes > 1
	for {
		rounds := len(c.turns)
		if c.trial {
			rounds--
		}
		if rounds >= e.rounds || rounds >= e.fewest && spent >= e.most {
			return c, nil
		}
		if err := take(rounds+1, passes, fast); err != nil {
			return c, err
		}
	}
}

// countFast is the number of engines before the slow ones.
func countFast(programs []*program) int {
	for i, p := range programs {
		if p.most > 0 {
			return i
		}
	}
	return len(programs)
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
