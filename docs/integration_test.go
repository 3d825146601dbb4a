package docs_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	hotline "github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/hotline/wrap"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// integrationBlock returns the code block of integration.md with the given info string.
func integrationBlock(t *testing.T, words string) string {
	_, rest, ok := strings.Cut(read(t, "how-to/integration.md"), "\n```"+words+"\n")
	require.True(t, ok, words)
	text, _, _ := strings.Cut(rest, "```")
	return text
}

// manifest returns the manifest of a top module.
func manifest(t *testing.T, d *ir.Design) (m gen.Manifest) {
	files, err := gen.Render(d, gen.Options{List: "x.f"})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(files[len(files)-1].Data, &m))
	return m
}

// elaborated returns a top module by name.
func elaborated(t *testing.T, p arch.Params, top string) *ir.Design {
	d, err := map[string]func(arch.Params) (*ir.Design, error){
		"hotline":              func(p arch.Params) (*ir.Design, error) { return hw.Elaborate(hotline.Hotline{Params: p}) },
		"hotline_axi":          func(p arch.Params) (*ir.Design, error) { return hw.Elaborate(wrap.AXI{Params: p}) },
		"hotline_verilog_pcie": func(p arch.Params) (*ir.Design, error) { return hw.Elaborate(wrap.VerilogPCIe{Params: p}) },
		"hotline_xdma":         func(p arch.Params) (*ir.Design, error) { return hw.Elaborate(wrap.XDMA{Params: p}) },
	}[top](p)
	require.NoError(t, err)
	require.Equal(t, top, d.Top.Name)
	return d
}

// TestPortsOfIntegration: the tables list the ports of the top modules in order and describe each.
func TestPortsOfIntegration(t *testing.T) {
	ports := func(top string) (list []string) {
		topOf := func(p arch.Params) []gen.Port {
			m := manifest(t, elaborated(t, p, top)).Modules
			return m[len(m)-1].Ports
		}
		paper := topOf(arch.Paper())
		for i, p := range topOf(arch.Small()) {
			require.Equal(t, p.Name, paper[i].Name)
			width := strconv.Itoa(p.Width)
			if paper[i].Width != p.Width {
				width += fmt.Sprintf(", %d", paper[i].Width)
			}
			list = append(list, fmt.Sprintf("%s, %s, %s", p.Name, strings.TrimSuffix(p.Direction, "put"), width))
		}
		return list
	}
	tables := strings.Split(read(t, "how-to/integration.md"), "| port | | width | |\n|---|---|---|---|\n")[1:]
	require.Len(t, tables, 4)
	plain := ports("hotline")
	want := [][]string{plain}
	for _, top := range []string{"hotline_axi", "hotline_verilog_pcie", "hotline_xdma"} { // the other ports are as in hotline
		want = append(want, slices.DeleteFunc(ports(top), func(port string) bool { return slices.Contains(plain, port) }))
	}
	for i, want := range want {
		table, _, _ := strings.Cut(tables[i], "\n\n")
		var got []string
		for _, line := range strings.Split(table, "\n") {
			got = append(got, portsOfRow(t, line)...)
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, []string{"a_x, in, 1, 2", "a_y, out, 1, 2"}, portsOfRow(t, "| `a_x`, `_y` | in, out | 1, 2 | text |"))
}

// portsOfRow returns the ports of a row with their directions and widths. A name that begins with
// an underscore replaces the last part of the first name.
func portsOfRow(t *testing.T, line string) (list []string) {
	m := regexp.MustCompile(`^\| (\S.*) \| (\S.*) \| (\S.*) \| \S.* \|$`).FindStringSubmatch(line)
	require.NotNil(t, m, line)
	names, directions := strings.Split(strings.ReplaceAll(m[1], "`", ""), ", "), strings.Split(m[2], ", ")
	for i, name := range names {
		if strings.HasPrefix(name, "_") {
			name = names[0][:strings.LastIndex(names[0], "_")] + name
		}
		list = append(list, fmt.Sprintf("%s, %s, %s", name, directions[min(i, len(directions)-1)], m[3]))
	}
	return list
}
