package randomcommands

import (
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/runner"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/trial"
)

// An episode ends after stretchCommands completed commands. In each wrapEvery-th episode, the ring
// indices first run up to their overflow.
const (
	stretchCommands = 1000
	wrapEvery       = 512
)

// stretches runs the episodes of a campaign on a device.
type stretches struct {
	Settings
	device
	coverage *coverage // may be nil
}

// of returns the episode with this number.
func (c *stretches) of(number int) trial.Stretch {
	simulate := c.simulate
	if c.coverage != nil {
		simulate = c.coverage.simulate
	}
	return trial.Stretch{Params: c.Params, Simulate: simulate, Seed: c.Seed, Number: number,
		Commands: stretchCommands, Wrap: number%wrapEvery == wrapEvery-1}
}

// run runs all episodes. Their number depends on the settings only, not on the speed of the
// simulation.
func (c *stretches) run(log io.Writer) (*trial.Result, error) {
	sum := trial.NewResult()
	return sum, runner.Campaign[*trial.Result]{
		Episodes: runner.Parts(c.Commands, stretchCommands),
		Run: func(number int) (*trial.Result, error) {
			r, err := c.of(number).Run()
			return r, runner.Repeatable(err, c.Seed, number,
				fmt.Sprintf("scripts/random-commands --config %s --seed %d --stretch %d", c.Config, c.Seed, number))
		},
		Add:      sum.Add,
		Progress: func() string { return fmt.Sprintf("%d commands, %d cycles", sum.Commands, sum.Cycles) },
		Every:    16,
		Log:      log,
	}.All()
}
