package calibrate

import (
	"fmt"
	"io"
	"strings"
)

// Print writes measured and predicted times with their errors, as Markdown.
func Print(w io.Writer, x Measurements, list []Prediction) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nTraining steps that nothing was fitted to, in ms:\n\n", x.title())
	b.WriteString("| mini-batch | tables | lookups | dim | bottom | top | measured | operators | error | machine | error |\n")
	b.WriteString("|---:|---:|---:|---:|---|---|---:|---:|---:|---:|---:|\n")
	for _, p := range list {
		fmt.Fprintf(&b, "| %d | %d | %d | %d | %s | %s | %.2f | %.2f | %+.0f %% | %.2f | %+.0f %% |\n", p.Batch, p.Tables, p.Lookups, p.Dim, widths(p.Bottom), widths(p.Top),
			p.Us/1e3, p.Operators/1e3, 100*(p.Operators/p.Us-1), p.Machine/1e3, 100*(p.Machine/p.Us-1))
	}
	b.WriteString("\n| predicted from | median error | worst error |\n|---|---:|---:|\n")
	for _, f := range []struct {
		name string
		us   func(Prediction) float64
	}{{"operators", ByOperators}, {"machine", ByMachine}} {
		median, worst := Errors(list, f.us)
		fmt.Fprintf(&b, "| %s | %.0f %% | %.0f %% |\n", f.name, 100*median, 100*worst)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// widths formats the widths of layers as in the DLRM reference.
func widths(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", "-")
}
