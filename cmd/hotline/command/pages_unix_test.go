//go:build unix

package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// frame is a page in a browser, as shown by testdata/frames.html.
type frame struct {
	Name, File, Scheme string
	Width              int
}

// inspected is a report of testdata/inspect.js.
type inspected struct {
	Rules  int // number of passed rules
	Dark   bool
	Faults []string
}

// inspect renders pages in Chromium, at phone and desktop width, light and dark, with all details
// open. It returns the faults of each page: findings of axe-core, overflowing content, and
// unreadable content.
func inspect(t *testing.T, pages map[string]string) map[string][]string {
	tools.Need(t, "chromium")
	dir := t.TempDir()
	script := "<script>" + axe(t) + "</script><script>" + contents(t, filepath.Join(origin(t), "testdata/inspect.js")) + "</script>"
	var frames []frame
	for name, page := range pages {
		file := fmt.Sprintf("%d.html", len(frames))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(page+script), 0o600))
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int{390, 1280} {
				frames = append(frames, frame{fmt.Sprintf("%s, %s, %d", name, scheme, width), file, scheme, width})
			}
		}
	}
	var all bytes.Buffer
	require.NoError(t, template.Must(template.ParseFiles(filepath.Join(origin(t), "testdata/frames.html"))).Execute(&all, frames))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "frames.html"), all.Bytes(), 0o600))
	chromium := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+filepath.Join(dir, "user"),
		"--window-size=1400,900", "--virtual-time-budget=600000", "--dump-dom", filepath.Join(dir, "frames.html"))
	dom, err := chromium.Output()
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(dom), `<pre id="all">`)
	text, _, _ = strings.Cut(text, "</pre>")
	var found map[string]inspected
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(text)), &found), string(dom))
	faults := map[string][]string{}
	for _, f := range frames {
		got := found[f.Name]
		require.Equal(t, f.Scheme == "dark", got.Dark, f.Name)
		if !got.Dark {
			require.Greater(t, got.Rules, 10, f.Name)
		}
		if len(got.Faults) > 0 {
			faults[f.Name] = got.Faults
		}
	}
	return faults
}

// axe returns the script of axe-core that scripts/setup has installed.
func axe(t *testing.T) string {
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(cache, "hotline/python/lib/python3*/site-packages/axe_playwright_python/axe.min.js"))
	require.NoError(t, err)
	require.Len(t, files, 1, "scripts/setup installs axe-core in %s", cache)
	return contents(t, files[0])
}

// sweepsSeeds sweeps a program whose numbers differ only in their last digits.
const (
	sweepsSeeds = `run "./figures" {
  arguments = [seed]
}
axis "seed" {
  values = [1, 2]
}
plots = ["time_ps", "auc"]
`
	printsFigures = `#!/bin/sh
echo '{"time_ps": 3508'$1'445437, "auc": 7.50933333333333'$1'}'
`
)

// pages returns a page of every verb that writes pages.
func pages(t *testing.T) map[string]string {
	dir := folder(t, map[string]string{"seeds.hcl": sweepsSeeds, "figures": printsFigures})
	require.NoError(t, os.Chmod("figures", 0o700))
	config := filepath.Join(origin(t), tiny)
	for _, args := range [][]string{
		{"train", "--config", config, "--system", "hybrid,hotline", "--batches", "2", "--check", "--held-out", "4", "--html", "train.html"},
		{"cosim", "--config", config, "--batches", "1", "--pcapng", "run.pcapng"},
		{"trace", "run.pcapng", "--html", "trace.html"},
		{"data", "profile", "--data", "criteo:" + filepath.Join(origin(t), clicks), "--html", "profile.html"},
		{"reproduce", "hotline/figure-29", "hotline/figure-4", "--fresh", "--html", "reproduce.html"},
		{"sweep", "seeds.hcl", "--out", "."},
	} {
		code, _, stderr := hotline(args...)
		require.Zero(t, code, stderr)
	}
	list := map[string]string{}
	for _, name := range []string{"train", "trace", "profile", "reproduce", "results"} {
		list[name] = contents(t, filepath.Join(dir, name+".html"))
	}
	return list
}

// TestPages: on every page, at phone and desktop width, light and dark, axe-core finds nothing.
// Wide content scrolls separately, and the text of charts is complete and large enough.
func TestPages(t *testing.T) {
	tools.Need(t, "chromium")
	require.Empty(t, inspect(t, pages(t)))
}

// TestSweepPage: seeds are labels on an axis. Numbers have units, and only as many digits as needed
// to distinguish them.
func TestSweepPage(t *testing.T) {
	folder(t, map[string]string{"seeds.hcl": sweepsSeeds, "figures": printsFigures})
	require.NoError(t, os.Chmod("figures", 0o700))
	code, _, stderr := hotline("sweep", "seeds.hcl", "--out", ".")
	require.Zero(t, code, stderr)
	page := contents(t, "results.html")
	for _, part := range []string{"time_ps, ms</th>", "<td>35.08145</td>", "<td>7.509</td>", "over seed, us above 35.0814 ms<", ">0.2</text>"} {
		require.Contains(t, page, part)
	}
	for _, part := range []string{"35081445437", "7.50933", "…", `class="line"`} {
		require.NotContains(t, page, part)
	}
}

// TestFaultsOfPagesAreFound: inspect reports a page with a fault.
func TestFaultsOfPagesAreFound(t *testing.T) {
	tools.Need(t, "chromium")
	whole := `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>page</title>
<style>@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style></head><body><main><h1>Page</h1>
<div style="overflow-x: auto" tabindex="0" role="group" aria-label="numbers"><table><tr><th scope="col">n</th></tr><tr><td>1</td></tr></table><p style="width: 2000px; text-align: right">wide</p></div>
<svg width="300" height="20" viewBox="0 0 300 20" role="img"><title>picture</title><text x="10" y="14" style="font-size: 11px; fill: #777">label</text></svg>
</main></body></html>`
	variants := map[string][2]string{
		"whole":                       {"", ""},
		"landmark-one-main":           {"main>", "div>"},
		"empty-table-header":          {">n</th>", "></th>"},
		"scrollable-region-focusable": {` tabindex="0"`, ""},
		"overflow":                    {"overflow-x: auto", ""},
		"small":                       {`width="300" height="20" view`, `width="200" height="14" view`},
		"outside":                     {`x="10"`, `x="290"`},
		"cut":                         {">label<", ">lab…<"},
		"color-contrast":              {"color: #eee", "color: #222"},
		"html-has-lang":               {` lang="en"`, ""},
	}
	list := map[string]string{}
	for name, change := range variants {
		list[name] = strings.ReplaceAll(whole, change[0], change[1])
		if change[0] == "" {
			list[name] = whole
		}
	}
	found := inspect(t, list)
	for frame := range found {
		require.False(t, strings.HasPrefix(frame, "whole, "), "%v", found[frame])
	}
	for name := range variants {
		if name != "whole" {
			faults := slices.Concat(found[name+", light, 390"], found[name+", dark, 1280"])
			require.True(t, slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, name+": ") }), "%s: %v", name, faults)
		}
	}
}
