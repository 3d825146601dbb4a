//go:build unix

package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBuildsAreReported uses programs that build nothing until a line reports that they are still
// building.
func TestBuildsAreReported(t *testing.T) {
	silence = time.Millisecond
	defer func() { silence = 30 * time.Second }()
	for tool, c := range map[string]struct {
		args []string
		want string
	}{
		"go":        {[]string{"cosim", "--engine", engineCompiled}, "compiled model of tiny: still being built, after 1s\ncompiled model of tiny: "},
		"verilator": {[]string{"verify", "--engine", engineInterp}, "random: still building with Verilator, after 1s\n"},
	} {
		t.Run(tool, func(t *testing.T) {
			dir := t.TempDir()
			script := "#!/bin/sh\nwhile [ ! -e " + dir + "/reported ]; do sleep 0.1; done\nexit 1\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, tool), []byte(script), 0o700))
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			log := &watching{line: "still b", found: func() { _ = os.WriteFile(filepath.Join(dir, "reported"), nil, 0o600) }}
			code := execute(context.Background(), append(c.args, "--config", tiny), &strings.Builder{}, log)
			require.Equal(t, exitOther, code)
			require.Regexp(t, strings.ReplaceAll(c.want, "1s", `\S+s`), log.text.String())
		})
	}
}

// watching calls found when a text is written.
type watching struct {
	lockedBuilder
	line  string
	found func()
}

func (w *watching) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.line) {
		w.found()
	}
	return w.lockedBuilder.Write(p)
}
