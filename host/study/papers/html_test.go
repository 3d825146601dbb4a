package papers

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
)

// TestHTML checks that the page is XML, is self-contained, fits a narrow screen, and contains every
// row. Each item with two plotted numbers has a picture and its command.
func TestHTML(t *testing.T) {
	r := evaluated(t)
	var b strings.Builder
	require.NoError(t, WriteHTML(&b, r, machine.Default(), "version <1>"))
	page := b.String()
	for d := xml.NewDecoder(strings.NewReader(page)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	for _, s := range []string{`src=`, `href=`, "@import", "url(", "<script", "NaN", "+Inf", "ZgotmplZ", "version <1>"} {
		require.NotContains(t, page, s)
	}
	require.Contains(t, page, `<meta name="viewport" content="width=device-width, initial-scale=1"/>`)
	require.Contains(t, page, "version &lt;1&gt;")
	charts := 0
	for _, p := range r.Papers {
		for _, rows := range bySeries(r.of(p.Name)) {
			if _, ok := charted(rows, machine.Default()); ok {
				charts++
				require.Contains(t, page, "<code>hotline reproduce "+p.Name+"/"+slug(rows[0].Item)+" --machine v100</code>")
			}
		}
	}
	require.Equal(t, charts, strings.Count(page, "<svg"))
	require.NotContains(t, page, `class="head"`, "the heading has the title of a picture")
	require.Contains(t, page, "SYN-M2, 204 features</text>")
	require.NotContains(t, page, "…</text>")
	require.Greater(t, charts, 30)
	require.Equal(t, len(r.Rows), strings.Count(page, "<p><strong>"))
}
