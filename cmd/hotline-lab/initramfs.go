package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"
)

func initramfsVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "initramfs NAME=FILE...",
		Short: "Write an initial file system for Linux",
		RunE: func(c *cobra.Command, args []string) error {
			return writeInitramfs(bufio.NewWriter(c.OutOrStdout()), args)
		},
	}
}

// writeInitramfs writes a cpio archive of the new ASCII format, compressed by gzip. It contains the
// files, each given as NAME=FILE, and their folders.
func writeInitramfs(out *bufio.Writer, args []string) error {
	z := gzip.NewWriter(out)
	a := &archive{w: z, there: map[string]bool{}}
	for _, arg := range args {
		name, file, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q, expected NAME=FILE", arg)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		a.folders(path.Dir(name))
		a.add(name, 0o100755, data)
	}
	a.add("TRAILER!!!", 0, nil)
	if a.err != nil {
		return a.err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.Flush()
}

// archive writes a cpio archive.
type archive struct {
	w     io.Writer
	there map[string]bool // folders already written
	inode int
	err   error
}

// folders adds a folder and its parents unless the archive contains them.
func (a *archive) folders(name string) {
	if name == "." || name == "/" || a.there[name] {
		return
	}
	a.folders(path.Dir(name))
	a.there[name] = true
	a.add(name, 0o40755, nil)
}

// add adds a file or a folder. The format pads the header with the name, and the data, to multiples
// of 4 bytes.
func (a *archive) add(name string, mode uint32, data []byte) {
	if a.err != nil {
		return
	}
	a.inode++
	head := fmt.Sprintf("070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", a.inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0)
	head += name + "\x00"
	for _, part := range []string{head, string(data)} {
		if _, a.err = io.WriteString(a.w, part+strings.Repeat("\x00", -len(part)&3)); a.err != nil {
			return
		}
	}
}
