package faults

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/runner"
)

// Number of commands of an episode, and its time limit, which is a hundred times the usual
// duration.
const (
	episodeCommands  = 10_000
	hardwareCommands = 1_000
	patience         = 10 * time.Minute
)

// episodes returns the number of episodes: first on the functional model, then on the cycle model
// of the hardware.
func (s Settings) episodes() int { return s.models() + ceil(s.Hardware, hardwareCommands) }

func (s Settings) models() int { return ceil(s.Commands, episodeCommands) }

func ceil(n, d int) int { return (n + d - 1) / d }

// of returns the episode with this number.
func (s Settings) of(number int) episode {
	if k := number - s.models(); k >= 0 {
		return episode{seed: s.Seed, number: number, rate: s.Rate, hardware: true, commands: min(hardwareCommands, s.Hardware-k*hardwareCommands)}
	}
	return episode{seed: s.Seed, number: number, rate: s.Rate, commands: min(episodeCommands, s.Commands-number*episodeCommands)}
}

// Run runs the episodes. It writes the results to out and progress to log.
func (s Settings) Run(out, log io.Writer) (err error) {
	sum := newResult()
	if s.Episode >= 0 {
		sum, err = s.watched(s.Episode)
	} else {
		err = s.all(sum, log)
	}
	if s.JSON {
		return errors.Join(err, sum.printJSON(out, s))
	}
	sum.print(out)
	return err
}

// all runs all episodes. It starts with the episodes on the hardware, which take longest.
func (s Settings) all(sum *result, log io.Writer) error {
	last, done := s.episodes()-1, 0
	return runner.Campaign[*result]{
		Episodes: s.episodes(),
		Run:      func(episode int) (*result, error) { return s.watched(last - episode) },
		Add: func(r *result) {
			sum.add(r)
			done++
		},
		Progress: func() string {
			return fmt.Sprintf("%d of %d episodes, %d commands, %d faults", done, s.episodes(), sum.commands, sum.total())
		},
		Every: 10,
		Log:   log,
	}.All()
}

// watched runs an episode and terminates the program if the episode exceeds its time limit.
func (s Settings) watched(number int) (*result, error) {
	again := fmt.Sprintf("scripts/soak --faults --commands %d --hardware %d --rate %v --seed %d --episode %d", s.Commands, s.Hardware, s.Rate, s.Seed, number)
	hung := time.AfterFunc(patience, func() {
		fmt.Fprintf(os.Stderr, "faults: episode %d has not ended after %v; to reproduce it: %s\n", number, patience, again)
		os.Exit(1)
	})
	defer hung.Stop()
	r, err := s.of(number).run()
	return r, runner.Repeatable(err, s.Seed, number, again)
}
