package sourcezip

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Folder returns the folder of the unpacked archive. It is in dir, or in the user's cache directory
// if dir is empty, and is written at the first call. If it cannot be written, the error is a
// [*buildcache.UnwritableError].
func Folder(dir string, archive []byte) (string, error) {
	store, err := buildcache.Open(dir)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(archive)
	path, _, err := store.Get("source", hex.EncodeToString(sum[:16]), func(work string) error { return unpack(archive, work) })
	return path, err
}

// unpack writes all files of the archive to dir.
func unpack(archive []byte, dir string) error {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return fmt.Errorf("sourcezip: %w", err)
	}
	return fs.WalkDir(z, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if e.IsDir() {
			return outfile.Folder(to)
		}
		return extract(z, name, to)
	})
}

// extract writes a file of the archive to a path.
func extract(z *zip.Reader, name, to string) error {
	f, err := z.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("sourcezip: %s: %w", name, err)
	}
	return outfile.Scratch(to, text)
}
