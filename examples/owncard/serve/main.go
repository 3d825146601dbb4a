// Command serve serves the copy engine to a virtual machine:
//
//	go run ./examples/owncard/serve SOCKET
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/hotline-rtl/hotline/examples/owncard"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: serve SOCKET")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, os.Args[1]); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, socket string) error {
	description, err := card.Parse("card.hcl", owncard.Description)
	if err != nil {
		return err
	}
	design, err := hw.Elaborate(owncard.Card{})
	if err != nil {
		return err
	}
	return description.Serve(ctx, socket, func() (sim.Simulator, error) { return interp.New(design) },
		func(line string) { fmt.Fprintln(os.Stderr, line) })
}
