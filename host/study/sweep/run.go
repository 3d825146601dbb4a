package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Options are the options of Run.
type Options struct {
	Program string // the executable of the verbs
	Jobs    int    // number of points that run concurrently
	// Progress, unless nil, is called before the first point and after each point. Calls are not
	// concurrent. line describes a failed point and is empty otherwise.
	Progress func(done, total int, line string)
}

// Run runs the points that are missing or have failed. A failed point is not an error. When the
// context ends, running points are terminated and leave no result.
func Run(ctx context.Context, s *Store, o Options) error {
	points, err := s.Unfinished()
	if err != nil {
		return err
	}
	var (
		todo  = make(chan int)
		mutex sync.Mutex
		wait  sync.WaitGroup
		errs  []error
		done  int
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Progress != nil && len(points) > 0 {
		o.Progress(0, len(points), "")
	}
	for range min(o.Jobs, len(points)) {
		wait.Go(func() {
			for n := range todo {
				e, err := s.RunPoint(ctx, n, o.Program)
				mutex.Lock()
				if done++; err != nil && !errors.Is(err, errEnded) {
					errs = append(errs, err)
					cancel()
				} else if o.Progress != nil {
					o.Progress(done, len(points), s.Failure(n, e, err))
				}
				mutex.Unlock()
			}
		})
	}
	for _, n := range points {
		select {
		case todo <- n:
		case <-ctx.Done():
		}
	}
	close(todo)
	wait.Wait()
	if len(errs) > 0 {
		return errs[0]
	}
	return context.Cause(ctx)
}

// Failure describes a point that failed or was terminated. It returns an empty string for other
// points.
func (s *Store) Failure(n int, e End, err error) string {
	switch {
	case err != nil:
		return fmt.Sprintf("point %d (%s): %v", n, s.Plan.label(n), err)
	case e.Status == Failed:
		return fmt.Sprintf("point %d (%s) failed: %s", n, s.Plan.label(n), e.Message)
	}
	return ""
}

// RunPoint runs point n, unless it is done, and stores its result. It returns an error if there is
// no result, for example because the context or the program was terminated.
func (s *Store) RunPoint(ctx context.Context, n int, program string) (End, error) {
	if e, err := s.End(n); err != nil || e.Status == Done {
		return e, err
	}
	p := s.Plan.Points[n]
	dir, err := os.MkdirTemp(s.folder(p), attempt)
	if err != nil {
		return End{}, err
	}
	e, err := s.execute(ctx, p, program, dir)
	if err != nil {
		return e, errors.Join(err, os.RemoveAll(dir))
	}
	e.Attempt = filepath.Base(dir)
	return e, s.keep(p, e)
}

// patience is the time that a terminated program has to exit.
const patience = 20 * time.Second

// execute runs a point. Its output and log are written to a folder.
func (s *Store) execute(ctx context.Context, p Point, program, dir string) (e End, err error) {
	output, err := outfile.Stream(filepath.Join(dir, outputFile))
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, output.Close()) }()
	log, err := outfile.Stream(filepath.Join(dir, logFile))
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	c := s.command(ctx, p, program)
	c.Stdout, c.Stderr, c.WaitDelay = output, log, patience
	apart(c)
	ran := c.Run()
	if ctx.Err() != nil {
		return e, context.Cause(ctx)
	}
	return ended(c, ran, log.Name())
}

// command returns the command of a point.
func (s *Store) command(ctx context.Context, p Point, program string) *exec.Cmd {
	if byPath(s.Plan.Program) {
		return exec.CommandContext(ctx, s.Plan.Program, p.Arguments...)
	}
	args := append(strings.Fields(s.Plan.Program), p.fileArguments(s.folder(p))...)
	args = append(append(args, p.Arguments...), "--json")
	return exec.CommandContext(ctx, program, args...)
}

// errEnded is returned if another process terminated the program.
var errEnded = errors.New("the program was ended from outside")

// ended returns how a program ended. A program that received a termination signal has no result.
// This process may receive the same signal shortly afterwards.
func ended(c *exec.Cmd, ran error, log string) (End, error) {
	state := c.ProcessState
	if state == nil {
		return End{Status: Failed, ExitCode: -1, Message: ran.Error()}, nil
	}
	code := state.ExitCode()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if w, ok := state.Sys().(syscall.WaitStatus); code == 128+int(s) || ok && w.Signaled() && w.Signal() == s {
			return End{}, fmt.Errorf("%w: %v", errEnded, s)
		}
	}
	if code == 0 {
		return End{Status: Done}, nil
	}
	text, err := os.ReadFile(log)
	if code < 0 {
		return End{Status: Failed, ExitCode: code, Message: state.String()}, err
	}
	return End{Status: Failed, ExitCode: code, Message: format.CutMessage(lastLine(text))}, err
}

// lastLine returns the last line of a text that is not blank.
func lastLine(text []byte) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}
