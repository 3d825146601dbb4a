package sweep

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are available in the expressions of a sweep. range returns at most 1,024 values.
var functions = map[string]function.Function{"range": stdlib.RangeFunc, "format": function.New(&formatSpec)}

// formatSpec is format without widths and precisions that would exhaust the memory.
var formatSpec = function.Spec{
	Params: stdlib.FormatFunc.Params(), VarParam: stdlib.FormatFunc.VarParam(), Type: function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if verb := wide.FindString(strings.ReplaceAll(args[0].AsString(), "%%", "")); verb != "" {
			return cty.NilVal, fmt.Errorf("%q is too wide; expected a width and a precision of at most 999", verb)
		}
		return stdlib.FormatFunc.Call(args)
	},
}

// wide matches the start of a verb with a number of more than three digits.
var wide = regexp.MustCompile(`%[^%a-zA-Z]*[0-9]{4}`)
