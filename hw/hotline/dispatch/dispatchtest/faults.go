package dispatchtest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// Harmless lists faults that do not change the behaviour, each with a part of its source line.
type Harmless []struct{ Fault, Line string }

// Survivors returns the faults of a unit that its check does not detect. It omits harmless faults,
// and faults of blocks that have tests of their own.
func Survivors[P any](t *testing.T, describe func(arch.Params) hw.Generator[P], check func(*ir.Design, arch.Params, uint64) error, p arch.Params, h Harmless) []string {
	d, err := hw.Elaborate(describe(p))
	if err != nil {
		t.Fatal(err)
	}
	all, tried := bench.Survivors(d, func() error { return Caught(func() error { return check(d, p, 1) }) })
	t.Logf("%d faults", tried)
	return h.Without(t, all)
}

// Without returns the faults in files of the test's folder that are not harmless.
func (h Harmless) Without(t *testing.T, all []string) (own []string) {
	for _, s := range all {
		if line, ok := sourceLine(t, s); ok && !h.excuse(s, line) {
			own = append(own, fmt.Sprintf("%s: %s", s, line))
		}
	}
	return own
}

func (h Harmless) excuse(fault, line string) bool {
	for _, x := range h {
		if strings.HasPrefix(fault, x.Fault) && strings.Contains(line, x.Line) {
			return true
		}
	}
	return false
}

// Caught runs f and converts a panic into an error, because a fault may break the check itself.
func Caught(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}

var position = regexp.MustCompile(` at (\w+)/(\w+\.go):(\d+)`)

// sourceLine returns the source line of a fault. It returns false if the line is not in the test's
// folder.
func sourceLine(t *testing.T, fault string) (string, bool) {
	at := position.FindStringSubmatch(fault)
	folder, err := os.Getwd()
	if at == nil || err != nil || !strings.HasSuffix(folder, "/"+at[1]) {
		return "", false
	}
	text, err := os.ReadFile(at[2])
	if err != nil {
		t.Fatal(err)
	}
	n, _ := strconv.Atoi(at[3])
	return strings.TrimSpace(strings.Split(string(text), "\n")[n-1]), true
}
