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

// The factor follows the verdict explained, unless a number is missing, 0, or about the same.
func TestJudged(t *testing.T) {
	row := func(v Verdict, says, ours float64) Row {
		return Row{Record: Record{Value: &says}, Ours: &ours, Verdict: v}
	}
	require.Equal(t, "explained, 4.8x", row(Explained, 7.01, 33.84).judged())
	require.Equal(t, "explained, 13x", row(Explained, 12, 0.92).judged())
	require.Equal(t, "explained, 320x", row(Explained, 1, 320).judged())
	require.Equal(t, "explained", row(Explained, 100, 102).judged())
	require.Equal(t, "explained", row(Explained, 0, 3).judged())
	require.Equal(t, "explained", Row{Verdict: Explained}.judged())
	require.Equal(t, "holds", row(Holds, 1, 1.2).judged())
}

// The page is XML, needs nothing from elsewhere, fits a narrow screen, has every row, and a picture
// with its command for each item of which two numbers are drawn.
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
		for _, rows := range byItem(r.of(p.Name)) {
			if _, ok := charted(rows, machine.Default()); ok {
				charts++
				require.Contains(t, page, "<code>hotline reproduce "+p.Name+"/"+slug(rows[0].Item)+" --machine v100</code>")
			}
		}
		for _, s := range p.Studies {
			charts++
			require.Contains(t, page, "<h3>"+s.Name+": ")
			require.NoError(t, Check([]string{p.Name + "/" + s.item}), "its command")
		}
	}
	require.Equal(t, charts, strings.Count(page, "<svg"))
	require.NotContains(t, page, `class="head"`, "the heading has the title of a picture")
	require.Contains(t, page, "all, of which the EAL is most</text>")
	require.NotContains(t, page, "…</text>")
	require.Greater(t, charts, 40)
	require.Equal(t, len(r.Rows), strings.Count(page, "<p><strong>"))
}
