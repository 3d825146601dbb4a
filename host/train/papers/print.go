package papers

import (
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Print writes figures as Markdown.
func Print(w io.Writer, figures []Figure) error {
	for _, f := range figures {
		if _, err := io.WriteString(w, f.text()); err != nil {
			return err
		}
	}
	return nil
}

func (f Figure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s: %s\n\n%s\n\n", f.Name, f.Title, f.Note)
	perCell := len(f.Rows[0].Paper) > 1
	head := append([]string{}, f.Labels...)
	if !perCell {
		head = append(head, "paper")
	}
	for _, c := range f.Columns {
		head = append(head, "`"+c+"`")
	}
	line(&b, head)
	line(&b, append([]string{"---"}, repeat("---:", len(head)-1)...))
	for _, r := range f.Rows {
		cells := append([]string{}, r.Labels...)
		if !perCell {
			cells = append(cells, r.Paper[0])
		}
		for i, c := range r.Cells {
			text := c.String()
			if perCell && r.Paper[i] != "" {
				text += ", paper " + r.Paper[i]
			}
			cells = append(cells, text)
		}
		line(&b, cells)
	}
	b.WriteString("\nMost depends on, in the last row:\n\n")
	last := f.Rows[len(f.Rows)-1]
	for i, c := range last.Cells {
		if c.Spread != nil {
			fmt.Fprintf(&b, "- `%s`: %s\n", f.Columns[i], dependences(c.Depends))
		}
	}
	return b.String()
}

func line(b *strings.Builder, cells []string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }

func repeat(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

// String is the speed-up with its range.
func (c Cell) String() string {
	if c.Spread == nil {
		return c.None
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", c.Value, c.Low, c.High)
}

func dependences(list []timing.Dependence) string {
	var parts []string
	for _, d := range list {
		parts = append(parts, fmt.Sprintf("%s %v to %v: %.2f to %.2f", d.Constant, d.Low, d.High, d.AtLow, d.AtHigh))
	}
	return strings.Join(parts, "; ")
}
