//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"time"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/guest/oncard"
	"github.com/hotline-rtl/hotline/host/device/vfio"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

// trainModel trains the default model on miniBatches mini-batches with the device and prints the
// digest of the checkpoint. It prints a line after each mini-batch, since scripts/guest stops a
// guest that is silent for too long.
func trainModel(dev *vfio.Device, miniBatches int) error {
	fmt.Printf("training on %d mini-batches\n", miniBatches)
	begun := time.Now()
	done := 0
	c, survived, err := oncard.Train(dev, miniBatches, func() {
		done++
		fmt.Printf("mini-batch %d of %d\n", done, miniBatches)
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d mini-batches in %.1f s, %+v\n", c.MiniBatches, time.Since(begun).Seconds(), survived)
	return printDigest(c)
}

// printDigest prints the SHA-256 of a checkpoint. The digest equals the digest of the file that
// hotline train writes if the trainings are bit-identical.
func printDigest(c *checkpoint.Checkpoint) error {
	const path = "/checkpoint"
	if err := checkpoint.Write(path, c); err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fmt.Printf("checkpoint %x\n", sha256.Sum256(b))
	return nil
}
