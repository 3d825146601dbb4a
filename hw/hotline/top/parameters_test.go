package top

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// attributes returns the meaning of each attribute of an accelerator, without its constraints.
func attributes() map[string]string {
	out, t := map[string]string{}, reflect.TypeFor[arch.Params]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		doc, _, _ := strings.Cut(tag.Get("doc"), ";")
		if unit := tag.Get("unit"); unit != "" {
			doc += " (" + unit + ")"
		}
		out[tag.Get("hcl")] = doc
	}
	return out
}

// obscure returns the parameters of modules that have no meaning, or the name of an attribute with
// another meaning.
func obscure(modules []*ir.Module) (list []string) {
	known := attributes()
	for _, m := range modules {
		for _, p := range m.Parameters {
			doc, constraint, _ := strings.Cut(p.Doc, ";")
			if _, unit, ok := strings.Cut(constraint, " ("); ok {
				doc += " (" + unit
			}
			if want, ok := known[p.Name]; doc == "" || ok && doc != want {
				list = append(list, fmt.Sprintf("%s.%s: %s", m.Name, p.Name, p.Doc))
			}
		}
	}
	return list
}

// TestParametersHaveTheirMeaning: the Verilog lists the attributes of the accelerator by their HCL
// names. In every block, parameters have a meaning, and attributes have the meaning of the reference.
func TestParametersHaveTheirMeaning(t *testing.T) {
	d, err := hw.Elaborate(Hotline{arch.Small()})
	require.NoError(t, err)
	require.Empty(t, obscure(d.Modules))
	names := map[string]string{}
	for _, p := range d.Top.Parameters {
		names[p.Name] = p.Doc
	}
	require.Len(t, names, len(attributes()))
	for name := range attributes() {
		require.Contains(t, names, name)
	}
	require.Contains(t, generated(t, arch.Small())["hotline"], "\n//   edram_words    32768  input eDRAM, both halves (32 bits)\n")

	d.Top.Parameters[0].Doc, d.Top.Parameters[1].Doc = "", "banks of something else"
	require.Equal(t, []string{"hotline.engines: ", "hotline.banks: banks of something else"}, obscure(d.Modules))
}
