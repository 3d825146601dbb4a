package compiled

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
)

const modulePath = "github.com/hotline-rtl/hotline"

// Build makes the command whose main package has the import path command once
// more, with a model of d in it, and gives the path of the program: start it in
// place of the running one. Programs are kept in dir, or in the user's cache
// directory if dir is empty; one that is there is used as it is. The error tells
// what is missing: a Go toolchain, or the source of this module, which go must
// find from the present directory.
func Build(d *ir.Design, command, dir string) (string, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("compiled: no directory for builds: %w", err)
		}
		dir = filepath.Join(user, "hotline")
	}
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	id, err := goOutput(root, "list", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "-export", command)
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "command-"+key(ir.Hash(d), id))
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("compiled: %w", err)
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", fmt.Errorf("compiled: %w", err)
	}
	defer os.RemoveAll(work)
	overlay, err := writeModel(d, root, strings.TrimPrefix(strings.TrimPrefix(command, modulePath), "/"), work)
	if err != nil {
		return "", err
	}
	made := filepath.Join(work, "command")
	if _, err := goOutput(root, "build", "-overlay", overlay, "-o", made, command); err != nil {
		return "", err
	}
	if err := os.Rename(made, program); err != nil {
		return "", fmt.Errorf("compiled: %w", err)
	}
	return program, nil
}

// moduleRoot is the folder of this module's source.
func moduleRoot() (string, error) {
	root, err := goOutput("", "list", "-m", "-f", "{{.Dir}}", modulePath)
	if err == nil && root == "" {
		err = errors.New("compiled: the source of " + modulePath + " is not here")
	}
	return root, err
}

// writeModel writes the model of d to work, and an overlay that puts it into the
// module and has the command import it.
func writeModel(d *ir.Design, root, command, work string) (string, error) {
	files, err := gosim.Generate(d, "onthefly")
	if err != nil {
		return "", err
	}
	files = append(files, gosim.File{Name: "import.go", Text: fmt.Sprintf("package main\n\nimport _ %q\n", modulePath+"/sim/models/onthefly")})
	replace := map[string]string{}
	for _, f := range files {
		place := filepath.Join(work, f.Name)
		if err := os.WriteFile(place, []byte(f.Text), 0o644); err != nil {
			return "", fmt.Errorf("compiled: %w", err)
		}
		if f.Name == "import.go" {
			replace[filepath.Join(root, filepath.FromSlash(command), "zz_onthefly.go")] = place
			continue
		}
		replace[filepath.Join(root, "sim", "models", "onthefly", f.Name)] = place
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("compiled: %w", err)
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o644); err != nil {
		return "", fmt.Errorf("compiled: %w", err)
	}
	return overlay, nil
}

// goOutput runs the go command in dir. The error has what it printed.
func goOutput(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("compiled: program \"go\" not found; a model for this design needs the Go toolchain")
	}
	if err != nil {
		return "", fmt.Errorf("compiled: go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

// key is a file name for all that goes into a program.
func key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
