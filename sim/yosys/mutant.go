package yosys

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// unused lists pins of memories that matter only in clocked reads, which the netlist does not
// contain.
var unused = map[string]bool{"RD_EN": true, "RD_SRST": true, "RD_ARST": true}

// Mutant is a netlist with a fault in one bit of a pin of one cell. The bit is inverted, stuck, or
// inverted if another bit of the pin is 0 or 1.
type Mutant struct {
	n       *Netlist
	number  int
	command string // command that creates it from the netlist
}

// Mutants returns about count faults, which Yosys samples from the cells with a seed. Faults of
// clock pins are omitted, because clocks are not logic.
func (n *Netlist) Mutants(count int, seed uint64) ([]Mutant, error) {
	if err := n.yosys(fmt.Sprintf("read_rtlil gold.il\nmutate -list %d -seed %d -o mutants.txt\n", count, seed)); err != nil {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(n.dir, "mutants.txt"))
	if err != nil {
		return nil, fmt.Errorf("yosys: %w", err)
	}
	var out []Mutant
	script := "read_rtlil gold.il\ndesign -save gold\n"
	for line := range strings.Lines(string(list)) {
		x := Mutant{n, len(out), strings.TrimSpace(line)}
		if p := x.option("port"); strings.HasSuffix(p, "CLK") || unused[p] {
			continue
		}
		out = append(out, x)
		script += fmt.Sprintf("design -load gold\n%s\nwrite_json %s\n", x.command, x.file())
	}
	return out, n.yosys(script)
}

func (x Mutant) file() string { return fmt.Sprintf("mutant%d.json", x.number) }

// option returns the first value of an option of the command, or "".
func (x Mutant) option(name string) string {
	words := strings.Fields(x.command)
	if i := slices.Index(words, "-"+name); i >= 0 {
		return words[i+1]
	}
	return ""
}

// Design returns the mutant as a design for engines. It fails if the fault creates a combinational
// loop.
func (x Mutant) Design() (*ir.Design, error) {
	gold, err := x.n.gold()
	if err != nil {
		return nil, err
	}
	m, err := x.n.load(x.file(), "gold")
	if err != nil {
		return nil, err
	}
	return x.n.read(m, gold)
}

// String describes the fault and its location: cell, pin, and lines of Go.
func (x Mutant) String() string {
	s := fmt.Sprintf("%s %s.%s[%s]", x.option("mode"), x.option("cell"), x.option("port"), x.option("portbit"))
	if c := x.option("ctrlbit"); c != "" {
		s += " by [" + c + "]"
	}
	if w := x.option("wire"); w != "" {
		s += " " + w + "[" + x.option("wirebit") + "]"
	}
	if at := x.positions(); len(at) > 0 {
		s += " at " + strings.Join(at, ", ")
	}
	return s
}

var (
	verilogLines = regexp.MustCompile(`-src (\S+\.v):(\d+)\.\d+-(\d+)\.\d+`)
	goLine       = regexp.MustCompile(`[\w/]+\.go:\d+`)
)

// positions returns the lines of Go that generated the Verilog lines in the command.
func (x Mutant) positions() (out []string) {
	for _, at := range verilogLines.FindAllStringSubmatch(x.command, -1) {
		text, err := os.ReadFile(filepath.Join(x.n.dir, at[1]))
		if err != nil {
			continue
		}
		lines := strings.Split(string(text), "\n")
		first, _ := strconv.Atoi(at[2])
		last, _ := strconv.Atoi(at[3])
		for _, l := range lines[max(0, first-1):min(last, len(lines))] {
			if p := goLine.FindString(l); p != "" {
				if !slices.Contains(out, p) {
					out = append(out, p)
				}
				break
			}
		}
	}
	return out
}
