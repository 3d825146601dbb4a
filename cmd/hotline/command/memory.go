package command

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/study/experiment"
)

// memory returns the available memory. It also sets the garbage collector's limit to it, unless
// GOMEMLIMIT is set, so that a run with a smaller live heap stays within it.
func memory() experiment.Memory {
	m := available(os.DirFS("/"))
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(m.Bytes))
	}
	return m
}

// available returns the memory that a run may use. On Linux it is nine tenths of the memory of the
// machine or of the control group, which root describes. On other systems it is the size of an
// address space.
func available(root fs.FS) experiment.Memory {
	m := experiment.Memory{Bytes: 1 << 47, Source: "the address space"}
	take := func(bytes float64, source string) {
		if bytes *= 0.9; bytes > 0 && bytes < m.Bytes {
			m = experiment.Memory{Bytes: bytes, Source: "nine tenths of " + source}
		}
	}
	take(field(root, "proc/meminfo", "MemTotal:")*1024, "MemTotal in /proc/meminfo")
	for _, file := range limits(root) {
		take(field(root, file, ""), "/"+file)
	}
	return m
}

// limits returns the files with the memory limits of this process's control groups and their
// parents. The last files are for a container, which cannot see its position in the hierarchy.
func limits(root fs.FS) []string {
	const v1, v2 = "sys/fs/cgroup/memory", "sys/fs/cgroup"
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	var files []string
	for s := bufio.NewScanner(bytes.NewReader(groups)); s.Scan(); {
		f := strings.SplitN(s.Text(), ":", 3)
		if len(f) != 3 {
			continue
		}
		for at := path.Clean("/" + f[2]); ; at = path.Dir(at) {
			switch {
			case f[1] == "":
				files = append(files, path.Join(v2, at, "memory.max"))
			case slices.Contains(strings.Split(f[1], ","), "memory"):
				files = append(files, path.Join(v1, at, "memory.limit_in_bytes"))
			}
			if at == "/" {
				break
			}
		}
	}
	return append(files, v2+"/memory.max", v1+"/memory.limit_in_bytes")
}

// field returns the number after a word, or at the start of a file. It returns 0 if there is none,
// for example for "max".
func field(root fs.FS, file, word string) float64 {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), word)
	n := 0.0
	if _, err := fmt.Sscan(rest, &n); err != nil || math.IsInf(n, 0) {
		return 0
	}
	return n
}
