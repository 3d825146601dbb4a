package command

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLines(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, "cycles")
	for i := range 100 {
		p.show("one", i+1, 100)
	}
	p.show("two", 1, 3)
	p.show("two", 3, 3)
	p.end()
	lines := strings.Split(b.String(), "\n")
	require.Len(t, lines, 10+2+1)
	require.Equal(t, "one: 10 of 100 cycles", lines[0])
	p.say("a line")
	require.True(t, strings.HasSuffix(b.String(), "\na line\n"))
	require.Equal(t, []string{"one: 100 of 100 cycles", "two: 1 of 3 cycles", "two: 3 of 3 cycles", ""}, lines[9:])
}

// TestLinesTellHowLong: lines contain the remaining minutes at the pace since a job was first seen.
func TestLinesTellHowLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		p := newProgress(&b, "cycles")
		for i := range 10 {
			p.show("one", i+1, 10)
			time.Sleep(25 * time.Second) // of the test's clock
		}
		p.end()
		lines := strings.Split(b.String(), "\n")
		require.Equal(t, "one: 1 of 10 cycles", lines[0])
		require.Equal(t, "one: 2 of 10 cycles, about 4 min left", lines[1])
		require.Equal(t, "one: 7 of 10 cycles, about 2 min left", lines[6])
		require.Equal(t, "one: 8 of 10 cycles", lines[7], "less than a minute")
	})
}

// TestHeartbeat: there is a line at least every 30 s, and no line repeats another.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		p := newProgress(&b, "cycles")
		time.Sleep(65*time.Second + time.Millisecond)
		p.show("one", 3, 1_000_000_000)
		time.Sleep(10 * time.Second)
		p.say("a line")
		time.Sleep(29 * time.Second)
		p.show("one", 70, 1_000_000_000)
		time.Sleep(40 * time.Second)
		p.show("two", 4, 0)
		p.show("two", 5, 0)
		time.Sleep(31 * time.Second)
		p.end()
		p.end()
		time.Sleep(time.Hour)
		require.Equal(t, []string{
			"still running, after 30s", "still running, after 1m0s", "a line", "one: 70 of 1000000000 cycles, after 1m46s",
			"one: 70 of 1000000000 cycles, after 2m16s", "two: 4 cycles", "two: 5 cycles, after 2m55s", "",
		}, strings.Split(b.String(), "\n"))
	})
}

// TestPatiently: long work is reported at each silence, and nothing else is printed.
func TestPatiently(t *testing.T) {
	broken := errors.New("broken")
	for open, want := range map[string]string{
		"":        "still at it, after 30s\nstill at it, after 1m0s\n",
		"model: ": "still at it, after 30s\nmodel: still at it, after 1m0s\nmodel: ",
	} {
		synctest.Test(t, func(t *testing.T) {
			var b strings.Builder
			require.Equal(t, broken, patiently(&b, open, "still at it", func() error {
				time.Sleep(89 * time.Second)
				return broken
			}))
			time.Sleep(time.Hour)
			require.Equal(t, want, b.String())
			require.NoError(t, patiently(&b, open, "never", func() error { time.Sleep(29 * time.Second); return nil }))
			require.Equal(t, want, b.String())
		})
	}
}

// TestLinesSideBySide: jobs that alternate do not restart. A job without a total shows its progress
// at every doubling.
func TestLinesSideBySide(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, "cycles")
	for i := range 20 {
		p.show("one", i+1, 20)
		p.show("two", i+1, 0)
	}
	require.Equal(t, 10, strings.Count(b.String(), "one: "))
	require.Equal(t, []string{"two: 1 cycles", "two: 2 cycles", "two: 4 cycles", "two: 8 cycles", "two: 16 cycles"}, regexp.MustCompile("two: .*").FindAllString(b.String(), -1))
}

func TestLinesInFiles(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer f.Close()
	require.IsType(t, &lines{}, newProgress(f, "cycles"))
}

func TestBars(t *testing.T) {
	var b strings.Builder
	p := &bars{w: &b}
	p.end()
	require.Empty(t, b.String())
	p.say("first")
	require.Equal(t, "first\n", b.String())
	b.Reset()
	p.show("one", 1, 2)
	p.show("two", 1, 2)
	p.show("one", 2, 2)
	p.show("two", 2, 2)
	require.Contains(t, b.String(), "one 2, two 2 100% |████████████████████████████████████████| (4/4)")
	require.Equal(t, 1, strings.Count(b.String(), "\n"))
	p.say("a line")
	require.True(t, strings.HasSuffix(b.String(), "\na line\n"), "below the full bar")
	p.show("three", 1, 2)
	require.True(t, strings.HasSuffix(b.String(), "\x1b[Kone 2, two 2, three 1 83% |█████████████████████████████████       | (5/6)"))
	p.say("a line")
	require.True(t, strings.HasSuffix(b.String(), "(5/6)\r\x1b[Ka line\n"), "where the bar was")
	p.show("one", 1, 0)
	require.True(t, strings.HasSuffix(b.String(), "\x1b[Kone 1, two 2, three 1, after 0s"))
	p.end()
	require.True(t, strings.HasSuffix(b.String(), "\n"), "a bar that is not full ends with its line")
}

// TestEnumerate: only some names fit next to a bar.
func TestEnumerate(t *testing.T) {
	require.Equal(t, "a 1, b 2, c 3", enumerate([]string{"a 1", "b 2", "c 3"}))
	require.Equal(t, "a 1, b 2, c 3, 2 more", enumerate([]string{"a 1", "b 2", "c 3", "d 4", "e 5"}))
}
