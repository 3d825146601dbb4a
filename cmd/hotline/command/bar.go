package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// bars draws a single bar for all jobs so far. It requires a terminal.
type bars struct {
	w io.Writer

	mu    sync.Mutex // guards all fields below, and w
	jobs  []jobDone
	first seen      // when the bar started
	drawn time.Time // time of the last redraw
	open  bool      // the cursor is in the line of the bar
}

type jobDone struct {
	name        string
	done, total int
}

// redraw is the minimum time between two redraws of the bar.
const redraw = 50 * time.Millisecond

// clearLine moves the cursor to the start of the line and erases the line.
const clearLine = "\r\x1b[K"

func (b *bars) show(job string, done, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.jobs, func(j jobDone) bool { return j.name == job })
	if i < 0 {
		i, b.jobs = len(b.jobs), append(b.jobs, jobDone{name: job})
	}
	b.jobs[i].done, b.jobs[i].total = done, total
	sum, most, unknown := 0, 0, false
	var names []string
	for _, j := range b.jobs {
		sum, most, unknown = sum+j.done, most+j.total, unknown || j.total == 0
		names = append(names, fmt.Sprintf("%s %d", j.name, j.done))
	}
	full := !unknown && sum >= most
	if !b.open {
		b.open, b.first, b.drawn = true, seen{time.Now(), sum}, time.Time{}
	}
	if !full && time.Since(b.drawn) < redraw {
		return
	}
	b.drawn = time.Now()
	text := enumerate(names)
	if unknown {
		text += ", " + after(b.first.at)
	} else {
		text += drawBar(sum, most) + b.first.left(sum, most)
	}
	fmt.Fprint(b.w, clearLine, text)
	if full {
		b.close()
	}
}

// drawBar returns a bar of 40 columns, with its percentage and its numbers.
func drawBar(done, total int) string {
	const width = 40
	n := min(width, done*width/total)
	return fmt.Sprintf(" %d%% |%s%s| (%d/%d)", done*100/total, strings.Repeat("█", n), strings.Repeat(" ", width-n), done, total)
}

// mostNames is the maximum number of jobs that are named next to a bar.
const mostNames = 3

// enumerate joins the names of the first jobs.
func enumerate(names []string) string {
	if n := len(names) - mostNames; n > 0 {
		names = append(slices.Clone(names[:mostNames]), fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}

// say replaces the bar by the line; the next bar is drawn below it.
func (b *bars) say(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		fmt.Fprint(b.w, clearLine)
	}
	fmt.Fprintln(b.w, line)
	b.drawn = time.Time{}
}

func (b *bars) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		b.close()
	}
}

// close ends the line of the bar.
func (b *bars) close() {
	fmt.Fprintln(b.w)
	b.open = false
}
