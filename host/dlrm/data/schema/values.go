package schema

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// kindOf is a kind of values: the conversion and a description, for errors.
type kindOf[T any] struct {
	parse func(value []byte) (T, bool)
	want  string
}

// numbers lists the kinds of dense columns.
var numbers = map[string]kindOf[float64]{
	"number":  {parseFloat, "a number"},
	"integer": {func(v []byte) (float64, bool) { n, ok := parseInt(v); return float64(n), ok }, "an integer"},
	"hour":    {parseHour, "a time of the form YYMMDDHH"},
}

// ids lists the kinds of categorical columns.
var ids = map[string]kindOf[uint64]{
	"text":        {hashed, "a text of at least one character"},
	"decimal":     {parseUint, "a decimal id below 2^32"},
	"signed":      {parseSigned, "a decimal id from -2^31 to 2^32-1"},
	"hexadecimal": {parseHex, "a hexadecimal id of 1 to 8 digits"},
}

// valid returns the description of a kind if a value is not of this kind.
func valid(kind string, value []byte) (want string) {
	if n, isNumber := numbers[kind]; isNumber {
		if _, ok := n.parse(value); !ok {
			return n.want
		}
		return ""
	}
	if _, ok := ids[kind].parse(value); !ok {
		return ids[kind].want
	}
	return ""
}

// parseHex parses 1 to 8 hexadecimal digits.
func parseHex(value []byte) (id uint64, ok bool) {
	for _, c := range value {
		switch {
		case '0' <= c && c <= '9':
			id = id<<4 | uint64(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			id = id<<4 | uint64(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return id, 1 <= len(value) && len(value) <= 8
}

// parseUint parses a decimal number below 2^32.
func parseUint(value []byte) (n uint64, ok bool) {
	for _, c := range value {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, 1 <= len(value) && len(value) <= 10 && n < 1<<32
}

// parseSigned parses a decimal number from -2^31 to 2^32-1. The id of -1 is 2^32-1.
func parseSigned(value []byte) (id uint64, ok bool) {
	digits, negative := bytes.CutPrefix(value, []byte{'-'})
	id, ok = parseUint(digits)
	if negative {
		ok = ok && id <= 1<<31
		id = uint64(uint32(-id))
	}
	return id, ok
}

// hashed returns 32 bits of a hash of a text (FNV-1a).
func hashed(value []byte) (id uint64, ok bool) {
	h := uint64(0xcbf29ce484222325)
	for _, c := range value {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return detmath.Hash(h) >> 32, len(value) > 0
}

// vocabulary returns a conversion of a text to its index in a list, or to the length of the list.
func vocabulary(list []string) func(value []byte) (uint64, bool) {
	index := map[string]uint64{}
	for i, text := range list {
		index[text] = uint64(i)
	}
	return func(value []byte) (uint64, bool) {
		if i, ok := index[string(value)]; ok {
			return i, true
		}
		return uint64(len(list)), true
	}
}

func parseInt(value []byte) (int64, bool) {
	if n, ok := parseUint(value); ok {
		return int64(n), true
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	return n, err == nil
}

// parseFloat parses a number in the range of float32.
func parseFloat(value []byte) (float64, bool) {
	x, err := strconv.ParseFloat(string(value), 64)
	return x, err == nil && math.Abs(x) <= math.MaxFloat32
}

// parseHour parses the hour of a time, as a fraction of the day.
func parseHour(value []byte) (float64, bool) {
	n, ok := parseUint(value)
	hour := n % 100
	return float64(hour) / 24, ok && len(value) == 8 && hour < 24
}

// logs contains the precomputed features of the most frequent counts.
var logs = func() (l [1 << 12]float32) {
	for n := range l {
		l[n] = float32(detmath.Log(1 + float64(n)))
	}
	return l
}()

// logCount returns ln(1+max(x, 0)).
func logCount(x float64) float32 {
	x = max(x, 0)
	if n := int(min(x, float64(len(logs)))); n < len(logs) && float64(n) == x {
		return logs[n]
	}
	return float32(detmath.Log(1 + x))
}

// split appends the parts of values between separators.
func split(to, values [][]byte, separator byte) [][]byte {
	for _, v := range values {
		for more := true; more; {
			var part []byte
			part, v, more = bytes.Cut(v, []byte{separator})
			to = append(to, part)
		}
	}
	return to
}

func joined(values [][]byte) []byte { return bytes.Join(values, []byte(", ")) }

// listed returns "a, b or c".
func listed(values []string) string {
	last := len(values) - 1
	if last == 0 {
		return values[0]
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}
