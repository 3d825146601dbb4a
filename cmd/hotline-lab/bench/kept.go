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

// build is a folder of what was built from the same files in the same way, now
// or earlier, and the seconds that it took.
type build struct {
	dir     string
	seconds float64
}

// kept gives a build, which make makes in a folder of the files if it is not
// there. The key tells how it is made.
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
