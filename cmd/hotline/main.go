// Command hotline generates, verifies and co-simulates the Hotline accelerator.
//
// Exit codes: 0 success; 1 the check that the command makes failed (parameters
// differ, engines differ); 2 wrong usage, configuration or data; 3 anything
// else that kept it from finishing; 129, 130 and 143 SIGHUP, SIGINT and SIGTERM;
// 134 a crash (SIGABRT).
package main

import (
	"os"

	"github.com/hotline-rtl/hotline/cmd/hotline/command"
)

func main() { os.Exit(command.Main()) }
