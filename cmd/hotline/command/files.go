package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

// modelFiles contains the model files that a training reads and writes.
type modelFiles struct {
	resume, checkpoint string
	every              int
	start, inputs, end string // exports
}

func (f *modelFiles) define(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.resume, "resume", "", "checkpoint `FILE` to continue from")
	s.StringVar(&f.checkpoint, "checkpoint", "", "`FILE`.safetensors for the model, for --resume")
	s.IntVar(&f.every, "checkpoint-every", 0, "write it every `number` mini-batches (default: at the end only)")
	s.StringVar(&f.end, "export", "", "`FILE`.safetensors for all parameters at the end")
	s.StringVar(&f.start, "export-start", "", "`FILE`.safetensors for all parameters at the start")
	s.StringVar(&f.inputs, "export-inputs", "", "`FILE`.safetensors for the samples of all mini-batches")
}

// prepare makes a job resume from a checkpoint and save its model, if requested.
func (f modelFiles) prepare(cmd *cobra.Command, j experiment.Job) (experiment.Job, error) {
	if err := f.check(cmd); err != nil {
		return j, err
	}
	if f.resume != "" {
		var err error
		if j.From, err = await.Call(cmd.Context(), func() (*checkpoint.Checkpoint, error) { return j.Resume(f.resume) }); err != nil {
			return j, err
		}
	}
	if f.start != "" || f.inputs != "" {
		j.Begin = f.begin
	}
	if f.checkpoint != "" || f.end != "" {
		j.Save, j.SaveEvery = f.save, f.every
	}
	return j, nil
}

// check reports incompatible flags.
func (f modelFiles) check(cmd *cobra.Command) error {
	switch given := cmd.Flags().Changed("checkpoint-every"); {
	case given && f.every < 1:
		return fmt.Errorf("--checkpoint-every is %d; expected at least 1", f.every)
	case given && f.checkpoint == "":
		return errors.New("--checkpoint-every needs --checkpoint FILE")
	}
	return nil
}

// save writes the model of a training, at its end or between two mini-batches.
func (f modelFiles) save(c *checkpoint.Checkpoint, last bool) error {
	if f.checkpoint != "" {
		if err := checkpoint.Write(f.checkpoint, c); err != nil {
			return err
		}
	}
	if f.end != "" && last {
		return checkpoint.Export(f.end, c.State)
	}
	return nil
}

// begin writes what another program needs to repeat the training.
func (f modelFiles) begin(from *train.State, b *train.Batches) error {
	if f.start != "" {
		if err := checkpoint.Export(f.start, from); err != nil {
			return err
		}
	}
	if f.inputs != "" {
		return checkpoint.ExportInputs(f.inputs, from, b)
	}
	return nil
}
