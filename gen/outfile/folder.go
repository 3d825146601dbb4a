package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder creates a folder and its parents unless they exist.
func Folder(path string) error {
	err := os.MkdirAll(path, 0o777)
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		path = p.Path // the folder at fault
	}
	return at("mkdir", path, err)
}

// Scratch writes a file in a private folder of this process, for a tool that reads it, or until
// Publish. The file is not synced.
func Scratch(path string, content []byte) error {
	return at("write", path, os.WriteFile(path, content, 0o666))
}

// Publish renames a folder of Scratch files, with its whole content, to a path that must not exist.
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
