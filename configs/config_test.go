package configs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

func TestShippedConfigurations(t *testing.T) {
	require.Equal(t, arch.Small(), *configs.Small().Accelerator)
	require.Equal(t, arch.Paper(), *configs.Paper().Accelerator)
	require.Equal(t, []string{"small", "paper"}, []string{configs.Small().Name, configs.Paper().Name}, "as the models and the Verilog")
	c, err := configs.Load("paper.hcl")
	require.NoError(t, err)
	require.Equal(t, configs.Paper(), c)
	require.Positive(t, c.Period())
}

// edited returns small.hcl with one text replaced by another.
func edited(t *testing.T, old, new string) string {
	text, err := os.ReadFile("small.hcl")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), old), "%q must occur once", old)
	return strings.Replace(string(text), old, new, 1)
}

// TestMistakesAreLocated covers every kind of message, except those about other sizes of the
// accelerator, which package arch tests.
func TestMistakesAreLocated(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown attribute", "  engines       = 8 ", "  enginse = 8\n  engines       = 8 ",
			`x.hcl:7: Unsupported argument: An argument named "enginse" is not expected here. Expected one of alus, banks, blocks, cache, edram_words, engines, gpus, queue_depth, slots, stream_bits, tables, tag_bits, tags, vector_values, ways, window.`},
		{"unknown attribute of the file", "clock_mhz = 350", "clock_mhz = 350\nspeed = 3",
			`x.hcl:5: Unsupported argument: An argument named "speed" is not expected here. Expected one of clock_mhz, or a block accelerator, cdlrm, data, elrec, fae, function, link, model, optimiser, scratchpipe, static_cache, training.`},
		{"unknown attribute of a block with defaults", "data {", "link {\n  lines = 8\n}\ndata {",
			`x.hcl:45: Unsupported argument: An argument named "lines" is not expected here. Did you mean "lanes"? Expected one of generation, lanes, latency_down_ps, latency_up_ps, name, tlp_share.`},
		{"missing attribute", "  dim           = 16\n", "",
			`x.hcl:25: Missing required argument: The argument "dim" is required, but no definition was found.`},
		{"wrong type", "clock_mhz = 350", `clock_mhz = "fast"`,
			`x.hcl:4: Unsuitable value type: a number is required`},
		{"not whole", "  batch       = 256", "  batch       = 25.6",
			`x.hcl:34: Unsuitable value type: value must be a whole number, between -9223372036854775808 and 9223372036854775807`},
		{"unknown block", "data {", "dota {}\ndata {",
			`x.hcl:44: Unsupported block type: Blocks of type "dota" are not expected here. Did you mean "data"? Expected a block accelerator, cdlrm, data, elrec, fae, function, link, model, optimiser, scratchpipe, static_cache, training.`},
		{"block given twice", "data {", "training {}\ndata {",
			`x.hcl:44: Duplicate training block: Only one training block is allowed. Another was defined at x.hcl:32,1-9.`},
		{"block with a label", "model {", `model "small" {`,
			`x.hcl:25: Extraneous label for model: No labels are expected for model blocks.`},
		{"syntax", "model {", "model {{",
			`x.hcl:25: Argument or block definition required: An argument or block definition is required here.`},
		{"variable", "  batch       = 256", "  batch       = size",
			"x.hcl:34: Variables not allowed: Variables may not be used here.\nx.hcl:34: Unsuitable value type: value must be known"},
		{"clock", "clock_mhz = 350", "clock_mhz = 2001",
			"x.hcl:4: clock_mhz is 2001; expected 1 to 2000"},
		{"not a power of two", "  banks         = 8 ", "  banks         = 6 ",
			"x.hcl:8: banks is 6; expected a power of two from 4 to 256"},
		{"size out of proportion", "  edram_words   = 32768 ", "  edram_words   = 40 ",
			"x.hcl:18: edram_words is 40; expected a multiple of twice the 8 engines, from 256 to 16777216"},
		{"too many GPUs", "  gpus        = 4", "  gpus        = 17",
			"x.hcl:33: gpus is 17; expected 1 to 16"},
		{"batch", "  batch       = 256", "  batch       = 0",
			"x.hcl:34: batch is 0; expected 1 to 1048576"},
		{"batches", "  batches     = 24", "  batches     = -1",
			"x.hcl:35: batches is -1; expected 1 to 1073741824"},
		{"relearn", "  relearn     = 20", "  relearn     = -1",
			"x.hcl:37: relearn is -1; expected 0 to 1073741824"},
		{"epochs", "  seed        = 1", "  seed        = 1\n  epochs      = 0",
			"x.hcl:39: epochs is 0; expected 1 to 65536"},
		{"shuffle", "  seed        = 1", "  seed        = 1\n  shuffle     = -1",
			"x.hcl:39: shuffle is -1; expected 0 to 1073741824"},
		{"held out", "  seed        = 1", "  seed        = 1\n  held_out    = 1.5",
			"x.hcl:39: held_out is 1.5; expected a share from 0 to below 1, or a number of samples"},
		{"split", "  seed        = 1", "  seed        = 1\n  split       = \"first\"",
			`x.hcl:39: split is "first"; expected last, random`},
		{"patience", "  seed        = 1", "  seed        = 1\n  patience    = -1",
			"x.hcl:39: patience is -1; expected 0 to 65536"},
		{"learn share", "  learn_share = 0.05", "  learn_share = 1.25",
			"x.hcl:36: learn_share is 1.25; expected above 0 and at most 1"},
		{"dimension", "  dim           = 16", "  dim           = 24",
			"x.hcl:26: dim is 24; expected a power of two from 4 (a beat of the stream) to 128 (the vector buffer)"},
		{"bottom layer", "  bottom        = [64]", "  bottom        = [64, 0]",
			"x.hcl:27: bottom[1] is 0; expected at least 1"},
		{"top layer", "  top           = [64]", "  top           = [-1]",
			"x.hcl:28: top[0] is -1; expected at least 1"},
		{"learning rate", "learning_rate = 0.1", "learning_rate = 1e39",
			"x.hcl:29: learning_rate is 1e+39; expected above 0, within the range of float32"},
		{"tiny learning rate", "learning_rate = 0.1", "learning_rate = 1e-50",
			"x.hcl:29: learning_rate is 1e-50; expected above 0, within the range of float32"},
		{"a table with zero rows", "data {", "data {\n  rows = { C3 = 0 }",
			"x.hcl:45: rows.C3 is 0; expected 1 to 2147483647"},
		{"a table with too many rows", "data {", "data {\n  rows = { C3 = 2147483648 }",
			"x.hcl:45: rows.C3 is 2147483648; expected 1 to 2147483647"},
		{"too many lookups", "lookups = { C5 = 2,", "lookups = { C5 = 257,",
			"x.hcl:50: lookups.C5 is 257; expected 1 to 256"},
		{"unknown table", "data {", "data {\n  rows = { D3 = 10 }",
			`x.hcl:45: there is no table "D3"; the generator has C1 to C26`},
		{"contexts", "  contexts     = 100", "  contexts     = 0",
			"x.hcl:45: contexts is 0; expected at least 1"},
		{"context zipf", "  context_zipf = 1.3", "  context_zipf = -1",
			"x.hcl:46: context_zipf is -1; expected 0 to 20"},
		{"list", "  list         = 2", "  list         = 0",
			"x.hcl:47: list is 0; expected at least 1"},
		{"rho", "  rho          = 0.993", "  rho          = 1.01",
			"x.hcl:48: rho is 1.01; expected 0 to 1"},
		{"sample of FAE", "  sample     = 0.2", "  sample     = 0",
			"x.hcl:56: sample is 0; expected above 0 and at most 1"},
		{"budget of FAE", "  budget_mib = 0.25", "  budget_mib = -1",
			"x.hcl:55: budget_mib is -1; expected 0 to 1073741824"},
		{"small tables of FAE", "  small_kib  = 64", "  small_kib  = 1e20",
			"x.hcl:57: small_kib is 1e+20; expected 0 to 1099511627776"},
		{"test of FAE", "  test       = 1024", "  test       = -1",
			"x.hcl:58: test is -1; expected 0 to 1073741824"},
		{"share of ScratchPipe", "data {", "scratchpipe {\n  share = 2\n}\ndata {",
			"x.hcl:45: share is 2; expected 0 to 1"},
		{"sample of the static cache", "data {", "static_cache {\n  sample = 0\n}\ndata {",
			"x.hcl:45: sample is 0; expected above 0 and at most 1"},
		{"policy of ScratchPipe", "data {", "scratchpipe {\n  policy = \"fifo\"\n}\ndata {",
			`x.hcl:45: policy is "fifo"; expected lru, lfu, random`},
		{"window of ScratchPipe", "data {", "scratchpipe {\n  share = 0.1\n  past  = 2\n}\ndata {",
			"x.hcl:46: past is 2; expected 3 to 8"},
		{"window of cDLRM", "data {", "cdlrm {\n  window = -1\n}\ndata {",
			"x.hcl:45: window is -1; expected 1 to 1048576"},
		{"ways of cDLRM", "data {", "cdlrm {\n  sets = 100\n  ways = 65\n}\ndata {",
			"x.hcl:46: ways is 65; expected 1 to 64"},
		{"rank of EL-Rec", "data {", "elrec {\n  rank = 0\n}\ndata {",
			"x.hcl:45: rank is 0; expected 1 to 1024"},
		{"EL-Rec", "data {", "elrec {\n  ranks = 8\n}\ndata {",
			`x.hcl:45: Unsupported argument: An argument named "ranks" is not expected here. Did you mean "rank"? Expected one of host, hot_ratio, queue, rank, reorder_groups, threshold.`},
		{"link", "data {", "link {\n  lanes = 3\n}\ndata {",
			"x.hcl:45: lanes is 3; expected a power of two from 1 to 16"},
		{"function", "data {", "function {\n  max_payload = 100\n}\ndata {",
			"x.hcl:45: max_payload is 100; expected a power of two from 128 to 4096"},
		{"rule", "data {", "optimiser {\n  rule = \"adamw\"\n}\ndata {",
			`x.hcl:45: rule is "adamw"; expected sgd, momentum, adagrad, rowwise_adagrad, adam`},
		{"constant of the default rule", "data {", "optimiser {\n  eps = 1\n}\ndata {",
			`x.hcl:45: eps is 1; expected no eps with rule "sgd"`},
		{"beta", "data {", "optimiser {\n  rule  = \"adam\"\n  beta2 = 1\n}\ndata {",
			"x.hcl:46: beta2 is 1; expected 0 to below 1"},
		{"epsilon", "data {", "optimiser {\n  rule = \"adagrad\"\n  eps  = 1e-50\n}\ndata {",
			"x.hcl:46: eps is 1e-50; expected above 0, within the range of float32"},
		{"constant of another rule", "data {", "optimiser {\n  rule     = \"adam\"\n  momentum = 0.9\n}\ndata {",
			`x.hcl:46: momentum is 0.9; expected no momentum with rule "adam"`},
		{"weight decay", "data {", "optimiser {\n  rule         = \"sgd\"\n  weight_decay = -0.1\n}\ndata {",
			"x.hcl:46: weight_decay is -0.1; expected 0, or above 0 within the range of float32"},
		{"warm-up", "data {", "optimiser {\n  rule                = \"sgd\"\n  lr_num_warmup_steps = -1\n}\ndata {",
			"x.hcl:46: lr_num_warmup_steps is -1; expected 0 to 1073741824"},
		{"decay before the end of the warm-up", "data {", "optimiser {\n  rule = \"sgd\"\n  lr_num_warmup_steps = 9\n  lr_decay_start_step = 8\n  lr_num_decay_steps  = 5\n}\ndata {",
			"x.hcl:47: lr_decay_start_step is 8, expected at least the 9 of lr_num_warmup_steps"},
		{"no bus master", "data {", "function {\n  bus_master = false\n}\ndata {",
			"x.hcl:45: bus_master is false; the accelerator could reach no memory"},
		{"machine", "  seed        = 1", "  seed        = 1\n  machine     = \"p100\"",
			`x.hcl:39: there is no machine "p100", expected a100, h100, v100 or a file that ends with .hcl`},
		{"profile", "  seed        = 1", "  seed        = 1\n  profile     = \"paper\"",
			`x.hcl:39: there is no software profile "paper", expected fae-2022, hotline-2024-a, hotline-2024-b, sceptic, sceptic-pipelined or a file that ends with .hcl`},
		{"nodes", "  seed        = 1", "  seed        = 1\n  nodes       = 65",
			"x.hcl:39: nodes is 65; expected 1 to 64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := configs.Parse("x.hcl", []byte(edited(t, c.old, c.new)))
			require.EqualError(t, err, c.want)
		})
	}
}

func TestMissingBlocks(t *testing.T) {
	_, err := configs.Parse("x.hcl", nil)
	require.EqualError(t, err, `x.hcl:1: Missing required argument: The argument "clock_mhz" is required, but no definition was found.`)
	_, err = configs.Parse("x.hcl", []byte("clock_mhz = 350\n"))
	require.EqualError(t, err, "x.hcl:1: the block accelerator is missing; expected accelerator, model and training, or base = \"small\"\n"+
		"x.hcl:1: the block model is missing; expected accelerator, model and training, or base = \"small\"\n"+
		"x.hcl:1: the block training is missing; expected accelerator, model and training, or base = \"small\"")
}

func TestDefaults(t *testing.T) {
	text := edited(t, "  lookups = { C5 = 2, C9 = 3, C17 = 4, C22 = 2 }\n", "")
	text = text[:strings.Index(text, "# Clicks")]
	c, err := configs.Parse("x.hcl", []byte(text))
	require.NoError(t, err)
	require.Equal(t, gen.CriteoLike(1), c.Clicks())
	require.Equal(t, link.DefaultConfig(), *c.Link)
	require.Equal(t, link.DefaultStraps(), *c.Straps)
	require.Equal(t, fae.DefaultOptions(), *c.Options["fae"].(*fae.Options))
	require.Equal(t, scratchpipe.DefaultOptions(), *c.Options["scratchpipe"].(*scratchpipe.Options))
	require.Equal(t, &cdlrm.Options{}, c.Options["cdlrm"])
	require.Equal(t, elrec.DefaultOptions(), *c.Options["elrec"].(*elrec.Options))
	require.Equal(t, []any{"v100", "hotline-2024-a", 1}, []any{c.Machine().Name, c.Profile().Name, c.Training.Nodes})
	require.Equal(t, 2857*des.Picosecond, c.Period())
}

// TestBlocksWithDefaults: attributes missing from a block keep their defaults.
func TestBlocksWithDefaults(t *testing.T) {
	c, err := configs.Parse("x.hcl", []byte(edited(t, "data {", `link {
  generation = 4
  lanes      = 8
}
function { read_completion_boundary = 128 }
data {
  rows = { C3 = 10 }`)))
	require.NoError(t, err)
	l, s := link.DefaultConfig(), link.DefaultStraps()
	l.Generation, l.Lanes, s.RCB = 4, 8, 128
	require.Equal(t, l, *c.Link)
	require.Equal(t, s, *c.Straps)

	p := c.Clicks()
	require.Equal(t, 10, p.Tables[2].Rows)
	require.Equal(t, 583, p.Tables[1].Rows)
	require.Equal(t, []int{1, 2, 3, 4}, []int{p.Tables[0].Lookups, p.Tables[4].Lookups, p.Tables[8].Lookups, p.Tables[16].Lookups})
	require.Equal(t, []any{100, 1.3, 2, 0.993}, []any{p.Contexts, p.ContextZipf, p.List, p.Rho})
}

// own contains the options of a system that is not in the catalog.
type own struct {
	Stay int `hcl:"stay,optional"`
}

func (o *own) Check() (string, error) {
	if o.Stay < 0 {
		return "stay", fmt.Errorf("stay is %d; expected 0 or more", o.Stay)
	}
	return "", nil
}

// TestBlockOfOwnSystem: a block requires only a description of its system.
func TestBlockOfOwnSystem(t *testing.T) {
	d := registry.Description{Name: "recent", Block: "recent", Options: &own{Stay: 1}}
	c, err := configs.Parse("x.hcl", []byte(edited(t, "data {", "recent {\n  stay = 3\n}\ndata {")), d)
	require.NoError(t, err)
	require.Equal(t, &own{3}, c.Setting(d).Options)
	require.Equal(t, map[string]any{"stay": 3}, c.Values()["recent"])
	_, err = configs.Parse("x.hcl", []byte(edited(t, "data {", "recent {\n  stay = -1\n}\ndata {")), d)
	require.EqualError(t, err, "x.hcl:45: stay is -1; expected 0 or more")
	_, err = configs.Parse("x.hcl", []byte(edited(t, "data {", "recent {\n  stay = 3\n}\ndata {")))
	require.ErrorContains(t, err, `x.hcl:44: Unsupported block type: Blocks of type "recent" are not expected here. Expected a block accelerator, cdlrm, `)
	require.Equal(t, &own{1}, configs.Small().Setting(registry.Description{Options: &own{Stay: 1}}).Options, "without a block")
}

func TestModel(t *testing.T) {
	c := configs.Paper()
	set := data.Shape{Dense: 13, Tables: []dlrm.Table{{Name: "C1", Rows: 3, Lookups: 1}}}
	m := c.For(set)
	require.NoError(t, m.Validate())
	require.Equal(t, dlrm.Config{Name: "dlrm", Dense: 13, Tables: set.Tables, Dim: 16, Bottom: []int{13, 512, 256, 64, 16}, Top: []int{512, 256, 1}, LearningRate: 0.1}, m)
}

// TestOptimiser: the attributes of the block, the defaults of each rule, and the optimisers of
// presets.
func TestOptimiser(t *testing.T) {
	parse := func(block string) *configs.Config {
		c, err := configs.Parse("x.hcl", []byte(edited(t, "data {", block+"\ndata {")))
		require.NoError(t, err)
		return c
	}
	for _, o := range dlrm.Optimisers() {
		m := parse(fmt.Sprintf("optimiser {\n  rule = %q\n}", o.Rule)).For(data.Shape{Dense: 13})
		require.Equal(t, o, m.Optimiser)
	}
	all := parse(`optimiser {
  rule                = "adam"
  beta1               = 0
  beta2               = 0.5
  eps                 = 0.125
  weight_decay        = 0.25
  lr_num_warmup_steps = 1
  lr_decay_start_step = 2
  lr_num_decay_steps  = 3
}`)
	want := dlrm.Optimiser{Rule: dlrm.RuleAdam, Beta2: 0.5, Eps: 0.125, WeightDecay: 0.25, Schedule: dlrm.Schedule{WarmupSteps: 1, DecayStart: 2, DecaySteps: 3}}
	require.Equal(t, want, all.For(data.Shape{}).Optimiser)
	require.Equal(t, map[string]any{
		"rule": "adam", "momentum": 0.0, "beta1": 0.0, "beta2": 0.5, "eps": 0.125, "weight_decay": 0.25,
		"lr_num_warmup_steps": 1, "lr_decay_start_step": 2, "lr_num_decay_steps": 3,
	}, all.Values()["optimiser"])

	none := configs.Small()
	require.Equal(t, dlrm.SGD, none.For(data.Shape{}).Optimiser)
	for _, c := range []*configs.Config{none, all} {
		require.NoError(t, c.SetPreset("rm1"))
	}
	m := none.For(data.Shape{})
	require.Equal(t, []any{dlrm.Adagrad, float32(0.05)}, []any{m.Optimiser, m.LearningRate})
	require.Equal(t, "adagrad", none.Values()["optimiser"].(map[string]any)["rule"])
	m = all.For(data.Shape{})
	require.Equal(t, []any{want, float32(0.1)}, []any{m.Optimiser, m.LearningRate})
}

func TestErrorf(t *testing.T) {
	c := configs.Small()
	require.EqualError(t, c.Errorf("training", "batch", "%d is odd", 3), "small.hcl:34: 3 is odd")
	require.EqualError(t, c.Errorf("training", "nothing", "x"), "small.hcl:32: x", "at the block")
	require.EqualError(t, c.Errorf("link", "lanes", "x"), "small.hcl:1: x", "at the start of the file")
}

func TestAllMistakesAtOnce(t *testing.T) {
	text := strings.Replace(edited(t, "  banks         = 8 ", "  banks         = 6 "), "learning_rate = 0.1", "learning_rate = 0", 1)
	_, err := configs.Parse("x.hcl", []byte(text))
	require.EqualError(t, err, "x.hcl:8: banks is 6; expected a power of two from 4 to 256\n"+
		"x.hcl:29: learning_rate is 0; expected above 0, within the range of float32")
}

func TestMissingFile(t *testing.T) {
	_, err := configs.Load(filepath.Join(t.TempDir(), "none.hcl"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestValues: Values contains every attribute that a file can have.
func TestValues(t *testing.T) {
	all := configs.Small().Values()
	require.Equal(t, 350, all["clock_mhz"])
	require.Equal(t, map[string]any{"window": 3, "sets": 48, "ways": 16, "lambda": 1}, all["cdlrm"], "what fits 24 mini-batches of 256")
	for block, fields := range map[string]any{
		"accelerator": arch.Params{}, "model": configs.Model{}, "optimiser": configs.Optimiser{}, "training": configs.Training{}, "data": configs.Data{},
		"link": link.Config{}, "function": link.Straps{}, "static_cache": staticcache.Options{}, "fae": fae.Options{}, "cdlrm": cdlrm.Options{}, "scratchpipe": scratchpipe.Options{},
		"elrec": elrec.Options{},
	} {
		values := all[block].(map[string]any)
		v := reflect.TypeOf(fields)
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Field(i).Tag.Get("hcl"), ",")
			if name == "" {
				require.NotContains(t, values, name)
				continue
			}
			require.Contains(t, values, name, block)
			delete(values, name)
		}
		require.Empty(t, values, block)
		delete(all, block)
	}
	require.Len(t, all, 1)

	c := configs.Small()
	rows := c.Values()["data"].(map[string]any)
	require.Len(t, rows["rows"], 26)
	require.Equal(t, 4, rows["lookups"].(map[string]int)["C17"])
	require.Equal(t, 0.993, rows["rho"])
	require.Nil(t, c.Data.Rows, "the configuration is as it was")
}

// TestBase: a file with a base changes only its own attributes. Mistakes that result from them have
// a line of the file.
func TestBase(t *testing.T) {
	c, err := configs.Parse("x.hcl", []byte("base = \"small\"\naccelerator {\n  engines = 4\n}\n"))
	require.NoError(t, err)
	want := configs.Small().Values()
	require.NotEqual(t, want, c.Values())
	want["accelerator"].(map[string]any)["engines"] = 4
	require.Equal(t, want, c.Values())

	c, err = configs.Parse("x.hcl", []byte("base = \"paper\"\n"))
	require.NoError(t, err)
	require.Equal(t, configs.Paper().Accelerator, c.Accelerator)

	for text, want := range map[string]string{
		`base = "large"`: `x.hcl:1: base is "large"; expected small or paper`,
		`base = 1 + `:    "x.hcl:1: ",
		"\nbase = \"small\"\nmodel {\n  dim = 3\n}":                                                     "x.hcl:4: dim is 3; expected a power of two",
		"base = \"small\"\naccelerator {\n  vector_values = 32\n}\nmodel {\n  top = [1]\n  dim = 64\n}": "x.hcl:7: dim is 64",
		"\nbase = \"small\"\naccelerator {\n  stream_bits = 512\n}":                                     "x.hcl:",
		"base = \"small\"\nmodell {\n}":                                                                 "x.hcl:2: ",
	} {
		_, err := configs.Parse("x.hcl", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}
