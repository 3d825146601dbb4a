package synth

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// library holds the contents of a liberty file that the flow needs.
type library struct {
	text  []byte // uncompressed
	cells map[string]libCell
	// buffer is the smallest buffer. strong, for trees, is the largest of at most 4 times its area.
	buffer, strong buffer
	tie            [2]pin // cells with constant outputs 0 and 1
}

// libCell is a cell of a library.
type libCell struct {
	area       float64
	outputs    []string
	sequential bool
}

// buffer is a non-inverting cell with one input.
type buffer struct {
	cell    string
	in, out string
	load    float64 // capacitance of the input, in the library's unit
	delay   float64 // mean of its table of rising delays, in the library's unit
}

// pin is a pin of a cell.
type pin struct{ cell, name string }

// LibertyError reports an error in a file of the user.
type LibertyError struct {
	File string
	Err  error
}

func (e *LibertyError) Error() string { return e.File + ": " + e.Err.Error() }
func (e *LibertyError) Unwrap() error { return e.Err }

// readLibrary reads a liberty file, which may be compressed with gzip.
func readLibrary(file string) (*library, error) {
	text, err := readText(file)
	if err != nil {
		return nil, err
	}
	g, err := parseLiberty(text)
	if err != nil {
		return nil, &LibertyError{file, err}
	}
	l := &library{text: text, cells: map[string]libCell{}}
	if err := l.read(g); err != nil {
		return nil, &LibertyError{file, err}
	}
	return l, nil
}

// readText reads a file, and decompresses it if necessary.
func readText(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	magic, _ := r.Peek(2)
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return io.ReadAll(r)
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, &LibertyError{file, err}
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, &LibertyError{file, err}
	}
	return text, nil
}

// read extracts the required data from the group of the library. It fails if a kind of cell is
// missing.
func (l *library) read(g *group) error {
	flops := false
	var buffers []buffer
	for _, c := range g.all("cell") {
		area, err := strconv.ParseFloat(c.attributes["area"], 64)
		if err != nil {
			return fmt.Errorf("cell %s has no area", c.name())
		}
		flops = flops || len(c.all("ff")) > 0
		cell := libCell{area: area, sequential: len(c.all("ff"))+len(c.all("latch")) > 0}
		for _, p := range c.all("pin") {
			if p.attributes["direction"] == "output" {
				cell.outputs = append(cell.outputs, p.name())
			}
		}
		l.cells[c.name()] = cell
		buffers = append(buffers, l.simple(c, cell)...)
	}
	switch {
	case !flops:
		return errors.New("there is no flip-flop among its cells")
	case len(buffers) == 0:
		return errors.New("there is no buffer among its cells")
	case l.tie[0].cell == "" || l.tie[1].cell == "":
		return errors.New("there are no cells with the constants 0 and 1 among its cells")
	}
	l.choose(buffers)
	return nil
}

// simple records c if it is a constant cell. If it is a buffer, it returns the buffer.
func (l *library) simple(c *group, cell libCell) []buffer {
	if len(cell.outputs) != 1 {
		return nil
	}
	pins := c.all("pin")
	out := pins[slices.IndexFunc(pins, func(p *group) bool { return p.name() == cell.outputs[0] })]
	function := strings.Trim(out.attributes["function"], " ()")
	if function == "0" || function == "1" {
		l.tie[function[0]-'0'] = pin{c.name(), out.name()}
	}
	if len(pins) != 2 || c.attributes["dont_use"] == "true" || cell.sequential || out.attributes["three_state"] != "" {
		return nil
	}
	for _, in := range pins {
		if in != out && function == in.name() {
			load, _ := strconv.ParseFloat(in.attributes["capacitance"], 64)
			return []buffer{{c.name(), in.name(), out.name(), load, meanDelay(out)}}
		}
	}
	return nil
}

// choose selects the buffers.
func (l *library) choose(buffers []buffer) {
	slices.SortFunc(buffers, func(a, b buffer) int {
		if d := l.cells[a.cell].area - l.cells[b.cell].area; d != 0 {
			return int(1e6 * d)
		}
		return strings.Compare(a.cell, b.cell)
	})
	l.buffer = buffers[0]
	for _, b := range buffers {
		if l.cells[b.cell].area <= 4*l.cells[l.buffer.cell].area {
			l.strong = b
		}
	}
}

// meanDelay returns the mean of the table of rising delays at an output.
func meanDelay(out *group) float64 {
	sum, n := 0.0, 0
	for _, t := range out.all("timing") {
		for _, rise := range t.all("cell_rise") {
			for _, word := range strings.FieldsFunc(rise.attributes["values"], func(r rune) bool { return strings.ContainsRune(", \t\\\n", r) }) {
				if v, err := strconv.ParseFloat(word, 64); err == nil {
					sum, n = sum+v, n+1
				}
			}
		}
	}
	return sum / float64(max(n, 1))
}

// group is a group of a liberty file: cell(NAND2) { area : 1; pin(A) { ... } }.
type group struct {
	kind       string
	args       []string
	attributes map[string]string // of complex attributes, the arguments separated by commas
	groups     []*group
}

func (g *group) name() string { return strings.Join(g.args, ",") }

// all returns the groups of a kind inside g.
func (g *group) all(kind string) (out []*group) {
	for _, x := range g.groups {
		if x.kind == kind {
			out = append(out, x)
		}
	}
	return out
}

// parseLiberty parses the text of a liberty file.
func parseLiberty(text []byte) (*group, error) {
	p := libertyParser{text: text, line: 1}
	p.next()
	all := &group{attributes: map[string]string{}}
	if err := p.statement(all); err != nil {
		return nil, err
	}
	if libraries := all.all("library"); len(libraries) == 1 {
		return libraries[0], nil
	}
	return nil, errors.New("this is not a Liberty file: it does not begin with library(...) {")
}

// libertyParser parses statements. token is the current word, string or punctuation mark, or empty
// at the end.
type libertyParser struct {
	text   []byte
	line   int
	token  string
	quoted bool
}

// next reads the next token.
func (p *libertyParser) next() {
	p.blank()
	p.quoted = false
	n := 0
	switch {
	case len(p.text) == 0:
	case p.text[0] == '"':
		p.text, p.quoted = p.text[1:], true
		if n = bytes.IndexByte(p.text, '"'); n < 0 {
			n = len(p.text)
		}
	case bytes.IndexByte(signs, p.text[0]) >= 0:
		n = 1
	default:
		n = bytes.IndexFunc(p.text, func(r rune) bool { return r <= ' ' || r == '"' || strings.ContainsRune(string(signs), r) })
		if n < 0 {
			n = len(p.text)
		}
	}
	p.token = string(p.text[:n])
	p.skip(n)
	if p.quoted {
		p.skip(min(1, len(p.text)))
	}
}

var signs = []byte("(){};:,")

// skip skips bytes and counts lines.
func (p *libertyParser) skip(n int) {
	p.line += bytes.Count(p.text[:n], []byte("\n"))
	p.text = p.text[n:]
}

// blank skips white space, line continuations and comments.
func (p *libertyParser) blank() {
	for len(p.text) > 0 {
		switch {
		case p.text[0] <= ' ' || p.text[0] == '\\':
			p.skip(1)
		case bytes.HasPrefix(p.text, []byte("/*")):
			end := bytes.Index(p.text, []byte("*/"))
			if end < 0 {
				end = len(p.text) - 2
			}
			p.skip(end + 2)
		case bytes.HasPrefix(p.text, []byte("//")):
			end := bytes.IndexByte(p.text, '\n')
			if end < 0 {
				end = len(p.text)
			}
			p.skip(end)
		default:
			return
		}
	}
}

// expect consumes a punctuation mark.
func (p *libertyParser) expect(sign string) error {
	if p.quoted || p.token != sign {
		return p.wrong("expected " + sign)
	}
	p.next()
	return nil
}

func (p *libertyParser) wrong(what string) error {
	found := fmt.Sprintf("%.20q", p.token)
	if p.token == "" && !p.quoted {
		found = "the end of the file"
	}
	return fmt.Errorf("line %d: this is not a Liberty file: %s, found %s", p.line, what, found)
}

// statement parses an attribute of g or a group in it.
func (p *libertyParser) statement(g *group) error {
	name := p.token
	if p.quoted || name == "" || strings.Contains(string(signs), name) {
		return p.wrong("expected a name")
	}
	p.next()
	if p.token == ":" && !p.quoted {
		p.next()
		p.value(g, name)
		return nil
	}
	args, err := p.arguments()
	if err != nil {
		return err
	}
	if p.token != "{" || p.quoted {
		g.attributes[name] = strings.Join(args, ",")
		p.end()
		return nil
	}
	p.next()
	inner := &group{kind: name, args: args, attributes: map[string]string{}}
	g.groups = append(g.groups, inner)
	for p.token != "}" || p.quoted {
		if err := p.statement(inner); err != nil {
			return err
		}
	}
	p.next()
	p.end()
	return nil
}

// value parses the value after a colon, up to a semicolon or the end of the line.
func (p *libertyParser) value(g *group, name string) {
	line := p.line
	var words []string
	for p.token != "" || p.quoted {
		if !p.quoted && (p.token == ";" || p.token == "}" || len(words) > 0 && p.line > line) {
			break
		}
		words = append(words, p.token)
		p.next()
	}
	g.attributes[name] = strings.Join(words, " ")
	p.end()
}

// arguments parses a list in parentheses.
func (p *libertyParser) arguments() (args []string, err error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	for p.token != ")" || p.quoted {
		if p.token == "" && !p.quoted {
			return nil, p.wrong("expected )")
		}
		if p.token != "," || p.quoted {
			args = append(args, p.token)
		}
		p.next()
	}
	p.next()
	return args, nil
}

// end consumes optional semicolons after a statement.
func (p *libertyParser) end() {
	for p.token == ";" && !p.quoted {
		p.next()
	}
}
