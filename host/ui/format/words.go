// Package format formats numbers for people: in groups of three digits, with the name of the
// counted things, and as sizes.
package format

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
)

// Thousands formats n in groups of three digits.
func Thousands(n int64) string { return Digits(fmt.Sprint(n)) }

// Digits groups the digits of an integer by thousands.
func Digits(s string) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Plural returns "1 thing", or a number followed by the plural of thing.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if strings.HasSuffix(thing, "ch") && !strings.HasSuffix(thing, "epoch") {
		thing += "e"
	}
	return fmt.Sprintf("%s %ss", Thousands(int64(n)), thing)
}

// Micro formats a nonnegative time in microseconds.
func Micro(t des.Time) string {
	hundredths := (int64(t) + 5000) / 10_000
	return fmt.Sprintf("%s.%02d us", Thousands(hundredths/100), hundredths%100)
}

// mostBytes is the smallest size that is not formatted as a number.
const mostBytes = 1e18

// About formats an estimated size.
func About(n float64) string {
	if n >= mostBytes {
		return Bytes(n)
	}
	return "about " + Bytes(n)
}

// Bytes formats a size in bytes, in powers of ten.
func Bytes(n float64) string {
	switch {
	case n >= mostBytes:
		return "more than 1,000 PB"
	case n < 1e3:
		return fmt.Sprintf("%.0f B", n)
	}
	for _, u := range []struct {
		size float64
		name string
	}{{1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.1f kB", n/1e3)
}
