//go:build unix

package command

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// budget limits the packages linked into the program and the allocations at its start.
type budget struct {
	Modules   []string // all external modules
	Forbidden []string // packages, including packages below them
	Start     struct {
		Total, Own int // bytes allocated by all initialisers, and by one package of this module
	}
}

func readBudget(t *testing.T) (b budget) {
	require.NoError(t, json.Unmarshal([]byte(contents(t, "testdata/budget.json")), &b))
	return b
}

// exceeds returns the violations of the budget by a list of packages, each with its module.
func (b budget) exceeds(packages string) (wrong []string) {
	modules := map[string]bool{}
	for line := range strings.Lines(packages) {
		name, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		if module != "" && module != modulePath {
			modules[module] = true
		}
		for _, f := range b.Forbidden {
			if name == f || strings.HasPrefix(name, f+"/") {
				wrong = append(wrong, name+" is linked")
			}
		}
	}
	for m := range modules {
		if !slices.Contains(b.Modules, m) {
			wrong = append(wrong, "module "+m+" is new")
		}
	}
	for _, m := range b.Modules {
		if !modules[m] {
			wrong = append(wrong, "module "+m+" is not linked any more")
		}
	}
	slices.Sort(wrong)
	return wrong
}

// TestDependencies: the program links exactly these modules and no network stack.
func TestDependencies(t *testing.T) {
	b := readBudget(t)
	list := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}", modulePath+"/cmd/hotline")
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	out, err := list.Output()
	require.NoError(t, err)
	require.Empty(t, b.exceeds(string(out)), "a dependency has a reason and a measured cost: docs/explanation/decisions/libraries.md")

	more := strings.ReplaceAll(string(out), "github.com/spf13/pflag", "github.com/spf13/viper") + "net/http \nnet/http/internal \ncrypto/tls \nnet/httpx \n"
	require.Equal(t, []string{"crypto/tls is linked", "module github.com/spf13/pflag is not linked any more", "module github.com/spf13/viper is new",
		"net/http is linked", "net/http/internal is linked"}, b.exceeds(more))
}

// initialiser matches a line of GODEBUG=inittrace=1.
var initialiser = regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes, \d+ allocs$`)

// overdone returns the initialisers that allocate more than the budget, and the total allocation.
func (b budget) overdone(trace string) (wrong []string, total int) {
	for _, m := range initialiser.FindAllStringSubmatch(trace, -1) {
		n, _ := strconv.Atoi(m[2]) // the pattern matches only digits
		total += n
		if strings.HasPrefix(m[1], modulePath) && n > b.Start.Own {
			wrong = append(wrong, fmt.Sprintf("%s allocates %d bytes", m[1], n))
		}
	}
	if total > b.Start.Total {
		wrong = append(wrong, fmt.Sprintf("all allocate %d bytes", total))
	}
	return wrong, total
}

// TestStart: the start of the program allocates nothing large that the verb does not use, such as
// the list of states of a cycle model.
func TestStart(t *testing.T) {
	b := readBudget(t)
	start := exec.Command(program(t), "--version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	start.Stderr = &trace
	require.NoError(t, start.Run())
	wrong, total := b.overdone(trace.String())
	require.Empty(t, wrong)
	require.Greater(t, total, b.Start.Total/3, "the trace is read, and the budget is near what is needed")

	wrong, _ = b.overdone(trace.String() + "init " + modulePath + "/hw/hotline/models/large @29 ms, 47 ms clock, 4350016 bytes, 5693 allocs\n")
	require.Len(t, wrong, 2)
	require.Equal(t, modulePath+"/hw/hotline/models/large allocates 4350016 bytes", wrong[0])
}
