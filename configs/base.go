package configs

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// inherit adds the attributes and blocks of a file's base that the file does not have. Their place
// is the attribute base.
func inherit(f *hclfile.File, p *places) error {
	attribute := f.Body.Attributes["base"]
	if attribute == nil {
		return nil
	}
	var name string
	if err := f.Value(attribute.Expr, nil, &name); err != nil {
		return err
	}
	line := attribute.NameRange.Start.Line
	text, err := shipped.ReadFile(name + ".hcl")
	if err != nil {
		return fmt.Errorf("%s:%d: base is %q; expected small or paper", p.file, line, name)
	}
	base, err := hclfile.Parse(name+".hcl", text)
	if err != nil {
		return err
	}
	for at := range newPlaces(name, base.Body).lines {
		if _, ok := p.lines[at]; !ok {
			p.lines[at] = line
		}
	}
	merge(f.Body, base.Body)
	return nil
}

// merge adds what a body lacks of another one. Blocks of the same type are merged.
func merge(body, base *hclsyntax.Body) {
	for name, a := range base.Attributes {
		if body.Attributes[name] == nil {
			body.Attributes[name] = a
		}
	}
	own := map[string]*hclsyntax.Block{}
	for _, b := range body.Blocks {
		own[b.Type] = b
	}
	for _, b := range base.Blocks {
		if own[b.Type] != nil {
			merge(own[b.Type].Body, b.Body)
		} else {
			body.Blocks = append(body.Blocks, b)
		}
	}
}
