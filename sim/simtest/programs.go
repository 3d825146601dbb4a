package simtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Emulated reports whether the test runs on the emulated processor of scripts/avx512. That
// processor supports AVX-512, has no Go tools, and is about a hundred times slower.
func Emulated() bool { return os.Getenv("HOTLINE_EMULATED") != "" }

// Building reports whether the test only builds its program for the emulated processor.
func Building() bool { return os.Getenv("HOTLINE_PROGRAMS") != "" && !Emulated() }

// ProgramFolder returns a directory for a program that the test builds and runs, and reports
// whether the program is already there. HOTLINE_PROGRAMS names the parent directory: the machine
// with Go builds the programs there, and the emulated processor runs them.
func ProgramFolder(t testing.TB) (dir string, built bool) {
	all := os.Getenv("HOTLINE_PROGRAMS")
	if all == "" {
		return t.TempDir(), false
	}
	dir = filepath.Join(all, filepath.FromSlash(t.Name()))
	if Building() {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir, Emulated()
}
