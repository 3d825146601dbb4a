package timing

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Profile is the software that a system runs on. [Choices] lists the values of its attributes.
type Profile struct {
	Name        string
	Title       string `hcl:"title" doc:"name in reports"`
	Processes   string `hcl:"processes" doc:"processes that dispatch to the GPUs of a server"`
	Launch      string `hcl:"launch" doc:"how operators are launched"`
	Loader      string `hcl:"loader" doc:"systems whose loading time is not hidden"`
	Tables      string `hcl:"tables" doc:"operators, calls and copies of embedding tables"`
	CPU         string `hcl:"cpu" doc:"embedding bags on the CPU"`
	Copies      string `hcl:"copies" doc:"copies between host and GPUs"`
	HotExchange string `hcl:"hot_exchange" doc:"exchange of rows that all GPUs hold"`
	Replicate   bool   `hcl:"replicate" doc:"dense parameters go to the GPUs in every mini-batch"`
	Pipelined   bool   `hcl:"pipelined" doc:"the CPU gathers ahead for the next mini-batch"`
	Slices      string `hcl:"slices,optional" doc:"slices of tables in tensor-train form"`
	Misses      string `hcl:"misses,optional" doc:"misses of a cache of rows"`
}

// Choices are the values of a profile's attributes, with their meaning.
var Choices = map[string][][2]string{
	"processes": {{"one", "one host thread dispatches for all GPUs"}, {"per-gpu", "a process per GPU"}},
	"launch":    {{"eager", "each operator by itself"}, {"graph", "as nodes of a graph"}},
	"loader": {{"exposed", "no worker: every system waits for its inputs"},
		{"baselines", "only systems without an accelerator that reads the inputs wait for them"}, {"hidden", "inputs are ready"}},
	"tables": {{"each", "one table after the other"}, {"together", "all tables in one operator"}},
	"cpu": {{"stock", "operators of a framework"}, {"fused", "fused kernels on all cores"},
		{"fused-one-thread", "fused kernels, one thread per process"}},
	"copies":       {{"pageable", "pageable memory, with a part of the host's time"}, {"pinned", "one copy from pinned memory"}},
	"slices":       {{"memory", "each product reads and writes its slices in memory"}, {"cache", "all slices are in a cache"}},
	"misses":       {{"rows", "each missed row is copied"}, {"pooled", "the CPU pools missed rows first"}},
	"hot_exchange": {{"sparse", "rows that changed, all to all"}, {"broadcast", "the whole hot table"}, {"dense", "an all-reduce of the hot table"}, {"gloo", "rows that changed, through host memory"}},
}

//go:embed profiles/*.hcl
var profiles embed.FS

// ProfileNames lists the profiles that are part of the program.
func ProfileNames() (names []string) {
	files, err := profiles.ReadDir("profiles")
	if err != nil {
		panic(err) // the files are embedded
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".hcl"))
	}
	slices.Sort(names)
	return names
}

// ProfileSource returns the HCL of a profile of [ProfileNames].
func ProfileSource(name string) ([]byte, error) {
	text, err := profiles.ReadFile("profiles/" + name + ".hcl")
	if err != nil {
		return nil, fmt.Errorf("there is no software profile %q, expected %s or a file that ends with .hcl", name, strings.Join(ProfileNames(), ", "))
	}
	return text, nil
}

// LoadProfile returns the profile with a name of [ProfileNames], or from a file whose name ends
// with .hcl.
func LoadProfile(name string) (Profile, error) {
	file := name
	var text []byte
	var err error
	if strings.HasSuffix(name, ".hcl") {
		text, err = hclfile.Read(name)
	} else {
		file = name + ".hcl"
		text, err = ProfileSource(name)
	}
	if err != nil {
		return Profile{}, err
	}
	p := defaultProfile()
	p.Name = strings.TrimSuffix(path.Base(file), ".hcl")
	source, err := hclfile.Parse(file, text)
	if err != nil {
		return Profile{}, err
	}
	if err := source.Decode(&p); err != nil {
		return Profile{}, err
	}
	return p, source.Check(file, p)
}

// defaultProfile returns the values of optional attributes: the first of their choices.
func defaultProfile() Profile {
	return Profile{Slices: Choices["slices"][0][0], Misses: Choices["misses"][0][0]}
}

// Limits returns the choices of each attribute.
func (Profile) Limits() map[string]limits.Range {
	ranges := map[string]limits.Range{}
	for attribute, choices := range Choices {
		var names []string
		for _, c := range choices {
			names = append(names, c[0])
		}
		ranges[attribute] = limits.OneOf(names...)
	}
	return ranges
}

// ProfileBlocks describes the file of a software profile.
func ProfileBlocks() []hclfile.Block { return hclfile.Blocks(defaultProfile()) }

// processGPUs returns the number of GPUs of a server for which a process dispatches.
func (p Profile) processGPUs(gpus int) int {
	if p.Processes == "one" {
		return gpus
	}
	return 1
}

// HCL returns the file of the profile, for [LoadProfile].
func (p Profile) HCL() []byte {
	f := hclwrite.NewEmptyFile()
	gohcl.EncodeIntoBody(p, f.Body())
	return f.Bytes()
}
