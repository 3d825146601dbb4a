package timing

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// Profile is the software that a system runs on. [Choices] lists the values of its attributes.
type Profile struct {
	Name        string
	Title       string `hcl:"title"`
	Processes   string `hcl:"processes"`    // processes that dispatch to the GPUs of a server
	Launch      string `hcl:"launch"`       // of operators
	Loader      string `hcl:"loader"`       // systems whose loading time is not hidden
	Tables      string `hcl:"tables"`       // operators, calls and copies of embedding tables
	CPU         string `hcl:"cpu"`          // embedding bags
	Copies      string `hcl:"copies"`       // between host and GPUs
	HotExchange string `hcl:"hot_exchange"` // of rows that all GPUs hold
	Replicate   bool   `hcl:"replicate"`    // dense parameters go to the GPUs in every mini-batch
	Pipelined   bool   `hcl:"pipelined"`    // the CPU gathers ahead for the next mini-batch

	// The defaults of these are the first of their choices.
	Slices string `hcl:"slices,optional"` // of tables in tensor-train form
	Misses string `hcl:"misses,optional"` // of a cache of rows
}

// Choices are the values of a profile's attributes, with their meaning.
var Choices = map[string][][2]string{
	"processes": {{"one", "one host thread dispatches for all GPUs"}, {"per-gpu", "a process per GPU"}},
	"launch":    {{"eager", "each operator by itself"}, {"graph", "as nodes of a graph"}},
	"loader": {{"exposed", "no worker: every system waits for its inputs"},
		{"baselines", "so do all but systems whose accelerator reads the inputs itself"}, {"hidden", "inputs are ready"}},
	"tables": {{"each", "each by itself"}, {"together", "all at once"}},
	"cpu": {{"stock", "operators of a framework"}, {"fused", "fused kernels on all cores"},
		{"fused-one-thread", "fused kernels, one thread per process"}},
	"copies":       {{"pageable", "pageable memory, with a part of the host's time"}, {"pinned", "one copy from pinned memory"}},
	"slices":       {{"memory", "each product reads and writes its own in memory"}, {"cache", "all are in a cache"}},
	"misses":       {{"rows", "each missed row is copied"}, {"pooled", "the CPU pools them first"}},
	"hot_exchange": {{"sparse", "rows that changed, all to all"}, {"broadcast", "the whole hot table"}, {"dense", "an all-reduce of it"}, {"gloo", "rows that changed, through host memory"}},
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
	p := Profile{Name: strings.TrimSuffix(path.Base(file), ".hcl"), Slices: Choices["slices"][0][0], Misses: Choices["misses"][0][0]}
	if err := hclfile.Decode(file, text, &p); err != nil {
		return Profile{}, err
	}
	if err := p.check(); err != nil {
		return Profile{}, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

func (p Profile) check() error {
	for _, a := range []struct{ name, value string }{{"processes", p.Processes}, {"launch", p.Launch}, {"loader", p.Loader},
		{"tables", p.Tables}, {"cpu", p.CPU}, {"copies", p.Copies}, {"hot_exchange", p.HotExchange}, {"slices", p.Slices}, {"misses", p.Misses}} {
		var known []string
		for _, c := range Choices[a.name] {
			known = append(known, c[0])
		}
		if !slices.Contains(known, a.value) {
			return fmt.Errorf("%s is %q, expected %s", a.name, a.value, strings.Join(known, ", "))
		}
	}
	return nil
}

// processGPUs returns the number of GPUs of a server for which a process dispatches.
func (p Profile) processGPUs(gpus int) int {
	if p.Processes == "one" {
		return gpus
	}
	return 1
}
