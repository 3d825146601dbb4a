package command

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress shows the progress of several jobs, which may run concurrently. On a terminal it draws a
// bar for all of them. Otherwise it prints a line at every tenth of each job, and after every 30 s
// without a line. Both estimate the remaining time.
type progress interface {
	// show reports that done of total units of a job are done; total is 0 if it is not known.
	show(job string, done, total int)
	// say prints a line.
	say(line string)
	// end leaves the output at the start of a line. It may be called repeatedly.
	end()
}

// newProgress returns a progress on w; units is the name of the units.
func newProgress(w io.Writer, units string) progress {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &bars{w: w}
	}
	return newLines(w, units)
}

func newLines(w io.Writer, units string) *lines {
	now := time.Now()
	l := &lines{w: w, units: units, shown: map[string]int{}, first: map[string]seen{}, began: now, wrote: now, ended: make(chan struct{})}
	l.beats.Go(l.beat)
	return l
}

type lines struct {
	w     io.Writer
	units string

	mu    sync.Mutex     // guards all fields below, and w
	shown map[string]int // tenths of each job, or units without a total
	first map[string]seen
	began time.Time
	wrote time.Time // time of the last line
	state string    // of the job shown last

	beats sync.WaitGroup
	ended chan struct{}
}

// silence is the maximum time without a line. Tests shorten it.
var silence = 30 * time.Second

// beat writes a line after each silence, until the end.
func (l *lines) beat() {
	everySecond(l.ended, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if time.Since(l.wrote) >= silence {
			l.line(cmp.Or(l.state, "still running") + ", " + after(l.began))
		}
	})
}

// after formats the time since began.
func after(began time.Time) string {
	return "after " + time.Since(began).Round(time.Second).String()
}

// everySecond calls tick until ended is closed.
func everySecond(ended <-chan struct{}, tick func()) {
	ticks := time.NewTicker(time.Second)
	defer ticks.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticks.C:
			tick()
		}
	}
}

// patiently calls work, which reports no progress itself. After each silence it writes a line. If
// open is not empty, it is the beginning of an unfinished line on w. The function then writes open
// again after each line.
func patiently(w io.Writer, open, text string, work func() error) error {
	began := time.Now()
	wrote, ended := began, make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		everySecond(ended, func() {
			if time.Since(wrote) >= silence {
				wrote = time.Now()
				fmt.Fprintf(w, "%s, %s\n%s", text, after(began), open)
			}
		})
	})
	err := work()
	close(ended)
	beats.Wait()
	return err
}

// line writes a line.
func (l *lines) line(text string) {
	l.wrote = time.Now()
	fmt.Fprintln(l.w, text)
}

// seen is a time and the progress of a job at that time.
type seen struct {
	at   time.Time
	done int
}

func (l *lines) show(job string, done, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if total == 0 {
		l.state = fmt.Sprintf("%s: %d %s", job, done, l.units)
		if done >= 2*l.shown[job] { // at decreasing frequency
			l.shown[job] = done
			l.line(l.state)
		}
		return
	}
	if _, ok := l.first[job]; !ok {
		l.first[job] = seen{time.Now(), done}
	}
	l.state = fmt.Sprintf("%s: %d of %d %s", job, done, total, l.units)
	if now := int(float64(done) * 10 / float64(total)); now > l.shown[job] {
		l.shown[job] = now
		l.line(l.state + l.first[job].left(done, total))
	}
}

// left returns how many minutes a job will take at the pace since it was first seen. It returns ""
// for less than a minute.
func (first seen) left(done, total int) string {
	if done <= first.done {
		return ""
	}
	rest := time.Duration(float64(time.Since(first.at)) * float64(total-done) / float64(done-first.done))
	if rest < time.Minute {
		return ""
	}
	return fmt.Sprintf(", about %d min left", int(math.Ceil(rest.Minutes())))
}

func (l *lines) say(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line(text)
}

func (l *lines) end() {
	select {
	case <-l.ended:
	default:
		close(l.ended)
	}
	l.beats.Wait()
}
