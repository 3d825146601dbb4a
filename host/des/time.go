package des

import (
	"math"
	"strconv"
	"strings"
)

// Time is simulated time, or a duration, in picoseconds. A 24-byte TLP on a Gen3 x16 link takes 1.5
// ns, so nanoseconds would be too coarse. The range is 106 days.
type Time int64

// Common durations.
const (
	Picosecond  Time = 1
	Nanosecond       = 1000 * Picosecond
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// Seconds converts s seconds to a Time, rounded to the nearest picosecond.
func Seconds(s float64) Time { return Time(math.Round(s * float64(Second))) }

// Period returns the duration of one cycle of a clock of hz hertz, rounded to the nearest
// picosecond. For example, 350 MHz becomes 2857 ps, which is 0.005 % too fast.
func Period(hz float64) Time { return Seconds(1 / hz) }

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// String formats t exactly, in the largest unit that does not exceed it: "1.5ns".
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
		// unit+rest has a leading 1 before the zero-padded fraction.
		frac := strconv.FormatInt(int64(unit+rest), 10)[1:]
		s += "." + strings.TrimRight(frac, "0")
	}
	return s + name
}
