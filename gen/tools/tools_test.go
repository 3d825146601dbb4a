package tools_test

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// spy is a testing.TB that records how the test ends.
type spy struct {
	testing.TB
	end string
}

func (*spy) Helper() {}

func (s *spy) Skipf(format string, args ...any) { s.stop("skipped: " + fmt.Sprintf(format, args...)) }

func (s *spy) Fatalf(format string, args ...any) { s.stop("failed: " + fmt.Sprintf(format, args...)) }

func (s *spy) stop(how string) {
	s.end = how
	runtime.Goexit()
}

// need returns how a test ends that needs programs, or "" if it continues.
func need(t *testing.T, short string, programs ...string) string {
	before := flag.Lookup("test.short").Value.String()
	require.NoError(t, flag.Set("test.short", short))
	s, done := &spy{TB: t}, make(chan bool)
	go func() {
		defer close(done)
		tools.Need(s, programs...)
	}()
	<-done
	require.NoError(t, flag.Set("test.short", before))
	return s.end
}

func TestNeed(t *testing.T) {
	require.Empty(t, need(t, "false", "go", "sh"))
	require.Equal(t, "failed: no-such-program is missing; scripts/setup installs it", need(t, "false", "go", "no-such-program"))
	require.Equal(t, "skipped: -short: runs go, no-such-program", need(t, "true", "go", "no-such-program"))
}
