package faults

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"
)

// Commands of a stretch, and how long it may take: a hundred times what it does.
const (
	stretchCommands  = 10_000
	hardwareCommands = 1_000
	patience         = 10 * time.Minute
)

// campaign is a run of stretches under way.
type campaign struct {
	Settings
	log io.Writer

	mutex  sync.Mutex
	next   int // stretch
	done   int // stretches
	result *result
	first  error
}

// stretches is their number: those on the functional model, then those on the hardware.
func (s Settings) stretches() int { return s.models() + ceil(s.Hardware, hardwareCommands) }

func (s Settings) models() int { return ceil(s.Commands, stretchCommands) }

func ceil(n, d int) int { return (n + d - 1) / d }

// of is a stretch of the campaign.
func (s Settings) of(number int) stretch {
	if k := number - s.models(); k >= 0 {
		return stretch{seed: s.Seed, number: number, rate: s.Rate, hardware: true, commands: min(hardwareCommands, s.Hardware-k*hardwareCommands)}
	}
	return stretch{seed: s.Seed, number: number, rate: s.Rate, commands: min(stretchCommands, s.Commands-number*stretchCommands)}
}

// Run runs the stretches, with the figures on out and progress on log.
func (s Settings) Run(out, log io.Writer) error {
	c := &campaign{Settings: s, log: log, result: newResult()}
	if s.Stretch >= 0 {
		c.end(s.Stretch, c.watched(s.Stretch))
	} else {
		c.all()
	}
	if s.JSON {
		return errors.Join(c.first, c.result.printJSON(out, s))
	}
	c.result.print(out)
	return c.first
}

// all runs as many stretches at a time as there are processors, until one fails.
func (c *campaign) all() {
	var wait sync.WaitGroup
	for range runtime.NumCPU() {
		wait.Go(func() {
			for number, ok := c.begin(); ok; number, ok = c.begin() {
				c.end(number, c.watched(number))
			}
		})
	}
	wait.Wait()
}

// begin is the next stretch. The hardware takes longest and comes first.
func (c *campaign) begin() (number int, ok bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	number = c.stretches() - 1 - c.next
	c.next++
	return number, c.first == nil && number >= 0
}

// outcome is how a stretch has ended.
type outcome struct {
	*result
	err error
}

// watched runs a stretch and ends the program if that does not end.
func (c *campaign) watched(number int) outcome {
	hung := time.AfterFunc(patience, func() {
		fmt.Fprintf(os.Stderr, "faults: stretch %d has not ended after %v; %s\n", number, patience, c.again(number))
		os.Exit(1)
	})
	defer hung.Stop()
	r, err := c.of(number).run()
	return outcome{r, err}
}

func (s Settings) again(number int) string {
	return fmt.Sprintf("to have it again: scripts/soak --faults --commands %d --hardware %d --rate %v --seed %d --stretch %d", s.Commands, s.Hardware, s.Rate, s.Seed, number)
}

// end adds up what a stretch has done.
func (c *campaign) end(number int, o outcome) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.result.add(o.result)
	c.done++
	if o.err != nil && c.first == nil {
		c.first = fmt.Errorf("seed %d, stretch %d: %w\n%s", c.Seed, number, o.err, c.again(number))
	}
	if c.done%10 == 0 {
		fmt.Fprintf(c.log, "%d of %d stretches, %d commands, %d faults\n", c.done, c.stretches(), c.result.commands, c.result.total())
	}
}
