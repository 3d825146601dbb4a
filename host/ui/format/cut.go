package format

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// mostCharacters is the length at which a name or value in a message is cut.
const mostCharacters = 80

// Cut shortens a name or value for a message. A text that is longer than 80 characters is
// cut, and followed by its length.
func Cut(text string) string { return cut(text, "") }

var (
	quoted      = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	halfEscaped = regexp.MustCompile(`\\(x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$`)
)

// long matches numbers and words; a path is shorter. It takes 180 kB, which a start does not need.
var long = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]{81,}|\S{1000}\S*`) })

// CutMessage cuts the quoted names, the numbers and the words in a message.
func CutMessage(message string) string {
	message = quoted.ReplaceAllStringFunc(message, func(s string) string {
		return `"` + cut(s[1:len(s)-1], `"`)
	})
	return long().ReplaceAllStringFunc(message, Cut)
}

// cut is Cut for a text after which there is a quote.
func cut(text, quote string) string {
	n := utf8.RuneCountInString(text)
	if n <= mostCharacters {
		return text + quote
	}
	end := 0
	for range mostCharacters {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	head := text[:end]
	if quote != "" && strings.Contains(head, `\`) {
		head = halfEscaped.ReplaceAllString(head, "")
	}
	return fmt.Sprintf("%s…%s (%s characters)", head, quote, Thousands(int64(n)))
}
