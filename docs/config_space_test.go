package docs_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
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

// fieldRows returns the rows of the table of fields. Consecutive registers with equal fields share
// rows, and so do fields of a register that differ in name and place only.
func fieldRows() string {
	var out strings.Builder
	list := config.Registers(config.DefaultFunction())
	for n := 1; len(list) > 0; list, n = list[n:], 1 {
		for n < len(list) && reflect.DeepEqual(list[n].Fields, list[0].Fields) && len(list[0].Fields) > 0 {
			n++
		}
		first, last := list[0], list[n-1]
		at, name := fmt.Sprintf("%03x", first.Offset), first.Name
		if n > 1 {
			at, name = fmt.Sprintf("%s to %03x", at, last.Offset), name+" to "+last.Name
		}
		for _, f := range merged(first.Fields) {
			kind := f.Kind.String()
			if f.Keeps {
				kind += ", kept"
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %x | %s |\n", at, name, f.bits, f.Name, kind, f.Init, f.About)
			at, name = "", ""
		}
	}
	return out.String()
}

// sharing is a field, or several fields of a register that share a row.
type sharing struct {
	config.Field
	bits string
}

// merged merges fields that differ in name and place only.
func merged(fields []config.Field) (list []sharing) {
	for _, f := range fields {
		bits := fmt.Sprint(f.Low)
		if f.Bits > 1 {
			bits = fmt.Sprintf("%d:%d", f.Low+f.Bits-1, f.Low)
		}
		i := slices.IndexFunc(list, func(s sharing) bool {
			return s.Kind == f.Kind && s.Keeps == f.Keeps && s.Init == f.Init && s.About == f.About
		})
		if i < 0 {
			list = append(list, sharing{f, bits})
			continue
		}
		list[i].Name += ", " + f.Name
		list[i].bits += ", " + bits
	}
	return list
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
