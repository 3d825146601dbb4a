package regmap_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/regmap"
)

var update = flag.Bool("update", false, "write the golden files")

// registers has a field of each kind.
type registers[V any] struct {
	Limit  V `reg:"0x00,rw,15:0,reset=100" doc:"events in a period"`
	Status struct {
		Busy  V `reg:"ro,0" doc:"at work"`
		Late  V `reg:"w1c,12:5" doc:"what came \"late\""`
		Mark  V `reg:"w1s,20:15,reset=9"`
		Taken V `reg:"rc,31:21,reset=3"`
	} `reg:"0x04" doc:"how it goes"`
	Control struct {
		Enable  V `reg:"wo,0,reset=1"`
		Enabled V `reg:"ro,0" doc:"it runs"`
		Reg     V `reg:"pulse,1"`
		Start   V `reg:"pulse,9:2"`
	} `reg:"0x08"`
	Base  []V `reg:"0x10,rw,27:6,len=3,reset=5" doc:"where it begins"`
	Total V   `reg:"0x20,count,63:0" doc:"of all time"`
	Ring  V   `reg:"0x2c,rw,63:6"`
	Now   []V `reg:"0x38,ro,39:0,len=2"`
	Alias V   `reg:"0x48,wo"`
}

var meter = regmap.New[registers[uint64]]("meter", "Registers of the meter.")

// TestTexts compares the generated texts with reviewed files.
func TestTexts(t *testing.T) {
	for file, text := range map[string]string{
		"meter.h": meter.Header(), "meter.rdl": meter.SystemRDL(), "meter.md": meter.Markdown(), "meter.go.txt": meter.Go("meter", "Reg"),
	} {
		if *update {
			require.NoError(t, os.WriteFile("testdata/"+file, []byte(text), 0o600))
		}
		want, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		require.Equal(t, string(want), text, file)
	}
}
