package synth

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// Place is an end of a path.
type Place struct {
	Name   string // of the register or memory, behind the instances around it
	Source string // where the Go source describes it: eal/bank.go:54, or "" if that is not known
}

// place tells what a cell of the analysis is: c3/c17 is cell 17 of the block that is cell 3.
func (r *run) place(b *Block, path string) Place {
	name := ""
	for {
		head, rest, inner := strings.Cut(path, "/")
		n, err := strconv.Atoi(strings.TrimPrefix(head, "c"))
		if err != nil || n >= len(b.mapped.names) {
			return Place{Name: name + head}
		}
		c := b.mapped.names[n]
		if !inner {
			p := r.origin(b, c)
			return Place{name + p.Name, p.Source}
		}
		name += c + "."
		b, path = b.mapped.inside[b.mapped.Cells[c].Type], rest
	}
}

// origin tells of a register or memory of b itself.
func (r *run) origin(b *Block, name string) Place {
	c := b.mapped.Cells[name]
	if _, ok := r.typical.cells[c.Type]; !ok {
		own := name[:strings.LastIndexByte(name, '.')] // a macro for the bits from so many on
		at, _ := r.position(own, c.Attributes["src"])
		return Place{own, at}
	}
	best := Place{Name: name}
	for _, q := range b.mapped.outputs(c) {
		for _, l := range b.mapped.labels[q] {
			if l.src == "" {
				l = b.smallMemory(l.name)
			}
			at, assigned := r.position(l.name, l.src)
			if assigned || best.Source == "" && l.name != "" {
				best = Place{l.name, at}
			}
		}
	}
	return best
}

// smallMemory is the name of a memory of flip-flops, from that of the net of one of them:
// $\queue.mem$rdreg[0]$q, $memory\queue.mem[3]$17.
func (b *Block) smallMemory(net string) label {
	_, name, _ := strings.Cut(net, `\`)
	name, _, _ = strings.Cut(name, "$")
	if i := strings.LastIndex(name, ".mem["); i >= 0 {
		name = name[:i+len(".mem")]
	}
	return label{name, b.memories[name]}
}

// label is a name of a net.
type label struct{ name, src string }

// label gives the nets of m their names.
func (m *mapped) label() {
	m.labels = map[eda.Bit][]label{}
	for _, name := range eda.Sorted(m.Nets) {
		n := m.Nets[name]
		for i, b := range n.Bits {
			text := name
			if len(n.Bits) > 1 {
				text += "[" + strconv.Itoa(i) + "]"
			}
			m.labels[b] = append(m.labels[b], label{text, n.Attributes["src"]})
		}
	}
}

// goPosition is what the Verilog has behind statements: eal/bank.go:54.
var goPosition = regexp.MustCompile(`// .*?([\w./-]+\.go:\d+)$`)

// position is where the Go source describes a register or memory: where the register is
// assigned, or else where it is declared, or the memory instantiated. It and the instances
// around it are in the Verilog at src, in no order.
func (r *run) position(name, src string) (at string, assigned bool) {
	parts := strings.Split(name, ".")
	word := parts[len(parts)-1]
	if len(parts) > 1 && word == "mem" {
		word = parts[len(parts)-2] // all that is in a module of hw/lib/ram
	}
	word, _, _ = strings.Cut(word, "[")
	declaration := regexp.MustCompile(`[ \]]` + regexp.QuoteMeta(word) + `[ ;,]`)
	for _, place := range strings.Split(src, "|") {
		file, line, _ := strings.Cut(place, ":")
		n, _ := strconv.Atoi(strings.SplitN(line, ".", 2)[0])
		for _, f := range r.files {
			if lines := strings.Split(f.Text, "\n"); f.Name == file && 0 < n && n <= len(lines) && declaration.MatchString(lines[n-1]+" ") {
				return positionIn(lines, word, n)
			}
		}
	}
	return "", false
}

// positionIn is where Verilog assigns a register that it declares in a line, or what that
// line says.
func positionIn(lines []string, word string, line int) (at string, assigned bool) {
	found := lines[line-1]
	assignment := regexp.MustCompile(`^\s*` + regexp.QuoteMeta(word) + `(\[[^=]*\])? <=`)
	for i, l := range lines {
		if assignment.MatchString(l) {
			for !goPosition.MatchString(lines[i]) && !strings.HasSuffix(lines[i], ";") {
				i++
			}
			found, assigned = lines[i], true
		}
	}
	if m := goPosition.FindStringSubmatch(found); m != nil {
		return m[1], assigned
	}
	return "", assigned
}
