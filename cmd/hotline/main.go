// Command hotline generates, verifies and co-simulates the Hotline accelerator.
//
// Exit codes:
//
//	0              success
//	1              a check failed, for example parameters or engines differ
//	2              wrong usage, configuration or data
//	3              any other failure
//	129, 130, 143  SIGHUP, SIGINT, SIGTERM
//	134            a crash (SIGABRT)
package main

import (
	"os"

	"github.com/hotline-rtl/hotline/cmd/hotline/command"
)

func main() { os.Exit(command.Main()) }
