//go:build linux

// Command onsocket trains the default model with the accelerator that hotline serve provides on a
// socket. Its arguments are the socket, the number of mini-batches and the file for the checkpoint.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/guest/oncard"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "onsocket:", err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	if len(args) != 3 {
		return fmt.Errorf("%d arguments; expected a socket, a number of mini-batches and a file for the checkpoint", len(args))
	}
	miniBatches, err := strconv.Atoi(args[1])
	if err != nil {
		return fmt.Errorf("mini-batches are %q; expected a number", args[1])
	}
	c, err := client.Open(args[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	dev, err := client.NewDevice(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	trained, _, err := oncard.Train(dev, miniBatches, nil)
	if err != nil {
		return err
	}
	return checkpoint.Write(args[2], trained)
}
