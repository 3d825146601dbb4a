package docs_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/pcie/config"
)

var update = flag.Bool("update", false, "write the generated parts of reference pages")

// TestTablesOfTheConfigurationSpace: the document contains the tables that the configuration space
// implements.
func TestTablesOfTheConfigurationSpace(t *testing.T) {
	const file = "reference/config-space.md"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	want := replaceTable(t, string(text), "| offset | register | bits | field | kind | after power-up | |", fieldRows())
	want = replaceTable(t, want, "| value in Device Control 2 | a read is given up after |", timeoutRows())
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o666))
		return
	}
	require.Equal(t, want, string(text), "%s is stale: run go test ./docs -run ConfigurationSpace -update", file)
}

// replaceTable replaces the rows of the table with the given heading.
func replaceTable(t *testing.T, text, heading, rows string) string {
	before, rest, ok := strings.Cut(text, heading+"\n")
	require.True(t, ok, heading)
	dashes, rest, _ := strings.Cut(rest, "\n")
	_, after, more := strings.Cut(rest, "\n\n")
	if !more {
		return before + heading + "\n" + dashes + "\n" + rows
	}
	return before + heading + "\n" + dashes + "\n" + rows + "\n" + after
}

func fieldRows() string {
	var out strings.Builder
	for _, r := range config.Registers(config.DefaultFunction()) {
		for i, f := range r.Fields {
			at, name := "", ""
			if i == 0 {
				at, name = fmt.Sprintf("%03x", r.Offset), r.Name
			}
			bits := fmt.Sprint(f.Low)
			if f.Bits > 1 {
				bits = fmt.Sprintf("%d:%d", f.Low+f.Bits-1, f.Low)
			}
			kind := f.Kind.String()
			if f.Keeps {
				kind += ", kept"
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %x | %s |\n", at, name, bits, f.Name, kind, f.Init, f.About)
		}
	}
	return out.String()
}

func timeoutRows() string {
	var out strings.Builder
	for _, code := range slices.Sorted(maps.Keys(config.Timeouts)) {
		fmt.Fprintf(&out, "| %d | %v |\n", code, config.Timeouts[code])
	}
	return out.String()
}

// TestWordsOfTheConfigurationSpace: the text above the tables matches the configuration space.
func TestWordsOfTheConfigurationSpace(t *testing.T) {
	text, err := os.ReadFile("reference/config-space.md")
	require.NoError(t, err)
	f := config.DefaultFunction()
	for _, want := range []string{
		fmt.Sprintf("Vendor `%04x`, device `%04x`, class `%06x`", config.VendorID, config.DeviceID, config.ClassCode),
		fmt.Sprintf("%d KiB of 32 bits", f.BARSize>>10),
		fmt.Sprintf("MSI-X table at %x and its pending bits at %x", f.Table, f.Pending),
		fmt.Sprintf("MSI-X with %d vectors", f.Vectors),
	} {
		require.Contains(t, string(text), want)
	}
}
