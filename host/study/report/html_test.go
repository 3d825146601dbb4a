package report_test

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/study/report/reporttest"
)

func pageOf(t *testing.T, r *report.Report) string {
	var b strings.Builder
	require.NoError(t, r.WriteHTML(&b))
	return b.String()
}

// TestPageOfLittle: missing parts of a report are omitted.
func TestPageOfLittle(t *testing.T) {
	r := example()
	reporttest.Text(t, pageOf(t, r))
	none := float32(math.NaN())
	r.Systems[1] = report.System{System: "hotline", Series: []report.MiniBatch{{Loss: &none}}}
	r.SpeedUps, r.Accelerator = nil, nil
	page := pageOf(t, r)
	text := reporttest.Text(t, page)
	require.True(t, reporttest.Has(text, "hotline: no time"))
	require.True(t, reporttest.Has(text, "not compared"))
	require.NotContains(t, page, "NaN")
	for _, s := range []string{"Speed-ups", "Timelines", "Over the mini-batches", "Accelerator"} {
		require.False(t, reporttest.Has(text, s), s)
	}
	reporttest.Text(t, pageOf(t, &report.Report{}))
	require.EqualError(t, r.WriteHTML(full{}), "no room")
}

// full is a writer that always fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// TestLongSeries: a long series is averaged, and systems with equal figures share a line.
func TestLongSeries(t *testing.T) {
	r := example()
	r.MiniBatches = 1000
	for i := range r.Systems {
		for m := range r.MiniBatches {
			loss := float32(m%4) / 10
			r.Systems[i].Series = append(r.Systems[i].Series, report.MiniBatch{Inputs: 4, Loss: &loss, Time: des.Time(1+i) * des.Microsecond})
		}
	}
	page := pageOf(t, r)
	require.Contains(t, page, "mini-batch; a point is the mean of 4")
	chart := func(title string) string {
		return regexp.MustCompile(`(?s)<title>` + title + `</title>.*?</svg>`).FindString(page)
	}
	require.Contains(t, chart("Loss"), "<desc>hybrid, hotline: from 0.1500 to 0.1500.</desc>")
	require.Contains(t, chart("Time"), "<desc>hybrid: from 1.00 us to 1.00 us. hotline: from 2.00 us to 2.00 us.</desc>")
	require.Equal(t, 249, strings.Count(regexp.MustCompile(`class="line" d="M[^"]*"`).FindString(chart("Loss")), "L"))
}
