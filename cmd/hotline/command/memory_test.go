package command

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestTooBig: a run that exceeds the memory of any machine is rejected.
func TestTooBig(t *testing.T) {
	config, home := contents(t, tiny), origin(t)
	folder(t, map[string]string{
		"batches.hcl": edited(t, config, "batches     = 5", "batches     = 1073741824"),
		"bottom.hcl":  edited(t, config, "bottom        = [8]", "bottom        = [100000000, 100000000]"),
		"top.hcl":     edited(t, config, "top           = []", "top           = [10000000, 10000000]"),
	})
	for line, want := range map[string]string{
		"cosim --config batches.hcl":                                               `batches\.hcl:34: the run needs about 1\.1 TB`,
		"cosim --config bottom.hcl":                                                `bottom\.hcl:26: the run needs about 720\.0 PB`,
		"cosim --config top.hcl --engine interp":                                   `top\.hcl:27: the run needs about 7\.2 PB`,
		"cosim --config bottom.hcl --data criteo:" + home + "/testdata/clicks.tsv": `bottom\.hcl:26: the run needs about 720\.0 PB`,
		"verify --config bottom.hcl --stimulus recorded --engine interp":           `bottom\.hcl:26: the run needs about 720\.0 PB`,
	} {
		t.Run(line, func(t *testing.T) {
			needed(t, strings.Fields(line))
			code, stdout, stderr := hotline(strings.Fields(line)...)
			require.Equal(t, exitUsage, code, stderr)
			require.Empty(t, stdout)
			require.Regexp(t, `(^|\n)hotline: `+want+` of memory, but there is less \(\d+\.\d [GT]B, nine tenths of .*\): .*; use `, stderr)
		})
	}
}

// TestAvailable: the smallest of all limits applies.
func TestAvailable(t *testing.T) {
	files := fstest.MapFS{}
	for _, c := range []struct{ file, text, want string }{
		{"proc/none", "", "140.7 TB, the address space"},
		{"proc/meminfo", "MemTotal:       1000000 kB\nMemFree: 5 kB\n", "921.6 MB, nine tenths of MemTotal in /proc/meminfo"},
		{"proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a/b\n0::/x/y\n", "921.6 MB, nine tenths of MemTotal in /proc/meminfo"},
		{"sys/fs/cgroup/x/y/memory.max", "max\n", "921.6 MB, nine tenths of MemTotal in /proc/meminfo"},
		{"sys/fs/cgroup/x/memory.max", "900000000\n", "810.0 MB, nine tenths of /sys/fs/cgroup/x/memory.max"},
		{"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n", "810.0 MB, nine tenths of /sys/fs/cgroup/x/memory.max"},
		{"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "800000000\n", "720.0 MB, nine tenths of /sys/fs/cgroup/memory/a/memory.limit_in_bytes"},
		{"sys/fs/cgroup/memory.max", "700000000\n", "630.0 MB, nine tenths of /sys/fs/cgroup/memory.max"},
		{"sys/fs/cgroup/memory/memory.limit_in_bytes", "600000000\n", "540.0 MB, nine tenths of /sys/fs/cgroup/memory/memory.limit_in_bytes"},
	} {
		files[c.file] = &fstest.MapFile{Data: []byte(c.text)}
		require.Equal(t, c.want, available(files).String(), c.file)
	}
}
