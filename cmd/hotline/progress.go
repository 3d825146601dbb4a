package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a job is: a bar per system on a terminal, a line at
// every tenth elsewhere.
func progress(w io.Writer) func(system string, done, total int) {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return bars(w)
	}
	return func(system string, done, total int) {
		if done == total || done*10/total != (done-1)*10/total {
			fmt.Fprintf(w, "%s: %d of %d mini-batches\n", system, done, total)
		}
	}
}

func bars(w io.Writer) func(system string, done, total int) {
	var bar *progressbar.ProgressBar
	current := ""
	return func(system string, done, total int) {
		if system != current {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(fmt.Sprintf("%-8s", system)),
				progressbar.OptionShowCount(), progressbar.OptionSetWidth(40), progressbar.OptionSetPredictTime(true),
				progressbar.OptionOnCompletion(func() { fmt.Fprintln(w) }))
			current = system
		}
		_ = bar.Set(done) // an error is a broken terminal
	}
}
