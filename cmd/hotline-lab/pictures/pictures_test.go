package pictures

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
)

// TestPicturesAreCurrent: the documents have the pictures of today's design. As a control, another
// program gives another picture.
func TestPicturesAreCurrent(t *testing.T) {
	list, err := files(program)
	require.NoError(t, err)
	for _, f := range list {
		kept, err := os.ReadFile(filepath.Join("../../../docs", filepath.FromSlash(f.Name)))
		require.NoError(t, err)
		require.True(t, f.SVG == string(kept), "docs/%s is stale: go run ./cmd/hotline-lab pictures docs", f.Name)
		shown(t, f.Name)
	}
	changed := strings.Replace(program, "1, 2, 3, 4, 5, 6, 7, 8, 9,", "1, 2, 3, 4, 5, 6, 7, 8, 17,", 1)
	require.NotEqual(t, program, changed)
	other, err := files(changed)
	if err == nil {
		require.NotEqual(t, list[0].SVG, other[0].SVG)
		return
	}
	require.ErrorContains(t, err, list[0].Name) // an event of the diagram does not happen
}

// shown requires that a page in the folder of a picture, or above it, shows the picture.
func shown(t *testing.T, name string) {
	pages, err := filepath.Glob(filepath.Join("../../../docs", filepath.Dir(name), "*.md"))
	require.NoError(t, err)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		if strings.Contains(string(text), "]("+filepath.Base(name)+")") {
			return
		}
	}
	t.Errorf("no page shows %s", name)
}

// TestNotes: what the notes of the lookup diagram state holds in the run: answers overtake, results
// do not.
func TestNotes(t *testing.T) {
	trace, err := record(program, diagrams[0].paths())
	require.NoError(t, err)
	r := newRun(trace)
	cycles, err := diagrams[0].cycles(r)
	require.NoError(t, err)
	answered, committed := "", ""
	for column := range cycles {
		for _, s := range diagrams[0].signals {
			value := s.row(r, cycles).Values[column]
			switch {
			case strings.HasPrefix(s.name, "banks"):
				answered += value
			case s.name == "committed":
				committed += value
			}
		}
	}
	require.Equal(t, "0213", answered)
	require.Equal(t, "0123", committed)
}

// TestMissingEvent: a diagram of an event that does not happen is an error.
func TestMissingEvent(t *testing.T) {
	d := diagrams[2]
	trace, err := record(program, d.paths())
	require.NoError(t, err)
	r := newRun(trace)
	d.follow = []event{{"tag", "7"}}
	_, err = d.draw(r)
	require.EqualError(t, err, `reference/timing-descriptor.svg: row "tag" does not show "7" from cycle 0 of the diagram`)
	d.windows = []window{{when: map[string]uint64{"m_axis_read_desc_len": 3}}}
	_, err = d.draw(r)
	require.EqualError(t, err, `reference/timing-descriptor.svg: no cycle from 0 has map[m_axis_read_desc_len:3]`)
}

// TestRowID: the set and the tag of the picture are those that the bank of the picture sees in the
// run. In another bank they do not occur.
func TestRowID(t *testing.T) {
	seen := func(bank string) bool {
		valid, set, tag := bank+"access_valid", bank+"access_set", bank+"access_tag"
		trace, err := record(program, []string{valid, set, tag})
		require.NoError(t, err)
		_, ok := window{when: map[string]uint64{valid: 1, set: 0x33, tag: 0x195c}}.find(newRun(trace), 0)
		return ok
	}
	svg, err := os.ReadFile("../../../docs/reference/row-id.svg")
	require.NoError(t, err)
	require.Contains(t, string(svg), ">195c<")
	require.True(t, seen(bank))
	require.False(t, seen("eal.bank[3].unit."))
}

// TestLife: the notes of the picture hold. Work on the previous mini-batch contains the classify,
// and the popular samples contain the gather; the non-popular ones do not.
func TestLife(t *testing.T) {
	line, err := timelineOf(3)
	require.NoError(t, err)
	b, err := lifeBlocks(line.Events())
	require.NoError(t, err)
	contains := func(outer, inner int) bool { return b[outer].Start <= b[inner].Start && b[inner].End <= b[outer].End }
	const classify, gather, previous, popular, nonPopular = 1, 2, 4, 5, 6
	require.True(t, contains(previous, classify))
	require.True(t, contains(popular, gather))
	require.False(t, contains(nonPopular, gather))

	_, err = lifeBlocks(line.Events()[:10])
	require.EqualError(t, err, "the timeline has 1 of the commands learn, classify, gather, update")
}

// TestStructures: the pictures of the structure follow the machine and the configuration.
func TestStructures(t *testing.T) {
	kept, err := os.ReadFile("../../../docs/tutorial/host.svg")
	require.NoError(t, err)
	cfg := server.DefaultConfig()
	require.Equal(t, string(kept), host(cfg))
	cfg.GPUs, cfg.Slot.Lanes = 2, 8
	svg := host(cfg)
	require.Contains(t, svg, ">2 x link.GPU<")
	require.Contains(t, svg, "PCIe 3.0 x8<")

	kept, err = os.ReadFile("../../../docs/overview.svg")
	require.NoError(t, err)
	small := configs.Small()
	svg, err = overview(small)
	require.NoError(t, err)
	require.Equal(t, string(kept), svg)
	small.Accelerator.Engines = 4
	svg, err = overview(small)
	require.NoError(t, err)
	require.Contains(t, svg, ">4 lookup engines, 8 EAL banks")
}

// TestTypes: names follow the types and functions.
func TestTypes(t *testing.T) {
	require.Equal(t, goType{"driver.Device", "host/device/driver"}, typeOf[driver.Device]())
	require.Equal(t, "Endpoint, Err", methods[server.Card]())
	require.Equal(t, "driver.Open", function(driver.Open))
	require.Equal(t, "server.Server.Insert", function((*server.Server).Insert))
}
