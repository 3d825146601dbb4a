package table

import (
	"regexp"
	"strings"
)

// Wrap divides each line of text at spaces into lines of at most width columns. If width is 0, it
// returns the text unchanged. Continuation lines start with indent spaces.
func Wrap(text string, width, indent int) string {
	if width == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if length(line) > width {
			body := strings.TrimLeft(line, " ")
			first := line[:len(line)-len(body)]
			lines[i] = strings.Join(fill(first, strings.Repeat(" ", min(indent, width/2)), body, width), "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// divide divides text at spaces into lines of at most width columns, if it is longer.
func divide(text string, width int) []string {
	if length(text) <= width {
		return []string{text}
	}
	return fill("", "", text, width)
}

// fill arranges the words of text in lines of at most width columns. A longer word has a separate
// line. The first line begins with first, all others with next.
func fill(first, next, text string, width int) (lines []string) {
	line, empty := first, true
	for _, word := range words(text) {
		if !empty && length(line)+1+length(word) > width {
			lines = append(lines, line)
			line, empty = next, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return append(lines, line)
}

// words returns the words of text. A unit belongs to the number before it.
func words(text string) (list []string) {
	for _, word := range strings.Fields(text) {
		if last := len(list) - 1; last >= 0 && unit.MatchString(word) && number.MatchString(list[last]) {
			list[last] += " " + word
		} else {
			list = append(list, word)
		}
	}
	return list
}

var (
	number = regexp.MustCompile(`\d$`)
	unit   = regexp.MustCompile(`^(%|[mun]?s|[kMGTP]?B|MHz|cycles)[,;:.)]*$`)
)
