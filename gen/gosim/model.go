package gosim

import (
	"embed"
	"fmt"
	"slices"
	"text/template"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

//go:embed templates
var templateFiles embed.FS

// templates are the text of model.go: model.tmpl for a design, blocks.tmpl for a batch of instances
// processed in blocks, and their common parts.
var templates = template.Must(template.New("").Funcs(template.FuncMap{"words": func(n int) int { return max(1, (n+63)/64) }}).
	ParseFS(templateFiles, "templates/*.tmpl"))

// frame is the data of the templates.
type frame struct {
	Hash, What                  string
	Last                        string // field for inputs
	Longest                     int
	Marks, Memories, Commits    int  // number of marks of each kind
	Contents, Clears, Immediate bool // memories with contents or conditional resets exist; the only unit is evaluated after every edge
	Copies                      bool // the model is a batch of instances
	State                       []string
	Beyond                      int
	Edge, Outputs, Between      []string // whole-cycle kernels, and fields for the values that they pass to each other
}

// model prints the Model type and the methods that run it.
func (g *generator) model() {
	x := frame{
		Hash: g.hash(), What: g.what(), Last: g.funcs.LastInputs(g.copies != nil), Longest: g.longest(),
		Marks: len(g.Units) + 1, Memories: len(g.Mems), Commits: len(g.Commits),
		Contents: g.hasContents(), Clears: len(g.Cleared()) > 0, Immediate: g.Immediate, Copies: g.copies != nil,
		State: g.stateFields(), Beyond: kernel.Beyond,
	}
	if g.Immediate { // outputs, and derived values
		x.Marks = 2
	}
	name := "model.tmpl"
	if g.blocks != nil {
		name, x.Edge, x.Outputs, x.Between = "blocks.tmpl", g.blocks.edge, g.blocks.outputs, g.blocks.fields()
	}
	g.fill(name, x)
	if !g.Immediate {
		g.funcs.PrintEvaluate()
	}
	g.fill("state", x)
}

// fill prints a template.
func (g *generator) fill(name string, x frame) {
	if err := templates.ExecuteTemplate(&g.b, name, x); err != nil {
		panic(err) // a mistake in a template
	}
}

// stateFields returns the fields of the state. Words of lanes should not cross cache lines. For
// kernels of blocks, whole vectors and rows of memories should not cross them either.
func (g *generator) stateFields() []string {
	var lines, others, memories []string
	stored := slices.DeleteFunc(slices.Clone(g.Values), func(v *plan.Value) bool { return !v.Stored })
	for _, row := range g.blocks.together(stored) {
		var fields []string
		for _, v := range row {
			text := fmt.Sprintf("%s %s", names.Field(v), storage.Type(v))
			if v.Doc != "" {
				text += " // " + v.Doc
			}
			fields = append(fields, text)
		}
		switch v := row[0]; {
		case v.Lanes*v.LaneBits()%64 != 0 || g.blocks != nil && v.Bits():
			others = append(others, fields...)
		case g.blocks != nil:
			lines = slices.Concat(lines, fields, apart(v))
		default:
			lines = append(lines, fields...)
		}
	}
	for _, m := range g.Mems {
		memories = append(memories, fmt.Sprintf("m%d %s // %s", m.ID, storage.MemoryType(m), g.D.Mems[m.List[0]].Path))
	}
	if g.blocks != nil {
		return slices.Concat(memories, lines, others)
	}
	return slices.Concat(lines, others, memories)
}

// longest returns the number of words of the longest port or state.
func (g *generator) longest() int {
	n := 1
	for _, v := range g.Values {
		n = max(n, v.Words())
	}
	for _, x := range g.stored() {
		n = max(n, ir.Words(x.width))
	}
	return n
}
