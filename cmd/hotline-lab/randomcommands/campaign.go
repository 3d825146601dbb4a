package randomcommands

import (
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/runner"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/trial"
)

// An episode ends after episodeCommands completed commands. In each wrapEvery-th episode, the ring
// indices first run up to their overflow.
const (
	episodeCommands = 1000
	wrapEvery       = 512
)

// episodes runs the episodes of a campaign on a device.
type episodes struct {
	Settings
	device
	coverage *coverage // may be nil
}

// of returns the episode with this number.
func (c *episodes) of(number int) trial.Episode {
	simulate := c.simulate
	if c.coverage != nil {
		simulate = c.coverage.simulate
	}
	return trial.Episode{Params: c.Params, Simulate: simulate, Seed: c.Seed, Number: number,
		Commands: episodeCommands, Wrap: number%wrapEvery == wrapEvery-1}
}

// run runs all episodes. Their number depends on the settings only, not on the speed of the
// simulation.
func (c *episodes) run(log io.Writer) (*trial.Result, error) {
	sum := trial.NewResult()
	return sum, runner.Campaign[*trial.Result]{
		Episodes: runner.Parts(c.Commands, episodeCommands),
		Run: func(number int) (*trial.Result, error) {
			r, err := c.of(number).Run()
			return r, runner.Repeatable(err, c.Seed, number,
				fmt.Sprintf("scripts/random-commands --config %s --seed %d --episode %d", c.Config, c.Seed, number))
		},
		Add:      sum.Add,
		Progress: func() string { return fmt.Sprintf("%d commands, %d cycles", sum.Commands, sum.Cycles) },
		Every:    16,
		Log:      log,
	}.All()
}
