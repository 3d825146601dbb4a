package wave

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ReadVCD reads the signals with the given paths from a value change dump of any simulator. Paths
// begin below the outermost scope. The clock divides the dump into cycles: cycle n begins at the
// rising edge at about time n*period, where the period is the shortest distance of two edges. Its
// values are the last ones before the next rising edge. Values with x or z are unknown.
func ReadVCD(r io.Reader, clock string, paths ...string) (*Trace, error) {
	v := newVCDReader(r)
	err := v.header()
	if err == nil {
		err = v.changes(clock)
	}
	if err == nil {
		err = v.lines.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", v.line, err)
	}
	return v.trace(paths)
}

// ReadSignals reads the signals that a value change dump declares, in their order.
func ReadSignals(r io.Reader) ([]Signal, error) {
	v := newVCDReader(r)
	if err := v.header(); err != nil {
		return nil, fmt.Errorf("line %d: %w", v.line, err)
	}
	return v.signals, nil
}

func newVCDReader(r io.Reader) *vcdReader {
	v := &vcdReader{lines: bufio.NewScanner(r), codes: map[string][]int{}}
	v.lines.Buffer(nil, 1<<26)
	return v
}

// vcdReader reads a dump.
type vcdReader struct {
	lines   *bufio.Scanner
	line    int
	words   []string // of the line, not yet read
	signals []Signal
	codes   map[string][]int // signals by code
	rises   []uint64         // times of the rising edges of the clock
	events  []vcdEvent
}

// vcdEvent is a change of a signal.
type vcdEvent struct {
	time   uint64
	signal int
	value  []uint64
}

// next returns the next word, or "" at the end.
func (v *vcdReader) next() string {
	for len(v.words) == 0 {
		if !v.lines.Scan() {
			return ""
		}
		v.line++
		v.words = strings.Fields(v.lines.Text())
	}
	word := v.words[0]
	v.words = v.words[1:]
	return word
}

// section returns the words up to $end.
func (v *vcdReader) section() (words []string, err error) {
	for {
		switch word := v.next(); word {
		case "$end":
			return words, nil
		case "":
			return nil, errors.New("the file ends, expected $end")
		default:
			words = append(words, word)
		}
	}
}

// header reads the declarations.
func (v *vcdReader) header() error {
	var scopes []string
	for {
		keyword := v.next()
		if !strings.HasPrefix(keyword, "$") {
			return fmt.Errorf("%q, expected a declaration such as $scope", keyword)
		}
		words, err := v.section()
		if err != nil {
			return err
		}
		switch {
		case keyword == "$enddefinitions":
			return nil
		case keyword == "$scope" && len(words) == 2:
			scopes = append(scopes, words[1])
		case keyword == "$upscope" && len(scopes) > 0:
			scopes = scopes[:len(scopes)-1]
		case keyword == "$var" && len(words) >= 4 && len(scopes) > 0:
			width, err := strconv.Atoi(words[1])
			if err != nil || width < 1 {
				return fmt.Errorf("width %q, expected a number from 1", words[1])
			}
			name, _, _ := strings.Cut(words[3], "[") // bounds may follow without a space
			if strings.HasSuffix(words[3], "]") && !strings.Contains(words[3], ":") {
				name = words[3] // an element
			}
			v.codes[words[2]] = append(v.codes[words[2]], len(v.signals))
			v.signals = append(v.signals, Signal{Path: append(append([]string{}, scopes[1:]...), name), Width: width})
		case keyword == "$scope" || keyword == "$upscope" || keyword == "$var":
			return fmt.Errorf("%s %s, expected a complete declaration", keyword, strings.Join(words, " "))
		}
	}
}

// changes reads the values.
func (v *vcdReader) changes(clock string) error {
	ticks := slices.IndexFunc(v.signals, func(s Signal) bool { return strings.Join(s.Path, ".") == clock })
	if ticks < 0 {
		return fmt.Errorf("no clock %q", clock)
	}
	now, low := uint64(0), true
	for word := v.next(); word != ""; word = v.next() {
		switch {
		case word[0] == '#':
			t, err := strconv.ParseUint(word[1:], 10, 64)
			if err != nil || t < now {
				return fmt.Errorf("time %q, expected a number from %d", word, now)
			}
			now = t
		case word == "$comment":
			if _, err := v.section(); err != nil {
				return err
			}
		case word[0] != '$': // $dumpvars and its $end change nothing
			list, value, err := v.change(word)
			if err != nil {
				return err
			}
			if high := value != nil && value[0] == 1; slices.Contains(list, ticks) {
				if high && low {
					v.rises = append(v.rises, now)
				}
				low = !high
			}
			for _, i := range list {
				v.events = append(v.events, vcdEvent{now, i, value})
			}
		}
	}
	return nil
}

// change reads a change, whose first word is given. The value is nil if it has unknown digits or is
// real.
func (v *vcdReader) change(word string) (signals []int, value []uint64, err error) {
	digits, code := word[:1], word[1:]
	if strings.ContainsAny(digits, "bBrR") {
		digits, code = word[1:], v.next()
	}
	signals, known := v.codes[code]
	if !known {
		return nil, nil, fmt.Errorf("a value of %q, expected the code of a signal", code)
	}
	if strings.ContainsAny(word[:1], "rR") || strings.ContainsAny(digits, "xXzZ") {
		return signals, nil, nil
	}
	value = make([]uint64, (max(len(digits), v.signals[signals[0]].Width)+63)/64)
	for i := 0; i < len(value) && 64*i < len(digits); i++ {
		end := len(digits) - 64*i
		if value[i], err = strconv.ParseUint(digits[max(0, end-64):end], 2, 64); err != nil {
			return nil, nil, fmt.Errorf("value %q, expected the digits 0, 1, x and z", digits)
		}
	}
	return signals, value, nil
}

// trace returns the changes by cycle.
func (v *vcdReader) trace(paths []string) (*Trace, error) {
	if len(v.rises) < 2 {
		return nil, fmt.Errorf("the clock rises %d times, expected at least 2 times", len(v.rises))
	}
	period := v.rises[1] - v.rises[0]
	for i, t := range v.rises[1:] {
		period = min(period, t-v.rises[i])
	}
	t := NewTrace(paths...)
	if err := t.Begin("", v.signals); err != nil {
		return nil, err
	}
	first, base := v.rises[0], v.rises[0]/period
	at := 0
	for _, e := range v.events {
		for ; at < len(v.rises) && v.rises[at] <= e.time; at++ {
			t.Cycle(base + (v.rises[at]-first+period/2)/period)
		}
		t.Change(e.signal, e.value)
	}
	return t, nil
}
