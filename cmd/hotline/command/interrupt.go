package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// signalled is the cause of a context that a signal has ended.
type signalled struct{ signal os.Signal }

func (s signalled) Error() string {
	switch s.signal {
	case os.Interrupt:
		return "interrupted"
	case syscall.SIGHUP:
		return "hung up"
	}
	return "terminated"
}

// code returns the exit code that shells use for the signal.
func (s signalled) code() int { return 128 + int(s.signal.(syscall.Signal)) }

// heed returns a context that ends with the first SIGINT, SIGTERM or SIGHUP. The second signal ends
// this process. A signal that was ignored at the start, for example by nohup, stays ignored.
func heed() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		cancel(signalled{<-signals})
		os.Exit(signalled{<-signals}.code())
	}()
	return ctx
}

// interrupted returns the outcome of a command. If a signal has arrived, the exit code reports the
// signal, even if the command succeeded.
func interrupted(ctx context.Context, outcome error) error {
	s := signalled{}
	if !errors.As(context.Cause(ctx), &s) {
		return outcome
	}
	if !errors.As(outcome, &s) {
		outcome = errors.Join(s, outcome)
	}
	return &exitError{s.code(), outcome}
}
