package des

import (
	"math"
	"strconv"
	"strings"
)

// Time is simulated time, or a span of it, in picoseconds. A 24-byte TLP on a
// Gen3 x16 link lasts 1.5 ns, so nanoseconds would tie. The range is 106 days.
type Time int64

// Spans of simulated time.
const (
	Picosecond  Time = 1
	Nanosecond       = 1000 * Picosecond
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// Seconds converts s, rounding to the nearest picosecond.
func Seconds(s float64) Time { return Time(math.Round(s * float64(Second))) }

// Period is the length of one cycle of a clock of hz hertz, rounded to the
// nearest picosecond: 350 MHz becomes 2857 ps, which is 0.005 % fast.
func Period(hz float64) Time { return Seconds(1 / hz) }

// Seconds is t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// String prints t exactly, in the largest unit that is not above it: "1.5ns".
func (t Time) String() string {
	if t == 0 {
		return "0s"
	}
	if t == math.MinInt64 { // has no positive counterpart
		return "-9223372.036854775808s"
	}
	if t < 0 {
		return "-" + (-t).String()
	}
	unit, name := Picosecond, "ps"
	for _, u := range []struct {
		size Time
		name string
	}{{Nanosecond, "ns"}, {Microsecond, "us"}, {Millisecond, "ms"}, {Second, "s"}} {
		if t >= u.size {
			unit, name = u.size, u.name
		}
	}
	s := strconv.FormatInt(int64(t/unit), 10)
	if rest := t % unit; rest != 0 {
		// unit+rest has a leading 1 in front of the zero-padded fraction.
		frac := strconv.FormatInt(int64(unit+rest), 10)[1:]
		s += "." + strings.TrimRight(frac, "0")
	}
	return s + name
}
