package clicklog_test

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
)

const streamed = `
label "label" {}
categorical {
  columns = ["user"]
  kind    = "decimal"
  most    = 2
}
`

// writers write logs of n samples in each format.
var writers = map[string]func(w io.Writer, n int) error{
	"format = \"csv\"\ncolumns = [\"label\", \"user\"]\n" + streamed: func(w io.Writer, n int) error {
		_, err := io.WriteString(w, strings.Repeat("1,123456789\n", n))
		return err
	},
	"format = \"jsonl\"\n" + streamed: func(w io.Writer, n int) error {
		_, err := io.WriteString(w, strings.Repeat("{\"label\":1,\"user\":[1,2]}\n", n))
		return err
	},
	"format = \"npz\"\n" + streamed: func(w io.Writer, n int) error {
		return writeArrays(w, zip.Deflate, array{"label", []int{n}}, array{"user", []int{2 * n}}, array{"user_lengths", []int{n}})
	},
	"format = \"npz\"\nunlabelled = true\ncategorical {\n  kind = \"decimal\"\n}": func(w io.Writer, n int) error {
		return writeArrays(w, zip.Store, array{"user", []int{n}})
	},
}

type array struct {
	name  string
	shape []int
}

// writeArrays writes arrays of int64. Lengths are 2, and other values are 1.
func writeArrays(w io.Writer, method uint16, arrays ...array) error {
	z := zip.NewWriter(w)
	for _, a := range arrays {
		f, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: method})
		if err != nil {
			return err
		}
		n, shape := 1, ""
		for _, d := range a.shape {
			n *= d
			shape += fmt.Sprintf("%d,", d)
		}
		head := fmt.Sprintf("{'descr': '<i8', 'fortran_order': False, 'shape': (%s), }\n", shape)
		items := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
		items = append(items, head...)
		for range n {
			x := uint64(1)
			if a.name == "user_lengths" {
				x = 2
			}
			items = binary.LittleEndian.AppendUint64(items, x)
		}
		if _, err := f.Write(items); err != nil {
			return err
		}
	}
	return z.Close()
}

// TestStreams counts the bytes that are live near the end of a log. They do not depend on its size.
// As a control, they do if a program keeps the inputs.
func TestStreams(t *testing.T) {
	const small, large, slack = 2_000, 100_000, 100_000
	for text, write := range writers {
		s := parse(text)
		live := func(n int, keep bool) int64 {
			path := filepath.Join(t.TempDir(), "f")
			f, err := os.Create(path)
			require.NoError(t, err)
			require.NoError(t, errors.Join(write(f, n), f.Close()))
			log, err := clicklog.Open(t.Context(), s, []string{path}, clicklog.Options{Rule: index.Hash(10)})
			require.NoError(t, err)
			r, err := log.Open(0)
			require.NoError(t, err)
			defer r.Close()
			before := heap()
			var b dlrm.Batch
			for read := 0; read < n-1; read++ {
				if !keep {
					b.Reset()
				}
				require.NoError(t, r.Read(&b, 1))
			}
			after := heap()
			runtime.KeepAlive(b)
			runtime.KeepAlive(r)
			return after - before
		}
		require.Less(t, math.Abs(float64(live(large, false)-live(small, false))), float64(slack), text)
		require.Greater(t, live(large, true)-live(small, true), int64(slack), text)
	}
}

// heap returns the number of live bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
