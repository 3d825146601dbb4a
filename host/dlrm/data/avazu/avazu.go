package avazu

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// header is the first line of a file.
const header = "id,click,hour,C1,banner_pos,site_id,site_domain,site_category,app_id,app_domain,app_category,device_id,device_ip," +
	"device_model,device_type,device_conn_type,C14,C15,C16,C17,C18,C19,C20,C21"

var columns = strings.Split(header, ",")

const (
	shape   = "24 (id, click, hour, C1 to C21, separated by commas)"
	firstID = 3 // the column C1
)

// decimal marks the columns with decimal ids; the other ids are hexadecimal. -1, which marks a
// missing value in C20, becomes the separate id 2^32-1.
var decimal = func() (d [24]bool) {
	for i, name := range columns {
		d[i] = strings.HasPrefix(name, "C") || slices.Contains([]string{"banner_pos", "device_type", "device_conn_type"}, name)
	}
	return d
}()

// Format returns the format with 21 tables, or with 20 tables without C1.
func Format(withC1 bool) clicklog.Format {
	first := firstID
	name := "avazu"
	if !withC1 {
		first++
		name = "avazu-20"
	}
	return clicklog.Format{
		Name: name, Expect: "a header and lines of 24 comma-separated fields", Header: header, Dense: 1, Columns: columns[first:],
		Parse: func(line []byte, in *clicklog.Input) *text.FormatError { return parse(line, first, in) },
	}
}

// Open opens the files of a log, in sequence; see clicklog.Open.
func Open(ctx context.Context, paths []string, withC1 bool, o clicklog.Options) (*clicklog.Log, error) {
	return clicklog.Open(ctx, Format(withC1), paths, o)
}

// parse parses a line, with the ids from column first on.
func parse(line []byte, first int, in *clicklog.Input) *text.FormatError {
	if n := bytes.Count(line, []byte{','}) + 1; n != len(columns) {
		return clicklog.WrongFields(n, shape)
	}
	for i := range columns {
		field, rest := line, []byte(nil)
		if comma := bytes.IndexByte(line, ','); comma >= 0 {
			field, rest = line[:comma], line[comma+1:]
		}
		if want := parseField(i, field, first, in); want != "" {
			return text.NotA(want, columns[i], i+1, field)
		}
		line = rest
	}
	return nil
}

// parseField parses the i-th field of a line. On failure it returns a description of the expected
// value.
func parseField(i int, field []byte, first int, in *clicklog.Input) (want string) {
	switch {
	case i == 0:
		if !isImpression(field) {
			return "a decimal number"
		}
	case i == 1:
		if len(field) != 1 || field[0] != '0' && field[0] != '1' {
			return "0 or 1"
		}
		in.Label = float32(field[0] - '0')
	case i == 2:
		hour, ok := parseHour(field)
		if !ok {
			return "a time of the form YYMMDDHH"
		}
		in.Dense[0] = float32(hour) / 24
	default:
		id, want := parseID(i, field)
		if want != "" {
			return want
		}
		if i >= first {
			in.IDs[i-first] = id
		}
	}
	return ""
}

// isImpression reports whether a field is the id of an impression: up to 20 digits, which some
// tools write as 1.0000e+18.
func isImpression(field []byte) bool {
	for _, c := range field {
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '+' {
			return false
		}
	}
	return len(field) > 0
}

// parseHour parses the hour of a time.
func parseHour(field []byte) (hour int, ok bool) {
	n, ok := clicklog.ParseUint(field)
	hour = int(n % 100)
	return hour, ok && len(field) == 8 && hour < 24
}

// parseID parses an id in the i-th field.
func parseID(i int, field []byte) (id uint64, want string) {
	if decimal[i] {
		if string(field) == "-1" {
			return 1<<32 - 1, ""
		}
		id, ok := clicklog.ParseUint(field)
		if !ok {
			return 0, "a decimal id below 2^32, or -1"
		}
		return id, ""
	}
	id, ok := clicklog.ParseHex(field)
	if !ok {
		return 0, "a hexadecimal id of 1 to 8 digits"
	}
	return id, ""
}
