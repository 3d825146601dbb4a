package configs

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// places contains the line numbers of a file's blocks and attributes.
type places struct {
	file  string
	lines map[place]int
}

// place is an attribute of a block. An empty attribute denotes the block itself; an empty block
// denotes the top level of the file.
type place struct{ block, attribute string }

func newPlaces(file string, body *hclsyntax.Body) places {
	p := places{file, map[place]int{}}
	attributes := func(block string, body *hclsyntax.Body) {
		for name, a := range body.Attributes {
			p.lines[place{block, name}] = a.NameRange.Start.Line
		}
	}
	attributes("", body)
	for _, b := range body.Blocks {
		p.lines[place{b.Type, ""}] = b.TypeRange.Start.Line
		attributes(b.Type, b.Body)
	}
	return p
}

// has reports whether the file has a block.
func (p places) has(block string) bool {
	_, ok := p.lines[place{block, ""}]
	return ok
}

// line returns the line of the attribute, else of its block, else 1.
func (p places) line(block, attribute string) int {
	for _, at := range []place{{block, attribute}, {block, ""}} {
		if line, ok := p.lines[at]; ok {
			return line
		}
	}
	return 1
}

// Errorf returns an error that begins with the file and the line of an attribute. If the file does
// not contain the attribute, the line is the line of its block.
func (c *Config) Errorf(block, attribute, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", c.places.file, c.places.line(block, attribute), fmt.Sprintf(format, args...))
}
