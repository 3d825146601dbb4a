package pictures

import (
	"slices"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// File is a picture of a document.
type File struct {
	Name string // below docs
	SVG  string
}

// All draws all pictures.
func All() ([]File, error) { return files(program) }

// files draws all pictures. The signals are from the run of a program.
func files(program string) (list []File, err error) {
	paths := []string{engine + "window_commit_way"}
	for _, d := range diagrams {
		paths = append(paths, d.paths()...)
	}
	slices.Sort(paths)
	trace, err := record(program, slices.Compact(paths))
	if err != nil {
		return nil, err
	}
	r := newRun(trace)
	for _, d := range diagrams {
		svg, err := d.draw(r)
		if err != nil {
			return nil, err
		}
		list = append(list, File{d.file, svg})
	}
	svg, err := rowID(r, arch.Small())
	if err != nil {
		return nil, err
	}
	list = append(list, File{"reference/row-id.svg", svg})
	svg, err = life()
	if err != nil {
		return nil, err
	}
	list = append(list, File{"explanation/mini-batch.svg", svg}, File{"tutorial/host.svg", host(server.DefaultConfig())})
	svg, err = overview(configs.Small())
	return append(list, File{"overview.svg", svg}), err
}
