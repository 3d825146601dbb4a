package docs_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// These tests compare the tables of accelerator.md with the hardware.

// part returns the text of accelerator.md between two markers, or from the first marker to the
// end.
func part(t *testing.T, from, to string) string {
	text, err := os.ReadFile("reference/accelerator.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), from)
	require.True(t, ok, from)
	out, _, _ := strings.Cut(rest, to)
	return out
}

// unwrapped returns a text with each run of white space as one space.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

// rows returns the cells of the table that follows a heading line.
func rows(t *testing.T, heading string) (out [][]string) {
	for _, line := range strings.Split(part(t, heading+"\n|---", "\n\n"), "\n")[1:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out = append(out, cells)
	}
	return out
}

var quoted = regexp.MustCompile("`([^`]+)`")

// name returns the text in backquotes in a cell.
func name(t *testing.T, cell string) string {
	m := quoted.FindStringSubmatch(cell)
	require.NotNil(t, m, cell)
	return m[1]
}

func hexadecimal(t *testing.T, digits string) int {
	v, err := strconv.ParseUint(digits, 16, 32)
	require.NoError(t, err)
	return int(v)
}

func TestSizesOfTheDocument(t *testing.T) {
	want := map[string][2]int{}
	small, paper := reflect.ValueOf(arch.Small()), reflect.ValueOf(arch.Paper())
	for i := range small.NumField() {
		want[small.Type().Field(i).Tag.Get("hcl")] = [2]int{int(small.Field(i).Int()), int(paper.Field(i).Int())}
	}
	got := map[string][2]int{}
	for _, row := range rows(t, "| parameter | small | paper scale | meaning |") {
		var v [2]int
		for k := range v {
			n, err := strconv.Atoi(strings.ReplaceAll(row[1+k], ",", ""))
			require.NoError(t, err)
			v[k] = n
		}
		got[name(t, row[0])] = v
	}
	require.Equal(t, want, got)
}

// TestRefreshOfTheDocument compares the number of lookups that refresh a row being learned with
// the engines. learnOneRow of TestLookupEqualsReference counts these lookups at the engines'
// ports.
func TestRefreshOfTheDocument(t *testing.T) {
	require.Contains(t, unwrapped(read(t, "reference/accelerator.md")), fmt.Sprintf("Every %dnd lookup of an engine that its cache could answer goes to the bank instead", lookup.Refresh))
}

func TestOpcodesOfTheDocument(t *testing.T) {
	got := map[string]arch.Opcode{}
	for _, row := range rows(t, "| opcode | name | operand 1 | operand 2 | operand 3 | flags | completion values |") {
		got[name(t, row[1])] = arch.Opcode(hexadecimal(t, row[0]))
	}
	require.Equal(t, map[string]arch.Opcode{
		"dma_rd": arch.DMARead, "dma_wr": arch.DMAWrite, "v_add": arch.VAdd, "v_mul": arch.VMul, "s_wr": arch.SWrite, "gpu_rd": arch.GPURead,
		"learn": arch.Learn, "classify": arch.Classify, "gather": arch.Gather, "update": arch.Update, "hotset": arch.HotSet, "fence": arch.Fence,
	}, got)
}

func TestStatusesOfTheDocument(t *testing.T) {
	got := map[string]string{}
	for _, row := range rows(t, "| status | |") {
		got[row[0]] = row[1]
	}
	for status, text := range map[arch.Status]string{
		arch.StatusOK: "ok", arch.Status(arch.ErrShort): "too little data", arch.StatusOpcode: "unknown opcode", arch.StatusCRC: "CRC", arch.StatusRange: "out of range",
		arch.StatusFetch: "could not be read", arch.StatusRowsFull: "`tags` rows are ahead", arch.StatusNoRow: "no row is ahead", arch.StatusRowsAhead: "a row is ahead",
		arch.StatusNoVector: "vector buffer is empty", arch.StatusNoInputs: "does not hold these inputs",
		arch.StatusNoAddress: "an address that the command needs was not written since the reset", arch.StatusNoTable: "the list names a table whose address was not written since the reset",
	} {
		require.Contains(t, got[strconv.Itoa(int(status))], text)
	}
	require.Len(t, got, 14)
	codes, meanings := got["1, 2, 8, 9, 10, 11"], []string{"timeout", "parity", "FLR", "poisoned", "unsupported request", "completer abort"}
	require.Contains(t, codes, strings.Join(meanings, ", "))
	require.EqualValues(t, 9, arch.ErrPoisoned)
}

func TestRegistersOfTheDocument(t *testing.T) {
	got := map[int]string{}
	for _, row := range rows(t, "| index | value |") {
		digits, _, _ := strings.Cut(row[0], " ")
		got[hexadecimal(t, digits)] = row[1]
	}
	for index, text := range map[int]string{
		arch.RegTable: "row 0 of table t", arch.RegSlot: "slot s:", arch.RegHot: "hot table", arch.RegPooled: "pooled vectors", arch.RegGrad: "gradients", arch.RegMailbox: "mailbox",
		arch.RegSlots: "L, slots", arch.RegTables: "T, tables", arch.RegRowLog2: "log2 of the row bytes", arch.RegGPUs: "G, GPUs", arch.RegScale: "scale",
	} {
		require.Contains(t, got[index], text)
	}
	require.Len(t, got, 11)
}

// TestCSRsOfTheDocument checks that the document contains the table of the register map, from
// which the hardware is made.
func TestCSRsOfTheDocument(t *testing.T) {
	page := read(t, "reference/accelerator.md")
	prose := unwrapped(page)
	require.Contains(t, page, "\n\n"+arch.CSRMap.Markdown()+"\n")
	for _, r := range arch.CSRMap.Registers {
		for _, f := range r.Fields {
			switch f.Access {
			case regmap.ReadWrite, regmap.ReadOnly:
			case regmap.Count:
				require.Contains(t, prose, "`count` registers count and are read-only")
			default:
				require.False(t, f.Access.Reads())
				require.Contains(t, prose, "`wo` and `pulse` fields read 0; writing 1 to a `pulse` field starts its action")
			}
		}
	}
	require.EqualValues(t, 0x484F544C, arch.ID)
	require.EqualValues(t, 0x00020004, arch.Version)
}

// small returns the accelerator of the small configuration.
func small(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	return d
}

// ports returns the widths of a module's ports.
func ports(m *ir.Module) map[string]int {
	out := map[string]int{}
	for _, p := range m.Ports {
		out[p.Name] = p.Type.Bits()
	}
	return out
}

// width evaluates a number of bits in the document for the small configuration.
func width(t *testing.T, text string) int {
	p := arch.Small()
	tag := arch.Log2(p.Tags)
	known := map[string]int{"W": p.StreamBits, "W/8": p.StreamBytes(), "W-1:0": p.StreamBits, "W/8-1:0": p.StreamBytes(), "TAG:0": tag + 1, "TAG-1:0": tag}
	if v, ok := known[text]; ok {
		return v
	}
	if high, ok := strings.CutSuffix(text, ":0"); ok {
		return width(t, high) + 1
	}
	v, err := strconv.Atoi(text)
	require.NoError(t, err)
	return v
}

func TestBoundaryOfTheDocument(t *testing.T) {
	want := ports(small(t).Top)
	for p := range want {
		if strings.HasPrefix(p, "s_axil_") {
			delete(want, p)
		}
	}
	got := map[string]int{}
	field := regexp.MustCompile(`(\w+)(?:\[([^\]]+)\])?`)
	for _, line := range strings.Split(part(t, "## Boundary\n\n```\n", "```"), "\n") {
		prefix, rest, grouped := strings.Cut(line, "{")
		if strings.HasPrefix(line, "s_axil_") {
			continue
		}
		if !grouped {
			prefix, rest = "", line
		}
		list, _, _ := strings.Cut(rest, "}")
		for _, f := range field.FindAllStringSubmatch(list, -1) {
			got[prefix+f[1]] = 1
			if f[2] != "" {
				got[prefix+f[1]] = width(t, f[2])
			}
		}
	}
	require.Equal(t, want, got)
}

// TestPortsOfBlocksAreDescribed: each port of each block has a description, or its stream or record
// has one. Ports of the boundary and of the slave in hw/lib are excepted.
func TestPortsOfBlocksAreDescribed(t *testing.T) {
	blocks := 0
	for _, i := range small(t).Top.Body.Insts {
		if i.Name == "csr_slave" {
			continue
		}
		blocks++
		for _, p := range i.Of.Ports {
			require.True(t, described(p) || strings.Contains(p.Name, "_axis_"), "%s has no description of %s", i.Name, p.Name)
		}
	}
	require.Equal(t, 12, blocks)
	require.False(t, described(&ir.Signal{Name: "x_valid", Group: "x"}))
}

// described reports whether a port or its group has a description.
func described(p *ir.Signal) bool { return p.Doc != "" || strings.Contains(p.Group, ": ") }
