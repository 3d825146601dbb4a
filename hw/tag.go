package hw

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// tag is the parsed struct tag of a field: hw:"in,RowBits,len=Ways".
type tag struct {
	dir    direction
	back   bool
	inline bool
	abut   bool
	width  string   // an expression, or ""
	lens   []string // expressions, one per dimension, outermost first
	name   string
	with   string
	of     string
	reset  string // an expression, or ""; for a Clock the name of a port
	clock  string // a field, or ""
	low    bool   // the reset of a Clock is active low
	async  bool   // the reset of a Clock is asynchronous
}

// direction is the direction of a port, seen from inside its module.
type direction uint8

const (
	noDirection direction = iota
	inward
	outward
)

// parseTag parses the tag of a field. wrong describes a mistake in the tag.
func parseTag(f reflect.StructField) (t tag, wrong string) {
	text, ok := f.Tag.Lookup("hw")
	if !ok {
		return t, ""
	}
	for _, word := range strings.Split(text, ",") {
		key, value, assigned := strings.Cut(strings.TrimSpace(word), "=")
		switch {
		case key == "in" && !assigned && t.dir == noDirection:
			t.dir = inward
		case key == "out" && !assigned && t.dir == noDirection:
			t.dir = outward
		case key == "back" && !assigned:
			t.back = true
		case key == "inline" && !assigned:
			t.inline = true
		case key == "abut" && !assigned:
			t.abut = true
		case key == "low" && !assigned:
			t.low = true
		case key == "async" && !assigned:
			t.async = true
		case key == "clock" && value != "":
			t.clock = value
		case key == "len" && value != "":
			t.lens = append(t.lens, value)
		case key == "name" && value != "":
			t.name = value
		case key == "with" && value != "":
			t.with = value
		case key == "of" && value != "":
			t.of = value
		case key == "reset" && value != "":
			t.reset = value
		case !assigned && key != "" && t.width == "":
			t.width = key
		default:
			return t, fmt.Sprintf("%q in its tag is not one of in, out, back, inline, abut, a width, len=, name=, reset=, clock=, low, async, with= and of=", word)
		}
	}
	return t, ""
}

// number evaluates a width or a length: a literal, or the name of a field or method of the
// parameters with an optional literal added or subtracted. wrong describes a mistake.
func number(expr string, params reflect.Value) (n int, wrong string) {
	if n, err := strconv.Atoi(expr); err == nil {
		return n, ""
	}
	name, add := expr, 0
	if i := strings.LastIndexAny(expr, "+-"); i > 0 {
		k, err := strconv.Atoi(expr[i:])
		if err != nil {
			return 0, fmt.Sprintf("%q is no number, and no name with a number added", expr)
		}
		name, add = expr[:i], k
	}
	v, ok := parameter(name, params)
	if !ok {
		return 0, fmt.Sprintf("no int field or method %s in %s%s", name, typeName(params), nearest(name, params))
	}
	return v + add, ""
}

// parameter returns the value of an int field or method of the parameters.
func parameter(name string, params reflect.Value) (int, bool) {
	if !params.IsValid() {
		return 0, false
	}
	if f := params.MethodByName(name); f.IsValid() && isCount(f.Type()) {
		return int(f.Call(nil)[0].Int()), true
	}
	if params = reflect.Indirect(params); params.Kind() == reflect.Struct {
		if f := params.FieldByName(name); f.IsValid() && f.CanInt() {
			return int(f.Int()), true
		}
	}
	return 0, false
}

// isCount reports whether a method has no parameters and returns an int.
func isCount(t reflect.Type) bool {
	return t.NumIn() == 0 && t.NumOut() == 1 && reflect.Zero(t.Out(0)).CanInt()
}

func typeName(v reflect.Value) string {
	if !v.IsValid() {
		return "no parameters"
	}
	return reflect.Indirect(v).Type().Name()
}

// nearest returns a hint: the int of params whose name is most similar to name.
func nearest(name string, params reflect.Value) string {
	if !params.IsValid() {
		return ""
	}
	best, least := "", len(name)/2+1
	try := func(other string) {
		if d := distance(strings.ToLower(name), strings.ToLower(other)); d < least {
			best, least = other, d
		}
	}
	for i := range params.NumMethod() {
		if isCount(params.Method(i).Type()) {
			try(params.Type().Method(i).Name)
		}
	}
	if params = reflect.Indirect(params); params.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(params.Type()) {
			if f.IsExported() && reflect.Zero(f.Type).CanInt() {
				try(f.Name)
			}
		}
	}
	if best == "" {
		return ""
	}
	return "; is it " + best + "?"
}

// distance returns the edit distance between a and b: the number of letters to insert, delete or
// replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
