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

// Harmless are faults, by the source line that has them, that change nothing.
type Harmless []struct{ Fault, Line string }

// Survivors are the faults of a unit that its check does not notice, without
// those of parts that have tests of their own, and without harmless ones.
func Survivors[P any](t *testing.T, describe func(arch.Params) hw.Generator[P], check func(*ir.Design, arch.Params, uint64) error, p arch.Params, h Harmless) []string {
	d, err := hw.Elaborate(describe(p))
	if err != nil {
		t.Fatal(err)
	}
	all, tried := bench.Survivors(d, func() error { return Caught(func() error { return check(d, p, 1) }) })
	t.Logf("%d faults", tried)
	return h.Without(t, all)
}

// Without leaves faults in the files of the test's folder that change something.
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

// Caught makes an error of a panic, as of a fault that breaks the check.
func Caught(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}

var position = regexp.MustCompile(` at (\w+)/(\w+\.go):(\d+)`)

// sourceLine is the line that a fault is in, if that is in the folder of the test.
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
