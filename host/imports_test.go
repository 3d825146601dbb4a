package host_test

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/hotline-rtl/hotline/"

const hcl = "github.com/hashicorp/hcl/v2"

// TestImports: packages import what is listed here, beside the standard library.
func TestImports(t *testing.T) {
	for path, allowed := range map[string]string{
		"rec/kernel":          "golang.org/x/sys/cpu",
		"picture":             "",
		"sweep":               "sim/outfile host/hclfile host/picture host/table host/words " + hcl + " " + hcl + "/hclwrite github.com/zclconf/go-cty/cty github.com/zclconf/go-cty/cty/*",
		"table":               "",
		"words":               "host/node",
		"input":               "host/words",
		"hclfile":             "host/input host/words " + hcl + " " + hcl + "/gohcl " + hcl + "/hclsyntax github.com/zclconf/go-cty/cty",
		"await":               "",
		"experiment/report":   "host/fault host/node host/node/* host/picture host/rec host/server host/table host/train host/train/registry host/train/shadow host/train/timing host/words",
		"driver":              "hw/hotline/arch",
		"driver/conformance":  "host/driver hw/hotline/arch github.com/stretchr/testify/require",
		"node":                "",
		"node/timeline":       "host/node",
		"node/machine":        "host/hclfile host/node " + hcl,
		"train/timing":        "host/hclfile host/node host/node/machine host/node/timeline host/rec host/rec/repro hw/hotline/arch",
		"pcie":                "",
		"pcie/config":         "",
		"pcie/dll":            "host/pcie",
		"pcie/link":           "host/node host/pcie host/pcie/config host/pcie/dll",
		"pcie/pcietest":       "host/pcie",
		"pcie/capture":        "host/node host/pcie host/pcie/link github.com/google/gopacket github.com/google/gopacket/*",
		"trace":               "host/node host/pcie host/pcie/capture host/pcie/config host/pcie/link host/picture host/table host/words hw/hotline/arch",
		"asm":                 "host/driver host/node host/pcie host/pcie/link host/server host/table host/words hw/hotline/arch",
		"fault":               "hw/hotline/arch host/hclfile host/node host/pcie host/pcie/link host/server host/words " + hcl,
		"server":              "host/driver host/node host/pcie host/pcie/link",
		"rec":                 "host/rec/exact host/rec/kernel host/rec/repro",
		"rec/exact":           "host/rec/kernel",
		"rec/repro":           "",
		"train":               "host/rec host/rec/data host/train/timing",
		"train/papers":        "sim/outfile " + hcl + " " + hcl + "/gohcl host/accel host/await host/hclfile host/node host/node/machine host/picture host/rec host/rec/* host/server host/train host/train/* hw/hotline/arch hw/hotline/eal hw/hotline/randomizer",
		"train/parts":         "host/rec host/server host/train",
		"train/hybrid":        "host/rec host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/cpuhotline":    "host/driver host/rec host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/hugectr":       "host/rec host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/shadow":        "host/rec host/train",
		"train/staticcache":   "host/driver host/rec host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/systemtest":    "github.com/stretchr/testify/require host/node/machine host/rec host/rec/data host/rec/data/datatest host/rec/data/gen host/server host/train host/train/hybrid host/train/shadow host/train/timing",
		"train/xdl":           "host/rec host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/fae":           "host/driver host/rec host/rec/data host/server host/train host/train/fae/* host/train/parts host/train/registry host/train/timing",
		"train/fae/static":    "host/rec host/rec/repro host/train host/train/checkpoint host/train/safetensors",
		"train/fae/shuffle":   "",
		"train/scratchpipe":   "host/rec host/rec/repro host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/elrec":         "host/rec host/rec/exact host/rec/tt host/server host/train host/train/elrec/reorder host/train/parts host/train/registry host/train/shadow host/train/timing",
		"train/elrec/reorder": "",
		"rec/tt":              "host/rec/kernel host/rec/repro",
		"train/hotline":       "hw/hotline/arch host/driver host/node host/rec host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/cdlrm":         "host/driver host/rec host/rec/repro host/server host/train host/train/parts host/train/registry host/train/timing",
		"train/registry":      "host/driver host/rec host/server host/train host/train/shadow",
		"train/catalog":       "host/train/*",
		"train/safetensors":   "sim/outfile",
		"train/checkpoint":    "host/rec host/train host/train/safetensors",
		"rootport":            "host/node host/pcie host/pcie/link host/vfiouser",
		"vfio":                "host/driver",
		"vfiouser":            "",
		"vfiouser/client":     "host/driver",
		"accel":               "host/node host/pcie host/pcie/link hw/hotline/*",
		"card":                "sim host/node host/pcie host/pcie/link",
		"experiment":          "configs sim host/* hw/hotline/arch",
		"rec/data":            "host/rec",
		"rec/data/datatest":   "host/rec host/rec/data",
		"rec/data/text":       "github.com/klauspost/compress/zstd",
		"rec/data/index":      "host/rec/repro sim/outfile",
		"rec/data/clicklog":   "host/rec host/rec/data host/rec/data/index host/rec/data/text",
		"rec/data/criteo":     "host/rec/data/clicklog host/rec/data/index host/rec/data/text host/rec/repro",
		"rec/data/avazu":      "host/rec/data/clicklog host/rec/data/text",
		"rec/data/taobao":     "host/rec host/rec/data host/rec/data/clicklog host/rec/data/index host/rec/data/text host/rec/repro",
		"rec/data/gen":        "host/rec host/rec/data host/rec/data/profile host/rec/repro",
		"rec/data/profile":    "host/picture host/rec host/rec/data host/rec/repro host/table host/words",
	} {
		pkg, err := build.ImportDir(path, 0)
		require.NoError(t, err)
		for _, name := range pkg.Imports {
			if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
				continue // of the standard library
			}
			require.True(t, allows(allowed, strings.TrimPrefix(name, module)), "host/%s imports %s", path, name)
		}
	}
}

// readers returns the packages below a folder that import package docs outside their tests.
func readers(t *testing.T, root string) (list []string) {
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if pkg, err := build.ImportDir(path, 0); err == nil && slices.Contains(pkg.Imports, module+"docs") {
			list = append(list, filepath.Base(path))
		}
		return nil
	}))
	return list
}

// TestNobodyReadsDocuments: programs have their data in files of their own, so an edit of a document
// breaks none. Tests may import docs.
func TestNobodyReadsDocuments(t *testing.T) {
	require.Empty(t, readers(t, ".."))

	dir := t.TempDir()
	for name, file := range map[string]string{"production": "a.go", "tested": "a_test.go"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, file), []byte("package p\n\nimport _ \""+module+"docs\"\n"), 0o666))
	}
	require.Equal(t, []string{"production"}, readers(t, dir))
}

// TestOneLoader: no package but hclfile parses HCL, so its limits hold for every file.
// Package sweep rewrites files that hclfile has accepted.
func TestOneLoader(t *testing.T) {
	parsers := regexp.MustCompile(`hcl(parse|simple|json|dec|ed)"|hclsyntax\.(Parse|Lex)|hclwrite\.(Parse|Lex)`)
	found := map[string]bool{}
	for _, root := range []string{"../hw", "../host", "../gen", "../sim", "../cmd", "../configs", "../scripts", "../examples"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if parsers.Match(text) {
				found[filepath.ToSlash(path)] = true
			}
			return err
		}))
	}
	require.Equal(t, map[string]bool{"../host/hclfile/file.go": true, "../host/hclfile/limits.go": true, "../host/sweep/override.go": true}, found)
}

// TestFormatsAreInOnePlace: nothing but package arch computes the checksum that every
// entry of a ring has, so there is no second code for one. Links have another.
func TestFormatsAreInOnePlace(t *testing.T) {
	found := map[string]bool{}
	for _, root := range []string{"../hw", "../host", "../gen", "../cmd", "../configs"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if pkg, err := build.ImportDir(path, 0); err == nil && slices.Contains(pkg.Imports, "hash/crc32") {
				found[filepath.ToSlash(path)] = true
			}
			return nil
		}))
	}
	require.Equal(t, map[string]bool{"../hw/hotline/arch": true, "../host/pcie": true}, found)
}

func allows(allowed, name string) bool {
	for _, a := range strings.Fields(allowed) {
		if prefix, all := strings.CutSuffix(a, "*"); a == name || all && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
