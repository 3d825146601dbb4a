package cheader

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Write puts the header into a file. It is not touched if it is the same; a file that
// was not generated is an error.
func Write(file string) error {
	text := Generate()
	have, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("cheader: %w", err)
	case string(have) == text:
		return nil
	case !strings.Contains(string(have), mark):
		return fmt.Errorf("cheader: %w", &fs.PathError{Op: "replace", Path: file, Err: errors.New("the file there is not a generated one")})
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return fmt.Errorf("cheader: %w", err)
	}
	return nil
}
