package text

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Files is a sequence of text files.
type Files struct {
	paths  []string
	sizes  []int64
	expect string
	open   func(path string) (io.ReadSeekCloser, error)
}

// NewFiles returns the files with these paths. expect describes a valid file, for errors: "lines of
// 40 fields". It returns an error if there are no paths, or if a file is missing or a directory.
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

// Name returns the name of the first file, and the number of further files.
func (f *Files) Name() string {
	name := filepath.Base(f.paths[0])
	if n := len(f.paths) - 1; n > 0 {
		name += fmt.Sprintf(" and %d more", n)
	}
	return name
}

// Len returns the number of files.
func (f *Files) Len() int { return len(f.paths) }

// Size returns the total size of the files in bytes, without decompression.
func (f *Files) Size() int64 {
	n := int64(0)
	for _, size := range f.sizes {
		n += size
	}
	return n
}

// Rereadable returns nil if all files can be read more than once. Otherwise it returns an error
// that names a file that cannot, such as a pipe.
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

// Mark is the position of a line.
type Mark struct {
	File int   // index of the file
	Line int64 // number of lines before it in the file
	Byte int64 // number of bytes before it in the file, decompressed
}

// Open returns a reader that starts at a mark. Errors in the files are reported during reading.
func (f *Files) Open(at Mark) *Lines { return &Lines{files: f, mark: at} }

func (f *Files) wrong(path string, line int64, problem string) *FormatError {
	return &FormatError{File: path, Line: line, Problem: problem}
}
