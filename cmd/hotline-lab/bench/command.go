package bench

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// run runs a command in dir. Its error contains the end of the command's output.
func run(cmd *exec.Cmd, dir string) error {
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, out[max(0, len(out)-2000):])
	}
	return nil
}

// withStderr adds the standard error of the program to err.
func withStderr(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}

// progress reports the start of an activity on standard error, the elapsed time every ten seconds,
// and the total time when done is called.
func progress(format string, args ...any) (done func()) {
	fmt.Fprintf(os.Stderr, format+" ...", args...)
	start, end, ended := time.Now(), make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(os.Stderr, " %.0f", time.Since(start).Seconds())
			case <-end:
				fmt.Fprintf(os.Stderr, " %.1f s\n", time.Since(start).Seconds())
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
