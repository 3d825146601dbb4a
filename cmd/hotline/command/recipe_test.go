package command

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/report"
)

// recipe returns configs/small.hcl with the recipe of docs/how-to/data.md, without the attributes
// named, and with other lines in the block training.
func recipe(t *testing.T, without string, lines ...string) string {
	found := regexp.MustCompile("(?ms)^```hcl\n(batch .*?)^```$").FindStringSubmatch(contents(t, "../../../docs/how-to/data.md"))
	require.NotNil(t, found)
	text := contents(t, "../../../configs/small.hcl")
	for _, line := range append(strings.Split(strings.TrimSpace(found[1]), "\n"), lines...) {
		name, _, _ := strings.Cut(line, " ")
		if strings.Contains(without, name) {
			continue
		}
		own := regexp.MustCompile(`(?m)^  ` + name + ` .*\n`)
		text = own.ReplaceAllString(text, "")
		text = edited(t, text, "training {\n", "training {\n  "+line+"\n")
	}
	config := filepath.Join(t.TempDir(), "recipe.hcl")
	require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	return config
}

// heldOut trains with a configuration and returns the report.
func heldOut(t *testing.T, config string, args ...string) report.Report {
	code, stdout, stderr := hotline(append([]string{"train", "--json", "--config", config}, args...)...)
	require.Zero(t, code, stderr)
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	return r
}

// TestRecipe: docs/how-to/data.md has the AUCs of its recipe. Real rows are read if HOTLINE_SHARED
// names a folder that contains them.
func TestRecipe(t *testing.T) {
	seeds := 5
	if testing.Short() {
		seeds = 1
	}
	page := contents(t, "../../../docs/how-to/data.md")
	check := func(row string, split string, args ...string) {
		t.Run(row, func(t *testing.T) {
			var shown []string
			for _, without := range []string{"epochs shuffle patience", ""} {
				low, high := math.Inf(1), math.Inf(-1)
				for seed := range seeds {
					config := recipe(t, without, fmt.Sprintf("seed = %d", seed+1), fmt.Sprintf("split = %q", split))
					auc := *heldOut(t, config, append(args, "--system", "hybrid")...).Systems[0].HeldOut.AUC
					low, high = min(low, auc), max(high, auc)
					require.True(t, without != "" || auc > 0.68, "seed %d: %v", seed+1, auc)
				}
				shown = append(shown, fmt.Sprintf("%.3f to %.3f", low, high))
			}
			if !testing.Short() {
				require.Contains(t, page, fmt.Sprintf("| %s | %s | %s |\n", row, shown[0], shown[1]))
			}
		})
	}
	check("7,112 of `gen:avazu` (`--batches 100`)", "last", "--data", "gen:avazu", "--batches", "100")
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return
	}
	rows := "criteo:" + filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv")
	check("7,200 rows of the Criteo log", "last", "--data", rows)
	check("the same, `split = \"random\"`", "random", "--data", rows)
}
