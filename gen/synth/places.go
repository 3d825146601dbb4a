package synth

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// Place identifies an end of a path.
type Place struct {
	Name   string // register or memory, preceded by the instances around it
	Source string // position in the Go source, such as eal/bank.go:54, or "" if unknown
}

// place decodes a cell of the analysis: c3/c17 is cell 17 of the block that is cell 3.
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

// origin returns the place of a register or memory of b itself.
func (r *run) origin(b *Block, name string) Place {
	c := b.mapped.Cells[name]
	if _, ok := r.typical.cells[c.Type]; !ok {
		own := name[:strings.LastIndexByte(name, '.')] // remove the lowest bit of a macro from the name
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

// smallMemory returns the name of a memory of flip-flops, given the name of a flip-flop's net:
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

// label records the names of the nets of m.
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

// goPosition matches the comment after a Verilog statement: eal/bank.go:54.
var goPosition = regexp.MustCompile(`// .*?([\w./-]+\.go:\d+)$`)

// position returns the position of a register or memory in the Go source. For a register, it is the
// assignment, or else the declaration; for a memory, the instance. src lists Verilog positions of
// the register and of the instances around it, in any order.
func (r *run) position(name, src string) (at string, assigned bool) {
	parts := strings.Split(name, ".")
	word := parts[len(parts)-1]
	if len(parts) > 1 && word == "mem" {
		word = parts[len(parts)-2] // a memory in a module of hw/lib/ram
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

// positionIn returns the Go position of the assignment of a register that Verilog declares in a
// line, or else of that line.
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
