package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/pcie/pcietest"
)

// listed returns the output of examples/captures/list.py for a capture. The program was written
// from docs/how-to/captures.md alone. With -short, listed skips the test.
func listed(t *testing.T, file []byte) (list []trace.Line, log string, err error) {
	tools.Need(t, "python3")
	name := filepath.Join(t.TempDir(), "run.pcapng")
	require.NoError(t, os.WriteFile(name, file, 0o600))
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("python3", "../../../examples/captures/list.py", name)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err = cmd.Run(); err == nil {
		require.NoError(t, json.Unmarshal(stdout.Bytes(), &list))
	}
	return list, stderr.String(), err
}

// TestDocumentedNumbers: the document lists exactly the kinds and flags of the implementation.
func TestDocumentedNumbers(t *testing.T) {
	b, err := os.ReadFile("../../../docs/how-to/captures.md")
	require.NoError(t, err)
	document := string(b)
	for kind, what := range map[capture.Kind]string{
		capture.KindTLP: "a TLP", capture.KindComment: "a comment", capture.KindFunction: "the function", capture.KindDelay: "how much too late", capture.KindGap: "how many packets",
	} {
		require.Contains(t, document, fmt.Sprintf("\n| %d | %s", kind, what))
	}
	require.Contains(t, document, fmt.Sprintf("flags of a TLP: %d it was dropped, %d something was done to it on purpose, %d nobody has sent it |",
		capture.Dropped, capture.Injected, capture.Added))
	require.Contains(t, document, fmt.Sprintf("link type %d (USER0)", capture.LinkType))
}

// TestDocumentedFormat: a reader written from the document finds the same packets, times and
// headers as this package.
func TestDocumentedFormat(t *testing.T) {
	r, _ := run(t)
	random := func(w *capture.Writer) {
		rng := rand.New(rand.NewPCG(9, 9))
		for i := range 3000 {
			at := des.Time(i) * 1500
			w.TLP(link.Direction(rng.IntN(2)), at, capture.Flags(rng.IntN(8)), pcietest.Random(rng, 128))
			if i%100 == 0 {
				w.Comment(link.Up, at, "a comment, µ")
				w.Delay(link.Down, at, des.Time(i+1))
			}
		}
	}
	for _, file := range [][]byte{r.file.Bytes(), writtenFile(t, random)} {
		x, err := trace.Read(bytes.NewReader(file))
		require.NoError(t, err)
		list, log, err := listed(t, file)
		require.NoError(t, err, log)
		require.Len(t, list, len(x.Events))
		for i, l := range trace.Lines(x.Select(trace.Filter{})) {
			l.Text, _, _ = strings.Cut(l.Text, " | ")
			if l.Type == "delay" {
				l.Text = fmt.Sprintf("injected: the next TLP arrives %d ps too late", int64(x.Events[i].Delay))
			}
			l.Role = ""
			require.Equal(t, l, list[i])
		}
		_, log, err = listed(t, append(bytes.Clone(file[:len(file)-200]), file[len(file)-100:]...))
		require.Error(t, err, log)
	}
}
