package criteo

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// The columns of a line: a label, integers I1 to I13, hexadecimal ids C1 to C26.
const (
	ints   = 13
	ids    = 26
	fields = 1 + ints + ids

	shape = "40 (a label, 13 integers, 26 hexadecimal ids, separated by tabs)"
)

// Format returns the format of both logs.
func Format() clicklog.Format {
	f := clicklog.Format{Name: "criteo", Expect: "lines of 40 tab-separated fields", Dense: ints, Parse: parse}
	for c := range ids {
		f.Columns = append(f.Columns, fmt.Sprintf("C%d", c+1))
	}
	return f
}

// Open opens the files of a log, in sequence; see clicklog.Open.
func Open(ctx context.Context, paths []string, o clicklog.Options) (*clicklog.Log, error) {
	return clicklog.Open(ctx, Format(), paths, o)
}

// parse parses a line.
func parse(line []byte, in *clicklog.Input) *text.FormatError {
	if n := bytes.Count(line, []byte{'\t'}) + 1; n != fields {
		return clicklog.WrongFields(n, shape)
	}
	for i := range fields {
		field, rest := line, []byte(nil)
		if tab := bytes.IndexByte(line, '\t'); tab >= 0 {
			field, rest = line[:tab], line[tab+1:]
		}
		if want := parseField(i, field, in); want != "" {
			return text.NotA(want, column(i), i+1, field)
		}
		line = rest
	}
	return nil
}

// parseField parses the i-th field of a line. On failure it returns a description of the expected
// value.
func parseField(i int, field []byte, in *clicklog.Input) (want string) {
	switch {
	case i == 0:
		if len(field) != 1 || field[0] != '0' && field[0] != '1' {
			return "0 or 1"
		}
		in.Label = float32(field[0] - '0')
	case i <= ints:
		x, ok := parseInt(field)
		if !ok {
			return "an integer"
		}
		in.Dense[i-1] = logCount(x)
	default:
		id, ok := clicklog.ParseHex(field)
		if len(field) == 0 {
			id, ok = index.Missing, true
		}
		if !ok {
			return "a hexadecimal id of 1 to 8 digits"
		}
		in.IDs[i-1-ints] = id
	}
	return ""
}

// parseInt parses an integer; a missing integer is 0.
func parseInt(field []byte) (int64, bool) {
	if len(field) == 0 {
		return 0, true
	}
	if n, ok := clicklog.ParseUint(field); ok {
		return int64(n), true
	}
	n, err := strconv.ParseInt(string(field), 10, 64)
	return n, err == nil
}

// logs contains the precomputed features of the most frequent counts.
var logs = func() (l [1 << 12]float32) {
	for n := range l {
		l[n] = float32(detmath.Log(1 + float64(n)))
	}
	return l
}()

// logCount returns ln(1+max(x, 0)).
func logCount(x int64) float32 {
	if x = max(x, 0); x < int64(len(logs)) {
		return logs[x]
	}
	return float32(detmath.Log(1 + float64(x)))
}

// column returns the name of the i-th field of a line.
func column(i int) string {
	switch {
	case i == 0:
		return "label"
	case i <= ints:
		return fmt.Sprintf("I%d", i)
	}
	return fmt.Sprintf("C%d", i-ints)
}
