package formal

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// Failure is a run in which an assertion fails.
type Failure struct {
	Text   string // text of the assertion
	Source string // position of the assertion in the Go source: package/file.go:line
	Step   int    // step in which it fails; in step 0, the resets are active
	// Trace holds, for each step, the values of the ports, registers and wires of the top module.
	Trace []map[string]*big.Int
}

// String formats the failure and the run, with a line for each step.
func (f *Failure) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%q at %s fails in step %d", f.Text, f.Source, f.Step)
	for i, values := range f.Trace {
		fmt.Fprintf(&out, "\n%d:", i)
		for _, name := range eda.Sorted(values) {
			fmt.Fprintf(&out, " %s=%x", name, values[name])
		}
	}
	return out.String()
}

// play executes c with the inputs of each step.
func (c *circuit) play(dir string, inputs []string) (*Failure, error) {
	values := make([]bool, c.nodes)
	of := func(l lit) bool { return values[l/2] != (l&1 == 1) }
	f := &Failure{}
	for step, line := range inputs {
		if len(line) != len(c.inputs) {
			return nil, fmt.Errorf("formal: %d inputs in step %d, expected %d", len(line), step, len(c.inputs))
		}
		for i, in := range c.inputs {
			values[in/2] = line[i] == '1'
		}
		for _, a := range c.ands {
			values[a.out/2] = of(a.a) && of(a.b)
		}
		f.Trace = append(f.Trace, c.visible(of))
		for _, k := range c.claims {
			if k.kind == "assert" && of(k.on) && !of(k.holds) {
				if !of(c.fails) {
					return nil, fmt.Errorf("formal: the failure in step %d breaks an assumption", step)
				}
				f.Step = step
				return f, f.locate(dir, k.source)
			}
		}
		next := make([]bool, len(c.latches))
		for i, l := range c.latches {
			next[i] = of(l.next)
		}
		for i, l := range c.latches {
			values[l.out/2] = next[i]
		}
	}
	return nil, fmt.Errorf("formal: no assertion fails in the trace of ABC")
}

// visible returns the values of the named nets of the top module.
func (c *circuit) visible(of func(lit) bool) map[string]*big.Int {
	out := map[string]*big.Int{}
	for name, bits := range c.names {
		x := new(big.Int)
		for i, l := range bits {
			if of(l) {
				x.SetBit(x, i, 1)
			}
		}
		out[name] = x
	}
	return out
}

// locate reads the comment of an assertion: its text, a semicolon, its position. source is the file
// and the last line of the assertion. The comment follows the assertion, or precedes it if the line
// would be too long.
func (f *Failure) locate(dir, source string) error {
	var file string
	var line int
	if _, err := fmt.Sscanf(strings.Replace(source, ":", " ", 1), "%s %d", &file, &line); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return err
	}
	comment := commentOf(strings.Split(string(text), "\n")[:line])
	if at := strings.LastIndex(comment, "; "); at >= 0 {
		f.Text, f.Source = comment[:at], comment[at+2:]
	}
	return nil
}

// commentOf returns the comment of the assertion that ends in the last line.
func commentOf(lines []string) string {
	at := len(lines) - 1
	if _, behind, ok := strings.Cut(lines[at], "// "); ok {
		return behind
	}
	for at > 0 && !strings.HasPrefix(strings.TrimSpace(lines[at]), "assert ") {
		at--
	}
	var words []string
	for at--; at >= 0; at-- {
		above, ok := strings.CutPrefix(strings.TrimSpace(lines[at]), "//")
		if !ok {
			break
		}
		words = append([]string{strings.TrimSpace(above)}, words...)
	}
	return strings.Join(words, " ")
}
