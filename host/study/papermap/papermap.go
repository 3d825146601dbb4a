package papermap

import (
	"cmp"
	_ "embed"
	"strings"
	"sync"

	"github.com/hotline-rtl/hotline/host/study/papers"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// Paper lists the places of a paper.
type Paper struct {
	Name   string  `hcl:"name,label"` // as in package papers
	Places []Place `hcl:"place,block"`
}

// Place is a box, a figure or a table of a paper.
type Place struct {
	Where   string `hcl:"where,label"` // figure or table
	Shows   string `hcl:"shows,label"` // name of a box, or contents
	Module  string `hcl:"module,optional"`
	Package string `hcl:"package,optional"`
	Test    string `hcl:"test,optional"`    // PACKAGE.TEST
	Missing string `hcl:"missing,optional"` // reason
}

//go:embed map.hcl
var text []byte

// Papers returns the map. It is part of the program, and a test checks it.
var Papers = sync.OnceValue(func() []Paper {
	list, err := parse(text)
	if err != nil {
		panic(err)
	}
	return list
})

// parse reads a map, and completes its places.
func parse(text []byte) ([]Paper, error) {
	var file struct {
		Papers []Paper `hcl:"paper,block"`
	}
	if err := hclfile.Decode("map.hcl", text, &file); err != nil {
		return nil, err
	}
	for _, p := range file.Papers {
		for i := range p.Places {
			p.Places[i].complete(p.Name)
		}
	}
	return file.Papers, nil
}

// complete derives the package from the test. A place without a test is missing if none of its rows
// is evaluated, for the reason that a row states, or because its class is no result.
func (p *Place) complete(paper string) {
	rows := p.rows(paper)
	if p.Package == "" {
		p.Package, _ = split(p.Test)
	}
	if p.Test != "" || evaluated(rows) > 0 {
		return
	}
	for _, r := range rows {
		p.Missing = cmp.Or(p.Missing, r.NotRun)
	}
	if len(rows) > 0 {
		p.Missing = cmp.Or(p.Missing, "no result: "+string(rows[0].Class))
	}
}

// evaluated counts the rows that are evaluated.
func evaluated(rows []papers.Record) (n int) {
	for _, r := range rows {
		if r.Measure != "" {
			n++
		}
	}
	return n
}

// split returns package and name of a test.
func split(test string) (dir, name string) {
	i := max(strings.LastIndexByte(test, '.'), 0)
	return test[:i], strings.TrimPrefix(test[i:], ".")
}

// rows returns the published numbers of a place.
func (p Place) rows(paper string) (list []papers.Record) {
	for _, r := range papers.Records() {
		if r.Paper == paper && r.Item == p.Where {
			list = append(list, r)
		}
	}
	return list
}

// Names returns the names of the accelerator's modules in the Hotline paper, with the figure in
// a second line, by module.
func Names() map[string]string {
	names := map[string]string{}
	for _, p := range Papers() {
		for _, place := range p.Places {
			if place.Module != "" {
				names[place.Module] = place.Shows + "\n" + place.Where
			}
		}
	}
	return names
}
