package cheader_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/host/device/cheader"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const committed = "../../../examples/kernel-driver/hotline_regs.h"

// TestCommittedHeader: the header of the kernel driver is up to date.
func TestCommittedHeader(t *testing.T) {
	text, err := os.ReadFile(committed)
	require.NoError(t, err)
	require.Equal(t, cheader.Generate(), string(text), "run hotline gen --header examples/kernel-driver/hotline_regs.h")
}

// compiled compiles a C program that includes the header, with all warnings enabled, and runs it.
func compiled(t *testing.T, source string, input []byte, args ...string) []string {
	tools.Need(t, "gcc")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hotline_regs.h"), []byte(cheader.Generate()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(source), 0o600))
	program := filepath.Join(dir, "main")
	out, err := exec.Command("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", program, filepath.Join(dir, "main.c")).CombinedOutput()
	require.NoError(t, err, string(out))
	run := exec.Command(program, args...)
	run.Stdin = bytes.NewReader(input)
	out, err = run.CombinedOutput()
	require.NoError(t, err, string(out))
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestStandards: the header compiles without warnings in every standard of C and C++ that drivers
// use, even if it is included twice.
func TestStandards(t *testing.T) {
	tools.Need(t, "gcc", "g++")
	for _, c := range []struct{ compiler, suffix string }{{"gcc", "c"}, {"g++", "cpp"}} {
		standards := []string{"c99", "gnu99", "c11", "gnu11", "c17"}
		if c.compiler == "g++" {
			standards = []string{"c++11", "c++14", "c++17", "c++20"}
		}
		for _, standard := range standards {
			out, err := warned(t, c.compiler, standard, c.suffix, cheader.Generate())
			require.NoError(t, err, "%s: %s", standard, out)
			wrong := strings.Replace(cheader.Generate(), "__le32 zero[7];", "__le32 zero[9];", 1)
			out, err = warned(t, c.compiler, standard, c.suffix, wrong)
			require.Error(t, err, standard)
			require.Contains(t, out, "hotline_command_has_64_bytes")
		}
	}
}

// warned compiles a file that uses every name of the header, with all warnings enabled.
func warned(t *testing.T, compiler, standard, suffix, header string) (string, error) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hotline_regs.h"), []byte(header), 0o600))
	var source strings.Builder
	source.WriteString("#include \"hotline_regs.h\"\n#include \"hotline_regs.h\"\nunsigned long long use(unsigned long long n);\nunsigned long long use(unsigned long long n)\n{\n\tstruct hotline_command c;\n\tc.id = 0;\n\t(void)c.id;\n")
	for _, m := range regexp.MustCompile(`(?m)^#define (HOTLINE_\w+)(\(n\))?[\t ]+\S`).FindAllStringSubmatch(header, -1) {
		argument := ""
		if m[2] != "" {
			argument = "(3)"
		}
		fmt.Fprintf(&source, "\tn ^= %s%s;\n", m[1], argument)
	}
	source.WriteString("\treturn n;\n}\n")
	file := filepath.Join(dir, "main."+suffix)
	require.NoError(t, os.WriteFile(file, []byte(source.String()), 0o600))
	out, err := exec.Command(compiler, "-std="+standard, "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wshadow", "-Werror", "-c", "-o", os.DevNull, file).CombinedOutput()
	return string(out), err
}

// TestNumbers: for a C compiler, the header defines exactly the numbers of package arch, under the
// names of its tables.
func TestNumbers(t *testing.T) {
	want := map[string]int{"ID": arch.ID, "VERSION": arch.Version, "PCI_VENDOR_ID": config.VendorID, "PCI_DEVICE_ID": config.DeviceID,
		"BAR": 0, "BAR_BYTES": 0x10000, "VECTORS": 16, "VECTOR_COMPLETION": 0, "RING_LOG2_MAX": 15}
	for _, r := range arch.CSRs {
		want["CSR_"+strings.ToUpper(r.Name)] = r.Number
	}
	for _, o := range arch.Opcodes {
		want["OP_"+strings.ToUpper(o.Name)] = int(o.Number)
	}
	for _, r := range arch.Registers {
		name := "REG_" + strings.ToUpper(r.Name)
		if r.Count == 1 {
			want[name] = r.First
			continue
		}
		want[name+"(0)"], want[fmt.Sprintf("%s(%d - 1)", name, r.Count)] = r.First, r.First+r.Count-1
	}
	for name, number := range map[string]arch.Status{"OK": arch.StatusOK, "TIMEOUT": 1, "PARITY": 2, "FLR": 8, "POISONED": 9, "UNSUPPORTED": 10, "ABORT": 11, "DATA_MISSING": 12,
		"BAD_OPCODE": arch.StatusOpcode, "BAD_CRC": arch.StatusCRC, "RANGE": arch.StatusRange, "FETCH": arch.StatusFetch, "ROWS_FULL": arch.StatusRowsFull, "NO_ROW": arch.StatusNoRow,
		"ROWS_AHEAD": arch.StatusRowsAhead, "NO_VECTOR": arch.StatusNoVector, "NO_INPUTS": arch.StatusNoInputs,
		"NO_ADDRESS": arch.StatusNoAddress, "NO_TABLE": arch.StatusNoTable} {
		want["STATUS_"+name] = int(number)
	}
	var source strings.Builder
	source.WriteString("#include <stdio.h>\n#include \"hotline_regs.h\"\nint main(void)\n{\n")
	for name := range want {
		fmt.Fprintf(&source, "\tprintf(\"%%s %%d\\n\", \"%s\", HOTLINE_%s);\n", name, name)
	}
	source.WriteString("}\n")
	got := map[string]int{}
	for _, line := range compiled(t, source.String(), nil) {
		at := strings.LastIndexByte(line, ' ')
		var n int
		_, err := fmt.Sscan(line[at:], &n)
		require.NoError(t, err)
		got[line[:at]] = n
	}
	require.Equal(t, want, got)

	statuses := 0
	for _, m := range regexp.MustCompile(`(?m)^#define HOTLINE_(STATUS_\w+)\s+\d+\t/\* (.+) \*/$`).FindAllStringSubmatch(cheader.Generate(), -1) {
		require.Equal(t, arch.Status(want[m[1]]).String(), m[2])
		statuses++
	}
	require.Equal(t, len(arch.Statuses), statuses)
}

// TestFields: fields and layouts match the driver and an open accelerator.
func TestFields(t *testing.T) {
	cfg := server.DefaultConfig()
	s, err := server.New(cfg)
	require.NoError(t, err)
	a, err := functional.New(s.Kernel, arch.Small(), cfg.Period, cfg.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(a)
	require.NoError(t, err)
	d, err := driver.Open(dev, driver.DefaultOptions())
	require.NoError(t, err)
	_, err = d.Do(driver.Fence())
	require.NoError(t, err)
	var words []string
	for _, r := range []uint64{arch.CSRCaps0, arch.CSRCaps1, arch.CSRCaps2, arch.CSRCaps3, arch.CSRCaps4, arch.CSRControl, arch.CSRStatus} {
		v, err := dev.Read32(r)
		require.NoError(t, err)
		words = append(words, fmt.Sprint(v))
	}
	command := driver.Classify(1, 0x1_0000_1000, 2048, 0x1_0000_2000)
	raw := command.Encode(77)
	source, err := os.ReadFile("testdata/fields.c")
	require.NoError(t, err)

	g := d.Geometry()
	require.Equal(t, []string{
		fmt.Sprint("command ", arch.CommandBytes), fmt.Sprint("command.head ", arch.CommandOpcode), fmt.Sprint("command.id ", arch.CommandID),
		fmt.Sprint("command.operand ", arch.CommandOperands), "command.zero 32", fmt.Sprint("command.crc ", arch.CommandCRC),
		fmt.Sprint("completion ", arch.CompletionBytes), fmt.Sprint("completion.id ", arch.CompletionID), fmt.Sprint("completion.status ", arch.CompletionStatus),
		fmt.Sprint("completion.value ", arch.CompletionValues), fmt.Sprint("completion.sq_head ", arch.CompletionHead),
		fmt.Sprint("completion.sum ", arch.CompletionSum), fmt.Sprint("completion.crc ", arch.CompletionCRC),
		fmt.Sprint("hot_row ", arch.HotRowBytes), "hot_row.id 0", "hot_row.block 4", fmt.Sprint("update_row ", arch.UpdateBytes), "update_row.table 0", "update_row.index 4",
		fmt.Sprint("CSR_CAPS0_ENGINES_LOG2 ", arch.Log2(g.Engines)), fmt.Sprint("CSR_CAPS0_BANKS_LOG2 ", arch.Log2(g.Banks)),
		fmt.Sprint("CSR_CAPS0_BLOCKS_LOG2 ", arch.Log2(g.Blocks)), fmt.Sprint("CSR_CAPS0_WAYS_LOG2 ", arch.Log2(g.Ways)),
		fmt.Sprint("CSR_CAPS1_STREAM_BYTES ", g.StreamBytes), fmt.Sprint("CSR_CAPS1_TAGS ", g.Tags),
		fmt.Sprint("CSR_CAPS2_HALF_WORDS ", g.HalfWords),
		fmt.Sprint("CSR_CAPS3_SLOTS ", g.Slots), fmt.Sprint("CSR_CAPS3_TABLES ", g.Tables),
		fmt.Sprint("CSR_CAPS4_ID_BITS ", g.IDBits), fmt.Sprint("CSR_CAPS4_GPUS ", g.GPUs), fmt.Sprint("CSR_CAPS4_VECTOR_VALUES ", g.VectorValues),
		"CSR_CONTROL_ENABLE 1", "CSR_CONTROL_RESET 0", "CSR_STATUS_BUSY 0", "CSR_STATUS_READY 1", "CSR_STATUS_HALTED 0", "CSR_STATUS_OVERRUN 0",
		"SLOT_ID 77", "SLOT_TABLE 255", "SLOT_FIRST 1", "SLOT_LAST 0", "COMPLETION_STATUS 34", "COMPLETION_PHASE 1",
		fmt.Sprint("COMMAND_OPCODE ", uint8(arch.Classify)), "COMMAND_FLAGS 1", "COMMAND_LOAD 1", "COMMAND_HALF 1",
		fmt.Sprintf("id 77 operands %d %d %d crc %x", command.Operand1, command.Operand2, command.Operand3, []byte{raw[63], raw[62], raw[61], raw[60]}),
	}, compiled(t, string(source), raw, words...))
}

// TestOperands: the comments on commands contain the operands of the document.
func TestOperands(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/accelerator.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| [01][0-9] \\| `(\\w+)`[^|\n]*\\|([^|\n]*)\\|([^|\n]*)\\|([^|\n]*)\\|").FindAllStringSubmatch(string(page), -1)
	require.Len(t, rows, len(arch.Opcodes))
	for _, row := range rows {
		var cells []string
		for _, cell := range row[2:] {
			cells = append(cells, strings.TrimSpace(cell))
		}
		want := strings.TrimRight(strings.Join(cells, "; "), "; ")
		if want == "" {
			want = "no operands"
		} else if cells[0] == "" {
			want = "-" + want
		}
		require.Regexp(t, `(?m)^#define HOTLINE_OP_`+strings.ToUpper(row[1])+`\s+0x..\t/\* `+regexp.QuoteMeta(want)+` \*/$`, cheader.Generate())
	}
}
