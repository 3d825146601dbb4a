package command

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	code, stdout, stderr := hotline("--version")
	require.Zero(t, code)
	require.Regexp(t, `^hotline \S+, (revision [0-9a-f]+, )?(modified, )?go\d\S+\n$`, stdout)
	require.Empty(t, stderr)
}

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{GoVersion: "go1.30"}, "(devel), go1.30"},
		{debug.BuildInfo{GoVersion: "go1.30", Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3, go1.30"},
		{debug.BuildInfo{GoVersion: "go1.30", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "false"}}}, "(devel), revision 0123abcd, go1.30"},
		{debug.BuildInfo{GoVersion: "go1.30", Main: debug.Module{Version: "v2"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "true"}}}, "v2, revision 0123abcd, modified, go1.30"},
	} {
		require.Equal(t, c.want, describe(&c.info))
	}
}
