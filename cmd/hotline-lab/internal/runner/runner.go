// Package runner runs the campaigns of hotline-lab: numbered episodes side by side, with their results added up, and lines of
// progress.
package runner

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hotline-rtl/hotline/sim/campaign"
)

// Campaign describes a campaign by its episodes. Each depends on nothing but its number.
type Campaign[R any] struct {
	Episodes int
	Run      func(episode int) (R, error)
	Add      func(R)       // takes the result of an episode, even if it failed
	Progress func() string // of what was added so far
	Every    int           // episodes between two lines of progress
	Log      io.Writer
}

// All runs the episodes until one fails. It returns the error of the lowest episode that failed.
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

// Repeatable adds to an error of an episode the command that repeats it.
func Repeatable(err error, seed uint64, number int, command string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("seed %d, stretch %d: %w\nto have it again: %s", seed, number, err, command)
}

// Parts returns how many parts of at most so many things n things have.
func Parts(n, each int) int { return (n + each - 1) / each }
