// Package input reads whole files that users name. It limits their size and rejects devices, so
// that no input exhausts memory or blocks the program forever.
package input

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Read reads a regular file or a pipe. It fails if the file has more than most bytes.
func Read(name string, most int64) ([]byte, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: the file is larger than %s, the limit for files of its kind", name, format.Bytes(float64(most)))
	}
	return data, err
}

// Check returns an error if the file is of a type that is endless or has no contents. It does not
// open the file, because opening some devices has side effects. It ignores a missing file, which
// the caller's attempt to open it reports.
func Check(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return nil
	}
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular() || mode&fs.ModeNamedPipe != 0:
		return nil
	case mode.IsDir():
		kind = "folder"
	case mode&fs.ModeDevice != 0:
		kind = "device"
	case mode&fs.ModeSocket != 0:
		kind = "socket"
	default:
		kind = "special file"
	}
	return fmt.Errorf("%s is a %s; expected a file or a pipe", name, kind)
}

// Text reads a UTF-8 text like Read and removes a byte order mark at its start.
func Text(name string, most int64) ([]byte, error) {
	text, err := Read(name, most)
	if err == nil {
		err = CheckText(name, text)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}

// CheckText returns an error if a text is UTF-16; name is its file name.
func CheckText(name string, text []byte) error {
	head := text[:min(len(text), 64)]
	marked := bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
	if marked || 3*bytes.Count(head, []byte{0}) > len(head) {
		return fmt.Errorf("%s: the text is UTF-16; expected UTF-8", name)
	}
	return nil
}
