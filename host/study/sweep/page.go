package sweep

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/picture"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// failure is a failed point with the end of its log.
type failure struct{ Title, File, Log string }

// WriteHTML writes a self-contained page with the plots of the sweep, its points, and the logs of
// the failed points.
func (t *Table) WriteHTML(w io.Writer) error {
	charts, _ := t.charts()
	var pictures []template.HTML
	for _, c := range charts {
		pictures = append(pictures, template.HTML(c.SVG()))
	}
	failures, err := t.failures()
	if err != nil {
		return err
	}
	columns := t.shown()
	return page.Execute(w, map[string]any{
		"Style": template.CSS(picture.Style), "Plan": t.kept.Plan, "Axes": strings.Join(t.kept.Plan.Axes, ", "), "Counts": t.Counts(),
		"Charts": pictures, "Message": t.column("message"), "Columns": t.head(columns), "Rows": t.cells(columns), "Failures": failures,
	})
}

// shown returns the columns of the page: the fixed columns and the plotted figures.
func (t *Table) shown() (columns []int) {
	for c := range t.axes + 3 {
		columns = append(columns, c)
	}
	for _, name := range t.kept.Plan.Plots {
		if c := t.column(name); c >= 0 {
			columns = append(columns, c)
		}
	}
	return columns
}

// logBytes limits the part of a log on the page.
const logBytes = 4000

func (t *Table) failures() (list []failure, err error) {
	for n, e := range t.ends {
		if e.Status != Failed {
			continue
		}
		name := t.kept.Log(n, e)
		log, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		log = log[max(0, len(log)-logBytes):]
		list = append(list, failure{fmt.Sprintf("point %d (%s)", n, t.kept.Plan.label(n)), name, strings.ToValidUTF8(string(log), "�")})
	}
	return list, nil
}
