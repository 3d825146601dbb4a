package randomcommands

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/trial"
)

// A stretch ends when this number of commands has completed; each wrapEvery-th has the
// indices of the rings pass their end first.
const (
	stretchCommands = 1000
	wrapEvery       = 512
)

// campaign is a run of stretches under way.
type campaign struct {
	Settings
	device
	coverage *coverage // or nil
	log      io.Writer
	start    time.Time

	mutex  sync.Mutex
	next   int // stretch
	result *trial.Result
	done   int // stretches
	first  error
}

// of is a stretch of the campaign.
func (c *campaign) of(number int) trial.Stretch {
	simulate := c.simulate
	if c.coverage != nil {
		simulate = c.coverage.simulate
	}
	return trial.Stretch{Params: c.Params, Simulate: simulate, Seed: c.Seed, Number: number,
		Commands: stretchCommands, Wrap: number%wrapEvery == wrapEvery-1}
}

// run runs as many stretches at a time as there are processors, until one fails.
func (c *campaign) run() error {
	c.start = time.Now()
	var wait sync.WaitGroup
	for range runtime.NumCPU() {
		wait.Go(func() {
			for number, ok := c.begin(); ok; number, ok = c.begin() {
				r, err := c.of(number).Run()
				c.end(number, r, err)
			}
		})
	}
	wait.Wait()
	return c.first
}

// begin is the next stretch. How many there are does not depend on how fast they
// are.
func (c *campaign) begin() (number int, ok bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	number = c.next
	c.next++
	return number, c.first == nil && number*stretchCommands < c.Commands
}

// progressEvery is the number of stretches between two lines.
const progressEvery = 16

// end adds up what a stretch has done.
func (c *campaign) end(number int, r *trial.Result, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if r != nil {
		c.result.Add(r)
		c.done++
	}
	if err != nil {
		err = fmt.Errorf("seed %d, stretch %d: %w\nto have it again: scripts/random-commands --config %s --seed %d --stretch %d",
			c.Seed, number, err, c.Config, c.Seed, number)
		if c.first == nil {
			c.first = err
		}
		return
	}
	if c.done%progressEvery == 0 {
		left := time.Since(c.start).Seconds() / float64(c.done*stretchCommands) * float64(c.Commands-c.done*stretchCommands)
		fmt.Fprintf(c.log, "%d commands, %d cycles, %.0f minutes left\n", c.result.Commands, c.result.Cycles, max(left, 0)/60)
	}
}
