package hclfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// decoded contains every kind of attribute and block that this project's files use.
type decoded struct {
	Number int            `hcl:"number,optional"`
	Text   string         `hcl:"text,optional"`
	Map    map[string]int `hcl:"map,optional"`
	Any    hcl.Expression `hcl:"any,optional"`
	Block  *block         `hcl:"block,block"`
}

type block struct {
	Real  float64  `hcl:"real,optional"`
	Items []nested `hcl:"item,block"`
}

type nested struct {
	Name string `hcl:"name,label"`
	List []int  `hcl:"list,optional"`
}

// context provides the functions of a sweep.
var context = &hcl.EvalContext{
	Variables: map[string]cty.Value{"x": cty.NumberIntVal(1)},
	Functions: map[string]function.Function{"range": stdlib.RangeFunc},
}

// decode performs every operation of the program on a text.
func decode(text string) error {
	f, err := hclfile.Parse("f.hcl", []byte(text))
	if err != nil {
		return err
	}
	var d decoded
	if err := f.Decode(&d); err != nil {
		return err
	}
	var v cty.Value
	return f.Value(d.Any, context, &v)
}

// deep and large are parts of the error messages of the limits.
const (
	deep  = "the nesting is deeper than 200: brackets, blocks, and operators in one expression"
	large = "This 'for' expression is too large: "
)

// hostile contains texts that would overflow the stack, exhaust memory or run for hours.
var hostile = map[string]struct{ text, want string }{
	"parentheses":         {"any = " + strings.Repeat("(", 200_000) + "350" + strings.Repeat(")", 200_000), deep},
	"lists":               {"any = " + strings.Repeat("[", 500_000), deep},
	"objects":             {"any = " + strings.Repeat("{a=", 300_000), deep},
	"minuses":             {"any = " + strings.Repeat("-", 500_000) + "1", deep},
	"negations":           {"any = " + strings.Repeat("!", 500_000) + "true", deep},
	"sum":                 {"any = 1" + strings.Repeat("+1", 490_000), deep},
	"sum in for":          {"any = {for a in [1] : a => 1" + strings.Repeat("\n+1", 300_000) + "}", deep},
	"sum in for, later":   {"any = {\n # c\n\n for a in [1] : a => 1" + strings.Repeat("\n+1", 300_000) + "}", deep},
	"conditions":          {"any = " + strings.Repeat("true?1:", 140_000) + "1", deep},
	"quotes":              {"any = " + strings.Repeat(`"${`, 300_000), deep},
	"heredocs":            {"any = " + strings.Repeat("<<E\n${", 100_000), deep},
	"template conditions": {`any = "` + strings.Repeat("%{if true}", 90_000) + strings.Repeat("%{endif}", 1) + `"`, deep},
	"indices":             {"any = x" + strings.Repeat("[0]", 300_000), deep},
	"attributes of it":    {"any = x" + strings.Repeat(".a", 400_000), deep},
	"splats":              {"any = x" + strings.Repeat("[*]", 300_000), deep},
	"calls":               {"any = " + strings.Repeat("range(", 160_000), deep},
	"blocks":              {strings.Repeat("block {\n", 120_000), deep},
	"mixed":               {"any = " + strings.Repeat("-(!", 300_000), deep},
	"wrong closers":       {"any = " + strings.Repeat("(])[)", 190_000), deep},
	"unknown attributes":  {lines("a%d = 1", 60_000), "f.hcl:10001: there are more than 10,000 attributes and blocks"},
	"unknown blocks":      {lines("a%d {}", 60_000), "f.hcl:10001: there are more than 10,000 attributes and blocks"},
	"size":                {"# " + strings.Repeat("x", 1_000_000), "f.hcl: the text is larger than 1.0 MB"},
	"digits":              {"number = " + strings.Repeat("9", 900_000), "out of range; expected at most 400 digits"},
	"exponent":            {"number = 1e1000000000", "f.hcl:1: the number 1e1000000000 is out of range; expected at most 400 digits and exponents from -308 to 308"},
	"small exponent":      {"text = 1e-1000000000", "out of range"},
	"exponent of 1,000":   {"text = 1e" + strings.Repeat("9", 1000), "out of range"},
	"for of 110 characters": {"any = [for a in range(100) : [for b in range(100) : [for c in range(100) : [for d in range(100) : d]]]]",
		large + "it produces more than 1,000,000 values and characters"},
	"for in configuration": {"map = {for a in " + ten + ": a => [for b in " + ten + ": [for c in " + ten + ": [for d in " + ten + ": [for e in " + ten + ": [for f in " + ten +
		": [for g in " + ten + ": g]]]]]]}", large},
	"for with condition": {"any = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c if false]]]", large},
	"for in a template":  {`any = "%{for a in range(1000)}%{for b in range(1000)}${a}${b}%{endfor}%{endfor}"`, large},
	"for of groups":      {"any = {for a in range(1000) : 1 => [for b in range(1000) : [for c in range(1000) : c]]...}", large},
	"doubled text": {"any = " + repeated(`[for a%[2]d in ["${a%[1]d}${a%[1]d}"] : `, 60, `[for a0 in ["xxxxxxxx"] : `) + "1" + strings.Repeat("]", 61),
		large + "an element has more than 1,000 values and characters"},
	"doubled list":    {"any = " + repeated(`[for a%[2]d in [[a%[1]d, a%[1]d]] : `, 60, `[for a0 in [1] : `) + "1" + strings.Repeat("]", 61), large},
	"many references": {`any = [for a in ["` + strings.Repeat("x", 100_000) + `"] : "` + strings.Repeat("${a}", 200_000) + `"]`, large},
	"long keys":       {`any = [for a, b in {"` + strings.Repeat("x", 100_000) + `" = 1} : "` + strings.Repeat("${a}", 200_000) + `"]`, large},
	"UTF-16":          {utf16("number = 1\n"), "f.hcl: the text is UTF-16; expected UTF-8"},
	"UTF-16 unmarked": {utf16("number = 1\n")[2:], "f.hcl: the text is UTF-16; expected UTF-8"},
	"words":           {strings.Repeat("a\n", 400_000), "\nand "},
	"labels":          {"block " + strings.Repeat(`"x" `, 200_000) + "{}", "Extraneous label for block"},
	"random":          {noise(), "\nand "},
	"closers":         {strings.Repeat(")]}\n", 200_000), "Argument or block definition required"},
	"one long name":   {strings.Repeat("a", 900_000), "f.hcl:1: "},
	"twice":           {strings.Repeat("number = 1\n", 9000), "\nand 8,989 more"},
}

const ten = "[0,1,2,3,4,5,6,7,8,9]"

func lines(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// repeated returns start followed by n formatted pairs (i, i+1).
func repeated(format string, n int, start string) string {
	var b strings.Builder
	b.WriteString(start)
	for i := range n {
		fmt.Fprintf(&b, format, i, i+1)
	}
	return b.String()
}

// utf16 encodes an ASCII text in UTF-16.
func utf16(text string) string {
	return "\xff\xfe" + strings.ReplaceAll(text, "", "\x00")[1:]
}

// noise returns bytes without a pattern.
func noise() string {
	b, x := make([]byte, 100_000), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x>>24) | 1
	}
	return string(b)
}

// TestHostile: each text is rejected with a short message. A missing limit ends this test with a
// stack overflow or a timeout.
func TestHostile(t *testing.T) {
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			err := decode(c.text)
			require.ErrorContains(t, err, c.want)
			require.LessOrEqual(t, strings.Count(err.Error(), "\n"), 10)
		})
	}
}

// TestLimits: texts within the limits are accepted, up to the exact limits.
func TestLimits(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses":       "any = " + strings.Repeat("(", 199) + "1" + strings.Repeat(")", 199),
		"sum":               "any = 1" + strings.Repeat("+1", 200),
		"sums of attribute": lines("# c%d", 300) + "block {\n real = 1 + 1 + 1 # c\n" + strings.Repeat("item \"x\" {\n list = [-1, -1, -1]\n}\n", 1000) + "}",
		"list":              "any = [" + strings.Repeat("-1, ", 100_000) + "]",
		"lists":             "any = [" + strings.Repeat("[1], ", 100_000) + "]",
		"object":            "any = {" + lines("a%d = -1", 5000) + "}",
		"object of colons":  "any = {" + lines("a%d : -1", 5000) + "}",
		"template":          `any = "` + strings.Repeat("${x}", 1000) + `"`,
		"attributes":        "map = {" + lines("a%d = 1", 9998) + "}",
		"for":               "any = [for a in range(100) : [for b in range(1000) : b]]",
		"for of objects":    "any = {for a in range(1000) : \"k${a}\" => {b = a, x = x} if a > 5}",
		"mark":              "\ufeffnumber = 1",
		"number":            "block {\n real = 1e308\n}",
		"digits":            "number = " + strings.Repeat("0", 399) + "1",
	} {
		t.Run(name, func(t *testing.T) { require.NoError(t, decode(text)) })
	}
	require.ErrorContains(t, decode("any = "+strings.Repeat("(", 201)+"1"+strings.Repeat(")", 201)), deep)
	require.ErrorContains(t, decode("any = 1"+strings.Repeat("+1", 201)), deep)
	require.ErrorContains(t, decode("map = {"+lines("a%d = 1", 9999)+"}"), "more than 10,000")
}

// TestAgain: each evaluation has the full limit.
func TestAgain(t *testing.T) {
	f, err := hclfile.Parse("f.hcl", []byte("any = [for a in range(900) : [for b in range(900) : x]]"))
	require.NoError(t, err)
	var d decoded
	require.NoError(t, f.Decode(&d))
	require.Equal(t, "x", d.Any.Variables()[0].RootName())
	for range 3 {
		var v cty.Value
		require.ErrorContains(t, f.Value(d.Any, context, &v), large)
		require.NoError(t, f.Value(d.Any, &hcl.EvalContext{Variables: map[string]cty.Value{"x": cty.NumberIntVal(1)},
			Functions: map[string]function.Function{"range": function.New(&function.Spec{
				VarParam: &function.Parameter{Type: cty.Number}, Type: function.StaticReturnType(cty.List(cty.Number)),
				Impl: func([]cty.Value, cty.Type) (cty.Value, error) {
					return cty.ListVal([]cty.Value{cty.Zero, cty.Zero}), nil
				},
			})}}, &v))
		require.Equal(t, 2, v.LengthInt())
	}
}

// FuzzParse: no text crashes the loader, makes it run forever, or produces a long error.
func FuzzParse(f *testing.F) {
	for _, c := range hostile {
		f.Add(c.text[:min(len(c.text), 4000)])
	}
	f.Add("number = 1\ntext = \"${x}\"\nmap = {a = 1}\nany = [for a in range(3) : a if a > 1]\nblock {\n real = 1.5\n item \"x\" {\n list = [1]\n}\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if err := decode(text); err != nil {
			require.LessOrEqual(t, strings.Count(err.Error(), "\n"), 10)
			require.Contains(t, err.Error(), "f.hcl")
		}
	})
}
