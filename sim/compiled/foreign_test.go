package compiled

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// foreign creates a user's module outside this module and returns its directory. Its go.mod has a
// relative path. Its command runs a counter with a model that the command has built.
func foreign(t *testing.T) (dir string) {
	root, err := Source()
	require.NoError(t, err)
	dir = t.TempDir()
	here, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	relative, err := filepath.Rel(here, root)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"go.mod": "module example.com/mine\n\ngo 1.25.0\n\nrequire github.com/hotline-rtl/hotline v0.0.0\n\nreplace github.com/hotline-rtl/hotline => " + relative + "\n",
		"internal/counter/counter.go": `// Package counter counts.
package counter

import "github.com/hotline-rtl/hotline/hw"

// Request is a record.
type Request struct {
	Step hw.Bits ` + "`hw:\"Width\"`" + `
	On   hw.Bits ` + "`doc:\"counts in this cycle\"`" + `
}

// Ports are the ports of Counter.
type Ports struct {
	Ask   Request ` + "`hw:\"in\"`" + `
	Count hw.Bits ` + "`hw:\"out,Width\"`" + `
}

// Counter adds up steps.
type Counter struct{ Width int }

// Build describes it.
func (p Counter) Build(m *hw.Module) Ports {
	io := hw.Ports[Ports](m)
	n := m.Reg("n", p.Width, 0)
	m.When(io.Ask.On, func() { n.Set(n.Add(io.Ask.Step)) })
	io.Count.Set(n)
	return io
}
`,
		"cmd/run/texts/word": "embedded",
		"cmd/run/main.go": `// Command run counts.
package main

import (
	"embed"
	"fmt"
	"log"
	"os"
	"os/exec"

	"example.com/mine/internal/counter"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

//go:embed texts
var texts embed.FS

func main() {
	p := counter.Counter{Width: 8}
	d, err := hw.Elaborate(p)
	if err != nil {
		log.Fatal(err)
	}
	s, ok := compiled.Find(d)
	if !ok {
		again(compiled.Build(d, "example.com/mine/cmd/run", os.Args[1]))
		return
	}
	tb := sim.Bind[counter.Ports](s, p)
	tb.Ask.Step.Poke(7)
	tb.Ask.On.Poke(1)
	for range 6 {
		if err := s.Step(); err != nil {
			log.Fatal(err)
		}
	}
	word, err := texts.ReadFile("texts/word")
	fmt.Println("compiled:", tb.Count.Peek(), string(word), err)
}

func again(p compiled.Program, err error) {
	if err != nil {
		log.Fatal(err)
	}
	text, err := exec.Command(p.Path).CombinedOutput()
	fmt.Print("built ", p.New, ": ", string(text))
	if err != nil {
		log.Fatal(err)
	}
}
`,
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func inModule(t *testing.T, dir string, command ...string) string {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// TestBuildForeign: Build rebuilds a command of a user's module with a model, from any directory.
// The module has internal packages, embedded files and a relative path in go.mod. Its port records
// pass go vet.
func TestBuildForeign(t *testing.T) {
	dir, builds, program := foreign(t), t.TempDir(), filepath.Join(t.TempDir(), "run")
	require.Empty(t, inModule(t, dir, "go", "vet", "./..."))
	inModule(t, dir, "go", "build", "-o", program, "./cmd/run")
	require.Equal(t, "built true: compiled: 42 embedded <nil>\n", inModule(t, t.TempDir(), program, builds))
	require.Equal(t, "built false: compiled: 42 embedded <nil>\n", inModule(t, dir, program, builds))

	inModule(t, dir, "go", "build", "-trimpath", "-o", program, "./cmd/run")
	require.Equal(t, "built false: compiled: 42 embedded <nil>\n", inModule(t, dir, program, builds), "found from the present directory")
	cmd := exec.Command(program, builds)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, "start the program in the module of example.com/mine/cmd/run", last(string(out)))
}

func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
