package table

import (
	"strings"
)

// Markdown formats Markdown for a terminal: it aligns the columns of tables and wraps paragraphs to
// width. If width is 0, it returns the text unchanged.
func Markdown(text string, width int) string {
	if width == 0 {
		return text
	}
	var b strings.Builder
	var table, paragraph []string
	flush := func() {
		if len(table) > 0 {
			b.WriteString(fromMarkdown(table).Format(width))
		}
		if len(paragraph) > 0 {
			b.WriteString(Wrap(strings.Join(paragraph, " "), width, 0) + "\n")
		}
		table, paragraph = nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "|"):
			table = append(table, line)
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, " "):
			flush()
			b.WriteString(Wrap(line, width, 2) + "\n")
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return b.String()
}

// fromMarkdown parses the lines of a table. The second line defines the alignment.
func fromMarkdown(lines []string) Table {
	var t Table
	align := cells(lines[min(1, len(lines)-1)])
	for i, name := range cells(lines[0]) {
		t.Columns = append(t.Columns, Column{Name: name, Text: i >= len(align) || !strings.HasSuffix(align[i], ":")})
	}
	for _, line := range lines[min(2, len(lines)):] {
		row := make([]string, len(t.Columns))
		copy(row, cells(line))
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cells returns the cells of a line of a table.
func cells(line string) []string {
	list := strings.Split(strings.Trim(line, "|"), "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
