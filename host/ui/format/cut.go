package format

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// mostCharacters is the maximum length of a name or value in a message, in characters.
const mostCharacters = 80

// Cut shortens a name or value for a message. A text of more than 80 characters is truncated and
// followed by its length.
func Cut(text string) string { return cut(text, "") }

var (
	quoted      = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	halfEscaped = regexp.MustCompile(`\\(x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$`)
)

// long matches numbers and words that are too long; a path is shorter. The expression is compiled
// on first use, because it takes 180 kB.
var long = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]{81,}|\S{1000}\S*`) })

// CutMessage shortens the quoted names, the numbers and the words in a message.
func CutMessage(message string) string {
	message = quoted.ReplaceAllStringFunc(message, func(s string) string {
		return `"` + cut(s[1:len(s)-1], `"`)
	})
	return long().ReplaceAllStringFunc(message, Cut)
}

// cut implements Cut for a text that a quote follows.
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
