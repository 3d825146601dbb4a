package verilogtest

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Follows compares text with a parameter to the text that is printed without parameters, for
// each value in the design. It replaces the name by the value and compares tokens. It returns
// how many modules it has compared, and leaves d without parameters.
func Follows(t testing.TB, d *ir.Design) (compared int) {
	t.Helper()
	texts := map[string]string{}
	for _, f := range generated(t, d) {
		texts[f.Name] = f.Text
	}
	own := map[ir.Generic]string{} // the modules that are printed without parameters
	for _, m := range d.Modules {
		if m.Generic != nil {
			own[*m.Generic] = m.Name
		}
	}
	d.Plain()
	for _, f := range generated(t, d) {
		texts["plain "+f.Name] = f.Text
	}
	for g, name := range own {
		with, ok := texts[g.Name+".v"]
		if _, alone := texts[name+".v"]; alone && name != g.Name || !ok {
			continue
		}
		got, want := tokens(substitute(with, g, own)), tokens(texts["plain "+name+".v"])
		if got != want {
			t.Errorf("%s with %s = %d is\n%s\nand not\n%s", g.Name, g.Param, g.Value, got, want)
		}
		compared++
	}
	return compared
}

func generated(t testing.TB, d *ir.Design) []verilog.File {
	t.Helper()
	files, err := verilog.Generate(d)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	parameter = regexp.MustCompile(` #\(\n(?: *//.*\n)* *parameter \w+ = \d+(?: *//.*)?\n\)`)
	instance  = regexp.MustCompile(`(\w+) #\(\.(\w*[A-Z_])(\d+)\)`)
)

// substitute replaces the parameter of g by its value.
func substitute(text string, g ir.Generic, own map[ir.Generic]string) string {
	text = parameter.ReplaceAllString(text, "")
	text = regexp.MustCompile(`\bmodule `+g.Name+`\b`).ReplaceAllString(text, "module "+own[g])
	text = regexp.MustCompile(`([^.\w])`+g.Param+`\b`).ReplaceAllString(text, fmt.Sprintf("${1}%d", g.Value))
	return instance.ReplaceAllStringFunc(compute(text), func(s string) string {
		x := instance.FindStringSubmatch(s)
		for other, name := range own {
			if other.Name == x[1] && other.Param == x[2] && strconv.Itoa(other.Value) == x[3] {
				return name
			}
		}
		return s
	})
}

// compute evaluates products and sums of numbers without a width. Generated text has sums of
// sizes without blanks.
func compute(text string) string {
	for _, rule := range []struct {
		form *regexp.Regexp
		make func(a, b int) int
	}{
		{regexp.MustCompile(`\b(\d+)\*(\d+)\b`), func(a, b int) int { return a * b }},
		{regexp.MustCompile(`\b(\d+)([+-]\d+)\b`), func(a, b int) int { return a + b }},
	} {
		text = rule.form.ReplaceAllStringFunc(text, func(s string) string {
			x := rule.form.FindStringSubmatch(s)
			a, _ := strconv.Atoi(x[1])
			b, _ := strconv.Atoi(x[2])
			return strconv.Itoa(rule.make(a, b))
		})
	}
	return regexp.MustCompile(`\((\d+)\)`).ReplaceAllString(text, "$1")
}

var (
	comment = regexp.MustCompile(`(?m)//.*$|(?s)/\*.*?\*/`)
	sized   = regexp.MustCompile(`\b(\d+)'([bdh])([0-9a-f_]+)`)
	filled  = regexp.MustCompile(`\{(\d+)\{1:([01])\}\}`)
	joined  = regexp.MustCompile(`\{\d+:\d+(?:, \d+:\d+)+\}`)
)

// tokens returns text without comments and layout, and with one form for equal numbers.
func tokens(text string) string {
	text = strings.Join(strings.Fields(comment.ReplaceAllString(text, "")), " ")
	text = strings.NewReplacer("{ ", "{", " }", "}").Replace(text)
	text = sized.ReplaceAllStringFunc(text, func(s string) string {
		x := sized.FindStringSubmatch(s)
		v, _ := new(big.Int).SetString(strings.ReplaceAll(x[3], "_", ""), map[string]int{"b": 2, "d": 10, "h": 16}[x[2]])
		return x[1] + ":" + v.String()
	})
	text = filled.ReplaceAllStringFunc(text, func(s string) string {
		x := filled.FindStringSubmatch(s)
		n, _ := strconv.Atoi(x[1])
		v := new(big.Int)
		if x[2] == "1" {
			v.Sub(v.Lsh(big.NewInt(1), uint(n)), big.NewInt(1))
		}
		return fmt.Sprintf("%d:%s", n, v)
	})
	text = joined.ReplaceAllStringFunc(text, func(s string) string {
		width, v := 0, new(big.Int)
		for _, part := range strings.Split(strings.Trim(s, "{}"), ", ") {
			bits, digits, _ := strings.Cut(part, ":")
			n, _ := strconv.Atoi(bits)
			low, _ := new(big.Int).SetString(digits, 10)
			width, v = width+n, v.Or(v.Lsh(v, uint(n)), low)
		}
		return fmt.Sprintf("%d:%s", width, v)
	})
	for _, one := range []struct{ form, short string }{
		{`\b(wire|reg|input wire|output wire|output reg|localparam) \[0:0\]`, "$1"},
		{`\*1\b`, ""},
		{` \+: 1\]`, "]"},
	} {
		text = regexp.MustCompile(one.form).ReplaceAllString(text, one.short)
	}
	return text
}
