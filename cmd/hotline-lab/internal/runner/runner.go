// Package runner runs the campaigns of hotline-lab. It runs numbered episodes concurrently,
// accumulates their results and reports progress.
package runner

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hotline-rtl/hotline/sim/campaign"
)

// Campaign describes a campaign. An episode depends on its number only.
type Campaign[R any] struct {
	Episodes int
	Run      func(episode int) (R, error)
	Add      func(R)       // accumulates the result of an episode, including a failed one
	Progress func() string // describes the results accumulated so far
	Every    int           // episodes between two progress reports
	Log      io.Writer
}

// All runs the episodes until one fails. It returns the error of the failed episode with the lowest
// number.
func (c Campaign[R]) All() error {
	var mutex sync.Mutex
	start, done := time.Now(), 0
	run := func(episode int) error {
		r, err := c.Run(episode)
		mutex.Lock()
		defer mutex.Unlock()
		c.Add(r)
		if done++; done%c.Every == 0 {
			left := time.Since(start).Minutes() / float64(done) * float64(c.Episodes-done)
			fmt.Fprintf(c.Log, "%s, %.0f minutes left\n", c.Progress(), left)
		}
		return err
	}
	return campaign.Each(c.Episodes, func() func(int) error { return run })
}

// Repeatable wraps the error of an episode with the command that reproduces it.
func Repeatable(err error, seed uint64, number int, command string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("seed %d, episode %d: %w\nto reproduce it: %s", seed, number, err, command)
}

// Parts returns the number of parts of at most each items into which n items are divided.
func Parts(n, each int) int { return (n + each - 1) / each }
