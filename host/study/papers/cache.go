package papers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/train/machine"
)

// Cache is a folder of findings, each in a file. The name of the file identifies the program, the
// machine's constants, and the experiment, on which a finding depends. A finding of another program
// is never used, and the next run continues with the findings of an interrupted run.
type Cache struct {
	Dir     string // nothing is kept if empty
	Program string // identifies this program, as a hash of its file
}

// unused is the age at which a finding that no run has used is deleted.
const unused = 30 * 24 * time.Hour

// path returns the file of a finding.
func (c Cache) path(experiment string, m *machine.Machine) string {
	h := sha256.New()
	for _, part := range []string{c.Program, fmt.Sprintf("%+v", *m), experiment} {
		fmt.Fprintf(h, "%d %s\n", len(part), part)
	}
	return filepath.Join(c.Dir, hex.EncodeToString(h.Sum(nil)[:16])+".json")
}

// get returns the finding of an experiment, if its file exists and is complete.
func (c Cache) get(experiment string, m *machine.Machine) (f Finding, ok bool) {
	if c.Dir == "" {
		return f, false
	}
	path := c.path(experiment, m)
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &f) != nil {
		return Finding{}, false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // only forget looks at it
	return f, true
}

// put keeps a finding. It replaces the file atomically, so that no reader sees a partial file.
func (c Cache) put(experiment string, m *machine.Machine, f Finding) error {
	if c.Dir == "" {
		return nil
	}
	text, err := json.Marshal(f)
	if err == nil {
		err = c.write(c.path(experiment, m), text)
	}
	if err != nil {
		return fmt.Errorf("papers: what %q found cannot be kept: %w", experiment, err)
	}
	c.forget()
	return nil
}

// write writes a file of the folder.
func (c Cache) write(path string, text []byte) error {
	if err := outfile.Folder(c.Dir); err != nil {
		return err
	}
	return outfile.WriteBytes(path, text)
}

// forget deletes old findings, whose programs no longer exist.
func (c Cache) forget() {
	entries, _ := os.ReadDir(c.Dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unused {
			_ = os.Remove(filepath.Join(c.Dir, e.Name()))
		}
	}
}
