package attributes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/study/sweep"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// wrong returns a value outside of any range of a type.
func wrong(typ string) cty.Value {
	minus := cty.NumberIntVal(-1)
	switch typ {
	case "string":
		return cty.StringVal("?!")
	case "list of integers":
		return cty.ListVal([]cty.Value{minus})
	case "object of integers":
		return cty.ObjectVal(map[string]cty.Value{"C1": minus})
	}
	return minus
}

// with returns a file in which an attribute of a block has another value, and the line of the
// attribute.
func with(t *testing.T, text, block string, attribute hclfile.Attribute) (string, int) {
	f, diags := hclwrite.ParseConfig([]byte(text), "x.hcl", hcl.InitialPos)
	require.False(t, diags.HasErrors())
	body := f.Body()
	if block != "" {
		name, _, _ := strings.Cut(block, " ")
		found := false
		for _, b := range body.Blocks() {
			if b.Type() == name {
				body, found = b.Body(), true
				break
			}
		}
		if !found {
			body = body.AppendNewBlock(name, nil).Body()
		}
	}
	const mark = "THE_VALUE"
	body.SetAttributeValue(attribute.Name, cty.StringVal(mark))
	before, after, ok := strings.Cut(string(f.Bytes()), `"`+mark+`"`)
	require.True(t, ok)
	return before + string(hclwrite.TokensForValue(wrong(attribute.Type)).Bytes()) + after, strings.Count(before, "\n") + 1
}

// files returns a valid file of each kind, and a function that reads it.
func files(t *testing.T) (texts []string, read []func(name string) error) {
	_, small, err := configs.Source("")
	require.NoError(t, err)
	v100, err := machine.Source("v100")
	require.NoError(t, err)
	sceptic, err := timing.ProfileSource("sceptic")
	require.NoError(t, err)
	return []string{
			string(small), string(v100), string(sceptic), "fault \"ur\" {\n  place = \"dma_rd\"\n}\n",
			"run \"train\" {}\naxis \"gpus\" {\n  attribute = \"training.gpus\"\n  values = [1, 2]\n}\nsample {\n  points = 2\n  seed = 1\n}\n",
			"format = \"csv\"\nheader = true\nlabel \"click\" {}\ndense {\n  columns = [\"x\"]\n}\ncategorical {\n}\ncheck {\n  columns = [\"y\"]\n}\n",
			"title = \"x\"\nclock_mhz = 100\nvendor = \"1234\"\ndevice = \"0001\"\nclass = \"ff0000\"\n",
		}, []func(string) error{
			func(name string) error { _, err := configs.Load(name); return err },
			func(name string) error { _, err := machine.Load(name); return err },
			func(name string) error { _, err := timing.LoadProfile(name); return err },
			func(name string) error { _, err := fault.Load(name); return err },
			func(name string) error { _, err := sweep.Load(name); return err },
			func(name string) error { _, err := schema.Load(name); return err },
			func(name string) error { _, err := card.Load(name); return err },
		}
}

// TestRangesAreChecked: a value outside of any range on the page is an error with the file, the line
// of the attribute or of its block, and the expected values.
func TestRangesAreChecked(t *testing.T) {
	texts, read := files(t)
	dir, checked := t.TempDir(), 0
	for i, k := range kinds() {
		name := filepath.Join(dir, fmt.Sprintf("x%d.hcl", i))
		require.NoError(t, os.WriteFile(name, []byte(texts[i]), 0o600))
		require.NoError(t, read[i](name), k.title)
		for _, b := range k.blocks {
			for _, a := range b.Attributes {
				if a.Range == "" {
					continue
				}
				text, line := with(t, texts[i], b.Name, a)
				require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
				err := read[i](name)
				require.Error(t, err, "%s.%s", b.Name, a.Name)
				first, _, _ := strings.Cut(err.Error(), "\n")
				require.Contains(t, []string{fmt.Sprintf("%s:%d", name, line), fmt.Sprintf("%s:%d", name, blockLine(text, line))},
					strings.Join(strings.SplitN(first, ":", 3)[:2], ":"), first)
				require.Regexp(t, "expected|which is not in its range", first)
				checked++
			}
		}
	}
	require.Greater(t, checked, 60)
}

// blockLine returns the line of the block around a line.
func blockLine(text string, line int) int {
	lines := strings.Split(text, "\n")
	for line > 1 && !strings.HasSuffix(lines[line-1], "{") {
		line--
	}
	return line
}
