package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far each of several jobs is: a bar per job on a terminal, a
// line at every tenth elsewhere.
type progress interface {
	// show says that so many of total units of a job are done.
	show(job string, done, total int)
	// say prints a line.
	say(line string)
	// end leaves the output at the start of a line.
	end()
}

// newProgress makes a progress on w; units is what is counted.
func newProgress(w io.Writer, units string) progress {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &bars{w: w}
	}
	return &lines{w: w, units: units}
}

type lines struct {
	w      io.Writer
	units  string
	job    string
	tenths int // shown of job
}

func (l *lines) show(job string, done, total int) {
	if job != l.job {
		l.job, l.tenths = job, 0
	}
	if now := done * 10 / total; now > l.tenths {
		l.tenths = now
		fmt.Fprintf(l.w, "%s: %d of %d %s\n", job, done, total, l.units)
	}
}

func (l *lines) say(line string) { fmt.Fprintln(l.w, line) }

func (l *lines) end() {}

type bars struct {
	w   io.Writer
	job string
	bar *progressbar.ProgressBar
}

func (b *bars) show(job string, done, total int) {
	if job != b.job {
		b.end()
		b.job = job
		b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.w), progressbar.OptionSetDescription(fmt.Sprintf("%-8s", job)),
			progressbar.OptionShowCount(), progressbar.OptionSetWidth(40), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(50*time.Millisecond), progressbar.OptionOnCompletion(func() { fmt.Fprintln(b.w) }))
	}
	_ = b.bar.Set(done) // an error is a broken terminal
}

// say puts the line where the bar was; the bar goes on below it.
func (b *bars) say(line string) {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
	fmt.Fprintln(b.w, line)
}

func (b *bars) end() {
	if b.bar != nil && !b.bar.IsFinished() {
		fmt.Fprintln(b.w)
	}
}
