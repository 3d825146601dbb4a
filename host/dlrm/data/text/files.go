package text

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Files are text files that are read one after the other.
type Files struct {
	paths  []string
	sizes  []int64
	expect string
	open   func(path string) (io.ReadSeekCloser, error)
}

// NewFiles returns the files with these paths; expect is what each of them should have, for errors: "lines of 40 fields". It fails
// if there are none, or if one is missing or a folder.
func NewFiles(paths []string, expect string) (*Files, error) {
	if len(paths) == 0 {
		return nil, errors.New("no files, expected at least one path")
	}
	f := &Files{paths: paths, expect: expect, open: func(path string) (io.ReadSeekCloser, error) { return os.Open(path) }}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, f.wrong(path, 0, "this is a folder, expected a file with "+expect)
		}
		f.sizes = append(f.sizes, info.Size())
	}
	return f, nil
}

// Part returns the files from, from+1, ..., to-1.
func (f *Files) Part(from, to int) *Files {
	part := *f
	part.paths, part.sizes = f.paths[from:to], f.sizes[from:to]
	return &part
}

// Paths returns the paths.
func (f *Files) Paths() []string { return f.paths }

// Len returns the number of files.
func (f *Files) Len() int { return len(f.paths) }

// Size returns the bytes of all files, packed as they are.
func (f *Files) Size() int64 {
	n := int64(0)
	for _, size := range f.sizes {
		n += size
	}
	return n
}

// Rereadable returns nil if all files can be read more than once, else an error that names one that cannot, such as a pipe.
func (f *Files) Rereadable() error {
	for _, path := range f.paths {
		if info, err := os.Stat(path); err != nil {
			return err
		} else if !info.Mode().IsRegular() {
			return fmt.Errorf("%s can be read only once, expected a regular file", path)
		}
	}
	return nil
}

// Mark is the beginning of a line.
type Mark struct {
	File int   // number of the file
	Line int64 // lines of the file before it
	Byte int64 // bytes of the file before it, unpacked
}

// Open begins to read at a mark. Errors in the files come when they are read.
func (f *Files) Open(at Mark) *Lines { return &Lines{files: f, mark: at} }

func (f *Files) wrong(path string, line int64, problem string) *FormatError {
	return &FormatError{File: path, Line: line, Problem: problem}
}
