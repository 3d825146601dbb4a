package experiment_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// baselines lists the systems whose speed-ups the document states.
const baselines = "hybrid,hybrid-intel,xdl,hugectr,cpu-hotline,static-cache"

func document(t *testing.T) string {
	text, err := os.ReadFile("../../../docs/explanation/systems/baselines.md")
	require.NoError(t, err)
	return string(text)
}

// TestDocumentedSpeedUps: docs/explanation/systems/baselines.md contains the speed-ups of the small
// configuration.
func TestDocumentedSpeedUps(t *testing.T) {
	c := configs.Small()
	clicks, err := experiment.Clicks(c)
	require.NoError(t, err)
	list, err := registry.Choose(catalog.Systems(), baselines)
	require.NoError(t, err)
	r := run(t, experiment.Job{Config: c, Data: clicks, Systems: list, Valueless: true})
	profiles := []string{"fae-2022", "hotline-2024-a", "hotline-2024-b", "sceptic", "sceptic-pipelined"}
	value := map[string]float64{}
	for _, s := range r.SpeedUps {
		value[s.System+s.Profile] = s.Value
	}
	for _, s := range list[1:] {
		row := "| `" + s.Name + "` |"
		for _, p := range profiles {
			row += fmt.Sprintf(" %.2f |", value[s.Name+p])
		}
		require.Contains(t, document(t), row)
	}
	static := system(t, r, "static-cache")
	misses, hits := int64(0), int64(0)
	for _, count := range static.Counts {
		switch count.Label {
		case "lookups that miss":
			misses = count.N
		case "lookups that hit":
			hits = count.N
		}
	}
	require.Contains(t, strings.ReplaceAll(document(t), "\n", " "), fmt.Sprintf("%.1f %% of the lookups miss", 100*float64(misses)/float64(misses+hits)))
}
