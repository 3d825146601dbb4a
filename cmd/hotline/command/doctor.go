package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// tool is an external program that a part of the project runs.
type tool struct {
	name    string
	version string // command line that prints the version
	own     string // folder of scripts/setup in the cache that may contain it, or ""
	needed  string // for what
}

var externalTools = []tool{
	{name: "go", version: "go version", needed: "building compiled models of other configurations; without it they are interpreted"},
	{name: "cc", version: "cc --version", needed: "the C library (gen --c)"},
	{name: "g++", version: "g++ --version", needed: "building Verilator's simulators"},
	{name: "make", version: "make --version", needed: "building the C library and Verilator's simulators"},
	{name: "verilator", version: "verilator --version", needed: "hotline verify, and tests of designs"},
	{name: "iverilog", version: "iverilog -V", needed: "tests of designs in Icarus Verilog"},
	{name: "yosys", version: "yosys -V", needed: "hotline synth, and proofs"},
	{name: "yosys-abc", version: "yosys-abc -q version", needed: "mapping to cells in hotline synth, and proofs"},
	{name: "sta", version: "sta -version", needed: "clock and power in hotline synth (OpenSTA)"},
	{name: "tshark", version: "tshark --version", needed: "tests of captures"},
	{name: "qemu", version: "qemu-system-x86_64 --version", needed: "virtual machines with the device (hotline serve)"},
	{name: "fusesoc", version: "fusesoc --version", needed: "builds from the core file of hotline gen", own: "python"},
	{name: "cocotb", version: "cocotb-config --version", needed: "benches in Python", own: "cocotb"},
	{name: "slurm", version: "sbatch --version", needed: "hotline sweep --slurm"},
	{name: "torch", version: "python3 -c import torch;print(torch.__version__)", needed: "comparisons with PyTorch"},
}

// diagnosis is the output of hotline doctor.
type diagnosis struct {
	Schema  string      `json:"schema"`
	Version string      `json:"version"`
	Tools   []toolFound `json:"tools"`
	Cache   cacheFound  `json:"cache"`
}

type toolFound struct {
	Name    string `json:"name"`
	Found   bool   `json:"found"`
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"`
	Needed  string `json:"needed_for"`
}

type cacheFound struct {
	Folder string `json:"folder,omitempty"`
	Bytes  int64  `json:"bytes"`
	Limit  int64  `json:"limit_bytes"`
}

type doctorFlags struct {
	need string
	json bool
}

func doctorCommand() *cobra.Command {
	var f doctorFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "List the external tools that are found, and the cache of builds",
		Long: `Lists the external tools that parts of the project run, with their versions and
what each is needed for, and the folder and size of the cache of builds.
Nothing in the list is needed for a run of the configuration small.

Missing tools are no failure, except the entries of --need: then the exit code is 1.`,
		Example: `  hotline doctor
  hotline doctor --need verilator,yosys`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	c.Flags().StringVar(&f.need, "need", "", "fail if one of these `tools` is missing, separated by commas")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object (docs/reference/json.md)")
	return c
}

func (f doctorFlags) run(cmd *cobra.Command) error {
	var need []string
	if f.need != "" {
		need = strings.Split(f.need, ",")
	}
	if err := checkTools(need); err != nil {
		return usage(err)
	}
	d := diagnosis{Schema: "hotline.doctor/1", Version: version(), Tools: lookForTools(cmd.Context(), externalTools), Cache: lookAtCache()}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	write := d.write
	if f.json {
		write = func(w io.Writer) error { return printJSON(w, d) }
	}
	if err := write(cmd.OutOrStdout()); err != nil {
		return err
	}
	return d.lacks(need)
}

// checkTools returns an error if a name is not in the list of tools.
func checkTools(names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(externalTools, func(t tool) bool { return t.name == name }) {
			var known []string
			for _, t := range externalTools {
				known = append(known, t.name)
			}
			return fmt.Errorf("--need has %q; expected some of %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// lookForTools looks for all tools concurrently, because some take a second to print a version.
func lookForTools(ctx context.Context, tools []tool) []toolFound {
	found := make([]toolFound, len(tools))
	var all sync.WaitGroup
	for i, t := range tools {
		all.Go(func() { found[i] = t.look(ctx) })
	}
	all.Wait()
	return found
}

// look reports whether the tool is in the PATH, or where scripts/setup installs it, and runs. Its
// version is the first line that it prints.
func (t tool) look(ctx context.Context) toolFound {
	found := toolFound{Name: t.name, Needed: t.needed}
	program, rest, _ := strings.Cut(t.version, " ")
	path, err := exec.LookPath(program)
	if err != nil && t.own != "" {
		path, err = exec.LookPath(filepath.Join(lookAtCache().Folder, t.own, "bin", program))
	}
	if err != nil {
		return found
	}
	args := strings.Fields(rest)
	if program == "python3" { // its program is one argument
		args = []string{"-c", strings.TrimPrefix(rest, "-c ")}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	text, err := cmd.Output()
	if err != nil {
		return found
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	found.Found, found.Path, found.Version = true, path, strings.TrimSpace(line)
	return found
}

// lookAtCache returns the user's cache of builds. Its folder is empty if there is none.
func lookAtCache() cacheFound {
	s, err := buildcache.Open("")
	if err != nil {
		return cacheFound{Limit: buildcache.Limit}
	}
	return cacheFound{s.Folder(), s.Size(), buildcache.Limit}
}

// write prints the diagnosis as text.
func (d diagnosis) write(w io.Writer) error {
	t := table.Table{Columns: []table.Column{{Name: "tool", Text: true, Key: true}, {Name: "version", Text: true}, {Name: "needed for", Text: true}}}
	for _, x := range d.Tools {
		v := "missing"
		if x.Found {
			v = format.Cut(x.Version)
		}
		t.Rows = append(t.Rows, []string{x.Name, v, x.Needed})
	}
	cache := "none: the user has no cache directory"
	if d.Cache.Folder != "" {
		cache = fmt.Sprintf("%s, %s of at most %s (builds of the last hour stay)", d.Cache.Folder, format.Bytes(float64(d.Cache.Bytes)), format.Bytes(float64(d.Cache.Limit)))
	}
	_, err := fmt.Fprintf(w, "hotline %s\n\n%s\nCache of builds: %s\n", d.Version, t.Format(table.Width(w)), cache)
	return err
}

// lacks returns an error that lists the names of missing tools, if there are any.
func (d diagnosis) lacks(names []string) error {
	var missing []string
	for _, t := range d.Tools {
		if !t.Found && slices.Contains(names, t.Name) {
			missing = append(missing, t.Name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return failed(errors.New("missing tools: " + strings.Join(missing, ", ")))
}
