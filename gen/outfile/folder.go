package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder makes a folder, and those above it, unless it is there.
func Folder(path string) error {
	err := os.MkdirAll(path, 0o777)
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		path = p.Path // the one of them that is at fault
	}
	return at("mkdir", path, err)
}

// Scratch writes a file of a folder that is this process's own, for a tool that reads it,
// or until Publish. It is not synced.
func Scratch(path string, content []byte) error {
	return at("write", path, os.WriteFile(path, content, 0o666))
}

// Publish renames a folder of Scratch files, with all that is in it, to a path where
// nothing is.
func Publish(folder, path string) error {
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return syncFolder(path)
		case !entry.Type().IsRegular():
			return nil
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return syncFile(file)
	})
	if err == nil {
		err = os.Rename(folder, path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	return at("write", path, err)
}
