package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hotline-rtl/hotline/gen/verilog"
)

// build is a folder of what was built from the same files in the same way, now
// or earlier, and the seconds that it took.
type build struct {
	dir     string
	seconds float64
}

// kept gives a build, which make makes in a folder of the files if it is not
// there. The key tells how it is made.
func (s settings) kept(design, engine, key string, files []verilog.File, make func(dir string) error) (b build, err error) {
	sum := sha256.New()
	fmt.Fprintln(sum, key)
	for _, f := range files {
		fmt.Fprintf(sum, "%s %d\n%s", f.Name, len(f.Text), f.Text)
	}
	b.dir = filepath.Join(s.dir, fmt.Sprintf("%s-%s-%.6x", engine, design, sum.Sum(nil)))
	seconds := filepath.Join(b.dir, "seconds")
	if text, err := os.ReadFile(seconds); err == nil {
		_, err := fmt.Sscan(string(text), &b.seconds)
		return b, err
	}
	defer progress("%s: building %s, which is kept", design, engine)()
	if err := errors.Join(os.RemoveAll(b.dir), os.MkdirAll(b.dir, 0o755)); err != nil {
		return b, err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(b.dir, f.Name), []byte(f.Text), 0o644); err != nil {
			return b, err
		}
	}
	start := time.Now()
	if err := make(b.dir); err != nil {
		return b, err
	}
	b.seconds = time.Since(start).Seconds()
	return b, os.WriteFile(seconds, []byte(fmt.Sprint(b.seconds)), 0o644)
}
