package bench

import (
	"fmt"
	"math"
	"slices"
)

// effort limits the cost of a comparison.
type effort struct {
	rounds, fewest int     // rounds of each engine, and their minimum
	least          float64 // seconds for which each engine is measured in a round
	most           float64 // seconds of all engines after which no further round begins
}

// effort returns the limits for a stimulus.
func (s Settings) effort() effort {
	if s.Quick {
		return effort{rounds: s.Rounds, fewest: 1, least: 0.3, most: 20}
	}
	return effort{rounds: s.Rounds, fewest: 2, least: 0.3, most: 90}
}

// comparison contains the outcomes of engines that run alternately: one of each engine in each
// turn. Slow engines are last and run only in the first turn.
type comparison struct {
	programs []*program
	turns    [][]outcome
	trial    bool // the first turn counts only for slow engines
}

// measured returns the turns that count for an engine.
func (c comparison) measured(engine int) [][]outcome {
	switch {
	case c.programs[engine].most > 0:
		return c.turns[:1]
	case c.trial:
		return c.turns[1:]
	}
	return c.turns
}

// speeds returns the cycles per second of an engine in the turns that count for it.
func (c comparison) speeds(engine int) (out []float64) {
	for _, turn := range c.measured(engine) {
		out = append(out, turn[engine].speed())
	}
	return out
}

// ratios returns the ratios of the speed of an engine to the speed of another, in the turns that
// count for the first.
func (c comparison) ratios(engine, to int) (out []float64) {
	for _, turn := range c.measured(engine) {
		out = append(out, turn[engine].speed()/turn[to].speed())
	}
	return out
}

// compare runs the engines alternately. A turn with a single pass determines the number of passes
// that each engine needs to be measured long enough. That turn is the first round if one pass is
// enough for all engines. compare returns an error if checksums differ.
func compare(design string, st stimulus, programs []*program, e effort) (comparison, error) {
	c := comparison{programs: programs}
	fast := programs[:countFast(programs)]
	spent := 0.0
	take := func(round int, passes []int) error {
		o, err := c.turn(fmt.Sprintf("%s: %s, round %d of %d", design, st.name, round, e.rounds), st, passes)
		c.turns = append(c.turns, o)
		for _, x := range o[:min(len(o), len(fast))] {
			spent += x.total
		}
		return err
	}
	if err := take(1, slices.Repeat([]int{1}, len(programs))); err != nil {
		return c, err
	}
	var passes []int
	for i := range fast {
		passes = append(passes, passesFor(c.turns[0][i], e.least))
	}
	c.trial = slices.Max(passes) > 1
	for {
		rounds := len(c.turns)
		if c.trial {
			rounds--
		}
		if rounds >= e.rounds || rounds >= e.fewest && spent >= e.most {
			return c, nil
		}
		if err := take(rounds+1, passes); err != nil {
			return c, err
		}
	}
}

// countFast returns the number of engines before the slow engines.
func countFast(programs []*program) int {
	for i, p := range programs {
		if p.most > 0 {
			return i
		}
	}
	return len(programs)
}

// turn runs each engine once with its number of passes. Engines with the same number of passes must
// compute the same checksum in every turn.
func (c comparison) turn(title string, st stimulus, passes []int) (out []outcome, err error) {
	defer progress("%s, passes: %d to %d", title, slices.Min(passes), slices.Max(passes))()
	for i, n := range passes {
		p := c.programs[i]
		o, err := p.run(st, n)
		if err != nil {
			return nil, err
		}
		o.passes = n
		out = append(out, o)
		for _, turn := range append(slices.Clone(c.turns), out) {
			for j, first := range turn {
				if first.passes == n && (o.sum != first.sum || o.cycles != first.cycles) {
					return nil, fmt.Errorf("the engines differ: %s has %s after %d cycles, %s has %s after %d",
						c.programs[j].name, first.sum, first.cycles, p.name, o.sum, o.cycles)
				}
			}
		}
	}
	return out, nil
}

// patience limits the total time of a run, as a multiple of the measured time.
const patience = 20

// passesFor returns the number of passes for which an engine is measured for at least the given
// number of seconds. The number is smaller if the engine would run too long. single is the outcome
// of one pass.
func passesFor(single outcome, least float64) int {
	const moment = 1e-6
	return max(1, int(min(math.Ceil(least/max(single.seconds, moment)), patience*least/max(single.total, moment))))
}
