// Package reporttest reads the pages of reports in tests.
package reporttest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Text reads a page as strict XML and returns its text, one element in each line. It checks that
// the page loads and runs nothing.
func Text(t *testing.T, page string) string {
	var text strings.Builder
	for d := xml.NewDecoder(strings.NewReader(page)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			require.NotContains(t, []string{"script", "link", "img", "image", "iframe", "object", "use", "base", "a", "form"}, token.Name.Local)
			for _, a := range token.Attr {
				require.False(t, strings.HasPrefix(a.Name.Local, "on") || slices.Contains([]string{"href", "src", "srcset"}, a.Name.Local), a.Name.Local)
			}
			fmt.Fprintln(&text)
		case xml.EndElement:
			fmt.Fprintln(&text)
		case xml.CharData:
			text.Write(token)
		}
	}
}

// Has reports whether an element has exactly this text.
func Has(text, element string) bool { return strings.Contains(text, "\n"+element+"\n") }
