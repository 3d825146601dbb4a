package fromverilog

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Yosys parses delays and drops them. The trace of its parser shows each delay with its place.
var delayParsed = regexp.MustCompile(`^-> \$\$ = nterm non_opt_delay \((\d+)\.`)

// refuseDelays returns an error for the first delay in a file.
func refuseDelays(ctx context.Context, read, file string) error {
	text, err := os.ReadFile(file)
	if err != nil || !mayDelay(string(text)) {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // the trace is long
	c := exec.CommandContext(ctx, "yosys", "-q", "-p", strings.Replace(read, "read_verilog", "read_verilog -yydebug", 1))
	r, w := io.Pipe()
	c.Stdout, c.Stderr = w, w
	go func() { w.CloseWithError(c.Run()) }()
	for lines := bufio.NewScanner(r); lines.Scan(); {
		if m := delayParsed.FindStringSubmatch(lines.Text()); m != nil {
			return fmt.Errorf("%s:%s: a delay; the IR has none: remove it, or replace it by a macro that is empty here", file, m[1])
		}
	}
	return context.Cause(ctx)
}

// hash matches the character of a delay or of a list of parameters, with the tokens around it.
var hash = regexp.MustCompile(`([\w$]*)\s*#\s*(\(?)`)

// mayDelay reports whether a text may contain delays: a # that does not follow a name, or that no
// parenthesis follows. It spares most files the trace of the parser.
func mayDelay(text string) bool {
	for _, m := range hash.FindAllStringSubmatch(text, -1) {
		if m[1] == "" || m[2] == "" || ir.Keyword(m[1]) {
			return true
		}
	}
	return false
}
