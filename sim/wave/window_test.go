package wave_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/wave"
)

const (
	period = 10
	cycles = 60
)

var signals = []wave.Signal{{Path: []string{"bit"}, Width: 1}, {Path: []string{"lane[0]", "word"}, Width: 70}, {Path: []string{"still"}, Width: 4}}

// quiet reports whether the design is idle in cycle n. Idle cycles are not recorded.
func quiet(n uint64) bool { return n >= 20 && n < 30 || n >= 41 && n < 44 }

// play60 records 60 cycles.
func play60(t *testing.T, v *wave.VCD) {
	require.NoError(t, v.Begin("top", signals))
	for n := range uint64(cycles) {
		if quiet(n) {
			continue
		}
		v.Cycle(n)
		if n == 0 {
			v.Change(2, []uint64{9})
		}
		v.Change(0, []uint64{n / 3 % 2})
		v.Change(1, []uint64{n * n << 50, n % 7})
	}
	require.NoError(t, v.Close())
}

// dump is a dump as a viewer understands it.
type dump struct {
	codes []string
	first map[string]string   // in $dumpvars
	times []uint64            // ascending
	at    []map[string]string // values starting at these times
}

// parse reads a dump like a viewer. It fails the test if the dump is malformed.
func parse(t *testing.T, text string) dump {
	t.Helper()
	header, body, ok := strings.Cut(text, "$enddefinitions $end\n")
	require.True(t, ok, "a whole header")
	d := dump{}
	for _, line := range strings.Split(header, "\n") {
		if f := strings.Fields(line); len(f) > 3 && f[0] == "$var" {
			d.codes = append(d.codes, f[3])
		}
	}
	require.True(t, body == "" || strings.HasSuffix(body, "\n"), "a whole last line")
	values, inFirst := map[string]string{}, false
	for _, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		switch {
		case line == "":
		case line == "$dumpvars":
			inFirst = true
			require.Len(t, d.times, 1, "at the first time")
		case line == "$end":
			require.True(t, inFirst)
			inFirst, d.first = false, d.at[0]
		case line[0] == '#':
			now, err := strconv.ParseUint(line[1:], 10, 64)
			require.NoError(t, err)
			if n := len(d.times); n > 0 {
				require.Greater(t, now, d.times[n-1])
			}
			next := map[string]string{}
			for code, value := range values {
				next[code] = value
			}
			values = next
			d.times, d.at = append(d.times, now), append(d.at, values)
		default:
			value, code := line[:1], line[1:]
			if value == "b" {
				value, code, ok = strings.Cut(line[1:], " ")
				require.True(t, ok, line)
			}
			require.Contains(t, d.codes, code)
			require.NotEmpty(t, d.times, "a time before values")
			values[code] = value
		}
	}
	require.False(t, inFirst)
	return d
}

// value returns the value of a signal at a time.
func (d dump) value(code string, at uint64) string {
	for i := len(d.times) - 1; i >= 0; i-- {
		if d.times[i] <= at {
			return d.at[i][code]
		}
	}
	return "none"
}

func recorded(t *testing.T, set func(v *wave.VCD)) (string, *wave.VCD) {
	var b bytes.Buffer
	v := wave.NewVCD(&b, period)
	set(v)
	play60(t, v)
	return b.String(), v
}

// TestWindow: in every window, a viewer sees the same values as in a dump of the whole run.
func TestWindow(t *testing.T) {
	text, _ := recorded(t, func(*wave.VCD) {})
	whole := parse(t, text)
	for from := range uint64(cycles) {
		for _, length := range []uint64{1, 2, 7, 100} {
			to := from + length
			text, v := recorded(t, func(v *wave.VCD) { v.Window(from, to) })
			got := parse(t, text)
			require.False(t, v.Empty())
			require.Equal(t, uint64(cycles), v.Cycles())
			require.Equal(t, from*period, got.times[0], "%d to %d", from, to)
			require.Equal(t, min(to, cycles)*period, got.times[len(got.times)-1], "%d to %d", from, to)
			require.Len(t, got.first, 1+len(signals), "every signal has a value from the start on")
			for at := from * period; at < min(to, cycles)*period; at++ {
				for _, code := range whole.codes {
					if want, have := whole.value(code, at), got.value(code, at); have != want {
						require.Equal(t, want, have, "window %d to %d, signal %s at %d", from, to, code, at)
					}
				}
			}
		}
	}
}

// TestWindowBehindTheEnd: a window after the end gives a dump with a header only, and the recorder
// reports this.
func TestWindowBehindTheEnd(t *testing.T) {
	text, v := recorded(t, func(v *wave.VCD) { v.Window(60, 70) })
	require.True(t, v.Empty())
	require.Empty(t, parse(t, text).times)
}

// TestLimit: for every limit, the dump is complete and a prefix of the unlimited dump. It is as
// long as the limit allows.
func TestLimit(t *testing.T) {
	text, _ := recorded(t, func(*wave.VCD) {})
	whole, header := parse(t, text), strings.Index(text, "#0\n")
	most := 0
	for limit := 1; limit < len(text)+100; limit += 5 {
		var stopped []uint64
		short, v := recorded(t, func(v *wave.VCD) { v.Limit(int64(limit), func(cycle uint64) { stopped = append(stopped, cycle) }) })
		require.LessOrEqual(t, len(short), max(header, limit))
		got := parse(t, short)
		if len(stopped) == 0 {
			require.Equal(t, text, short)
			continue
		}
		require.Len(t, stopped, 1)
		require.Equal(t, v.Empty(), stopped[0] == 0)
		if v.Empty() {
			require.Len(t, short, header)
			continue
		}
		last := len(got.times) - 1
		require.Equal(t, stopped[0]*period, got.times[last], "up to where it stopped")
		require.Equal(t, whole.times[:last], got.times[:last])
		require.Equal(t, whole.at[:last], got.at[:last])
		most = max(most, last)
	}
	require.Greater(t, most, len(whole.times)-4, "with nearly enough room nearly all is there")
	require.Len(t, whole.first, 1+len(signals))
}
