package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// signalled is why a context has ended.
type signalled struct{ signal os.Signal }

func (s signalled) Error() string {
	if s.signal == os.Interrupt {
		return "interrupted"
	}
	return "terminated"
}

// code is the exit code that shells know for the signal.
func (s signalled) code() int {
	if s.signal == os.Interrupt {
		return 128 + int(syscall.SIGINT)
	}
	return 128 + int(syscall.SIGTERM)
}

// heed gives a context that ends with the first SIGINT or SIGTERM. The second
// one ends this process. What whoever started it lets it ignore is ignored.
func heed() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
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

// interrupted is the outcome of a command with regard to a signal: whatever a
// command does after one, even succeed, its exit code tells of the signal.
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
