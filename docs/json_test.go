package docs_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
)

// The page lists all counts that only one system has, in the order in which they are printed.
func TestCountsOfOneSystem(t *testing.T) {
	_, text, _ := strings.Cut(read(t, "reference/json.md"), "\n## Counts of one system\n")
	text, _, _ = strings.Cut(text, "\n## ")
	got := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([\\w-]+)`.* \\| `(\\w+)` \\|").FindAllStringSubmatch(text, -1) {
		got[row[1]] = append(got[row[1]], row[2])
	}
	want := map[string][]string{}
	for system, own := range map[string]any{
		"cdlrm": cdlrm.Work{}, "cpu-hotline": cpuhotline.Work{}, "elrec": elrec.Work{}, "fae": fae.Work{}, "hotline": hotline.Work{},
		"hugectr": hugectr.Work{}, "scratchpipe": scratchpipe.Work{}, "static-cache": staticcache.Work{},
	} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(own)) {
			key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			want[system] = append(want[system], key)
		}
	}
	require.Equal(t, want, got)
}
