package command

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// labelsOf returns the labels of lines, the titles of tables and the names of columns of a report.
func labelsOf(report string) (list []string) {
	title := regexp.MustCompile(`^(\S.*?) (?:over \S+ )?\(`)
	lines := strings.Split(report, "\n")
	gap := regexp.MustCompile(` {2,}`)
	for i, line := range lines {
		switch before := i > 0 && lines[i-1] != ""; {
		case i == 0 || before && !strings.HasPrefix(line, " ") && line != "" && title.FindString(line) == "":
			list = append(list, gap.Split(line, 2)[0])
		case title.FindString(line) != "" && strings.HasPrefix(lines[i+1], "  system"):
			list = append(list, title.FindStringSubmatch(line)[1])
			if !strings.HasPrefix(line, "Speed-up") {
				list = append(list, gap.Split(strings.TrimSpace(lines[i+1]), -1)[1:]...)
			}
		}
	}
	return list
}

// TestReportPage: docs/reference/report.md explains every label, table and column of a report.
func TestReportPage(t *testing.T) {
	page := contents(t, "../../../docs/reference/report.md")
	code, report, stderr := hotline("train", "--config", tiny, "--system", "hybrid,elrec,hotline", "--check")
	require.Zero(t, code, stderr)
	found := labelsOf(report)
	require.Subset(t, found, []string{"configuration", "PCIe", "Time of a mini-batch", "bound by", "Speed-up", "check"})
	missing := func(page string) (list []string) {
		for _, label := range found {
			if !strings.Contains(page, "`"+label+"`") && !strings.Contains(page, "\n## "+label) && !strings.Contains(page, "*"+label+"*") && label != "phases" && label != "constant = range: speed-ups" {
				list = append(list, label)
			}
		}
		return list
	}
	require.Empty(t, missing(page))
	require.Equal(t, []string{"idle"}, missing(strings.Replace(page, "`idle`", "", 1)))
}
