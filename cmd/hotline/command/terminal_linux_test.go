package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// onTerminal runs a command line in this process with a terminal of the given width as stdout, and
// returns its output.
func onTerminal(t *testing.T, width int, args ...string) string {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	defer screen.Close()
	require.NoError(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: uint16(width)}))
	stdout, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	printed := make(chan string)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error when stdout is closed
		printed <- strings.ReplaceAll(string(text), "\r\n", "\n")
	}()
	var log lockedBuilder
	code := execute(context.Background(), args, stdout, &log)
	stdout.Close() // execute has also closed it
	text := <-printed
	require.Zero(t, code, log.text.String())
	return text
}

// markup matches the characters that separate cells in Markdown.
var markup = regexp.MustCompile(`(?m)^\|( ?---:? ?\|)+$|\|`)

// misfit compares the output on a terminal with the output to a pipe, and returns the first fault.
// A fault is a line that is too long, although no word is, or a missing word.
func misfit(narrow, wide string, width int) string {
	for line := range strings.Lines(narrow) {
		line = strings.TrimRight(line, "\n")
		if n := utf8.RuneCountInString(line); n > width && len(strings.Fields(line)) > 1 {
			return fmt.Sprintf("a line has %d columns: %q", n, line)
		}
	}
	count := map[string]int{}
	for _, word := range strings.Fields(narrow) {
		count[strings.TrimSuffix(word, ":")]++ // a colon follows a column name before its cell
	}
	for _, word := range strings.Fields(markup.ReplaceAllString(wide, "\n")) {
		word = strings.TrimSuffix(word, ":")
		if count[word]--; count[word] < 0 {
			return fmt.Sprintf("%q is missing", word)
		}
	}
	return ""
}

// TestTerminal: every verb that prints tables fits them to the terminal, without long lines and
// without missing or split words. To a pipe it prints them in full width.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	capture := filepath.Join(dir, "c.pcapng")
	code, _, stderr := hotline("cosim", "--config", tiny, "--batches", "2", "--pcapng", capture)
	require.Zero(t, code, stderr)
	program, err := filepath.Abs("../../../examples/programs/v_add.s")
	require.NoError(t, err)
	for _, args := range [][]string{
		{"cosim", "--config", tiny, "--batches", "2"},
		{"train", "--config", tiny, "--system", "all", "--batches", "2", "--check"},
		{"trace", capture},
		{"trace", capture, "--follow", "1"},
		{"trace", capture, "--type", "doorbell"},
		{"run", program},
		{"data", "profile", "--data", "criteo:" + clicks},
		{"config"}, {"machine"},
		{"reproduce", "hotline/table-ii", "--fresh"},
		{"calibrate", "--from", measurements, "--out", filepath.Join(dir, "mine")},
	} {
		fits(t, args)
	}
}

// TestTerminalCover checks the table of a coverage record, which Verilator is needed to write.
func TestTerminalCover(t *testing.T) {
	record := filepath.Join(t.TempDir(), "cover.json")
	verify := []string{"verify", "--config", tiny, "--engine", "interp", "--cycles", "10", "--stimulus", "random", "--cover", record}
	needed(t, verify)
	code, _, stderr := hotline(verify...)
	require.Zero(t, code, stderr)
	fits(t, []string{"cover", record})
}

// fits requires that the tables of a command line fit terminals of several widths.
func fits(t *testing.T, args []string) {
	t.Helper()
	_, wide, _ := hotline(args...)
	for _, width := range []int{40, 80, 120} {
		narrow := onTerminal(t, width, args...)
		require.Empty(t, misfit(narrow, wide, width), "%v in %d columns:\n%s", args, width, narrow)
	}
	require.NotEmpty(t, misfit(wide, wide, 40), "%v: negative control", args)
}
