package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/gen/verilog"
)

// build is a cached build: a folder that was built from the same files in the same way, now or
// earlier, and the build time in seconds.
type build struct {
	dir     string
	seconds float64
}

// kept returns a cached build. If there is none, it writes the files to a folder and calls make
// there. The key identifies how make builds.
func (s Settings) kept(design, engine, key string, files []verilog.File, make func(dir string) error) (b build, err error) {
	store, err := buildcache.Open(s.Dir)
	if err != nil {
		return b, err
	}
	parts := []string{key}
	for _, f := range files {
		parts = append(parts, f.Name, f.Text)
	}
	b.dir, _, err = store.Get(engine+"-"+design, buildcache.Key(parts...), func(work string) error {
		defer progress("%s: building %s, which is kept", design, engine)()
		for _, f := range files {
			if err := outfile.Scratch(filepath.Join(work, f.Name), []byte(f.Text)); err != nil {
				return err
			}
		}
		start := time.Now()
		if err := make(work); err != nil {
			return err
		}
		return outfile.Scratch(filepath.Join(work, "seconds"), []byte(fmt.Sprint(time.Since(start).Seconds())))
	})
	if err != nil {
		return b, err
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "seconds"))
	if err != nil {
		return b, err
	}
	_, err = fmt.Sscan(string(text), &b.seconds)
	return b, err
}
