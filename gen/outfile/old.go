package outfile

import (
	"errors"
	"io/fs"
	"os"
)

// Old returns the content of the regular file at a path, for a caller that replaces only some
// files. It returns nil if there is nothing to replace.
func Old(path string) ([]byte, error) {
	p, err := find(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && p.old == nil {
		return nil, nil
	}
	var content []byte
	if err == nil {
		content, err = os.ReadFile(p.path)
	}
	if err != nil {
		return nil, at("open", path, err)
	}
	return append([]byte{}, content...), nil
}
