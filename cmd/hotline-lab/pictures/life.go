package pictures

import (
	"context"
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// timelineOf trains a few mini-batches with system hotline and returns the timeline.
func timelineOf(miniBatches int) (*timeline.Timeline, error) {
	cfg := configs.Small()
	cfg.Training.Batches = miniBatches
	clicks, err := experiment.Clicks(cfg)
	if err != nil {
		return nil, err
	}
	systems, err := registry.Choose(catalog.Systems(), "hotline")
	if err != nil {
		return nil, err
	}
	r, err := experiment.Run(context.Background(), experiment.Job{
		Config: cfg, Data: clicks, Systems: systems, Accelerator: experiment.Functional(*cfg.Accelerator), Valueless: true, HTML: true, Drawn: []int{0, 1},
	})
	if err != nil {
		return nil, err
	}
	return r.Timelines[0], nil
}

// Rows of the picture.
const (
	lifeLearn = iota
	lifeClassify
	lifeGather
	lifeGPUs
	lifeUpdate
)

// life draws the second mini-batch of a training, from learning to the update of its cold rows.
func life() (string, error) {
	line, err := timelineOf(3)
	if err != nil {
		return "", err
	}
	p := picture.Life{
		Title: "The life of a mini-batch",
		Text:  "The accelerator learns hot rows, classifies the mini-batch during the previous one, gathers during its popular samples, and updates cold rows.",
		Rows:  []string{"learn", "classify", "gather", "GPUs", "update"},
		Unit:  1e6, // a microsecond in picoseconds
		Notes: []string{
			"A mini-batch is classified while the GPUs train the previous one. The GPUs begin with its popular samples.",
			"Meanwhile the accelerator gathers the cold rows of the non-popular samples.",
			"The axis is compressed: widths are logarithms. The times are of the small configuration, where host software dominates.",
		},
	}
	p.Blocks, err = lifeBlocks(line.Events())
	return picture.File(p.SVG()), err
}

// lifeBlocks returns the blocks of mini-batch 1, of the learning before it, and of mini-batch 0 on
// the GPUs.
func lifeBlocks(events []timeline.Event) ([]picture.LifeBlock, error) {
	var list []picture.LifeBlock
	commands := func(row, miniBatch, nth int, label string) {
		for _, e := range events {
			if e.Flow == timing.Flow(miniBatch) && e.Resource == timing.Accelerator && e.Label == label {
				if nth--; nth < 0 {
					list = append(list, lifeBlock(row, "", e.Start, e.End))
					return
				}
			}
		}
	}
	commands(lifeLearn, 0, 0, "learn")
	commands(lifeClassify, 0, 1, "classify") // the second one is of mini-batch 1
	commands(lifeGather, 1, 0, "gather")
	commands(lifeUpdate, 1, 0, "update")
	if len(list) != 4 {
		return nil, fmt.Errorf("the timeline has %d of the commands learn, classify, gather, update", len(list))
	}
	return append(list, lifeGPU(events, 0, "previous", "embedding", ""),
		lifeGPU(events, 1, "popular", "embedding", "check pooled vectors"),
		lifeGPU(events, 1, "non-popular", "check pooled vectors", "optimiser"),
		lifeGPU(events, 1, "step", "optimiser", "")), nil
}

// lifeGPU returns the work of the GPUs and of the thread that dispatches it on a mini-batch, from
// one operator up to another.
func lifeGPU(events []timeline.Event, miniBatch int, label, first, next string) picture.LifeBlock {
	var start, end des.Time
	begun := false
	for _, e := range events {
		if e.Flow != timing.Flow(miniBatch) || e.Resource != "GPU" && e.Resource != "host thread" {
			continue
		}
		operator := strings.TrimPrefix(e.Label, "dispatch ")
		if begun && operator == next {
			break
		}
		if operator == first && !begun {
			begun, start = true, e.Start
		}
		end = e.End
	}
	return lifeBlock(lifeGPUs, label, start, end)
}

// lifeBlock returns a block with its duration as text.
func lifeBlock(row int, label string, start, end des.Time) picture.LifeBlock {
	length, unit := float64(end-start)/1e6, "us"
	if length >= 1000 {
		length, unit = length/1000, "ms"
	}
	return picture.LifeBlock{Row: row, Label: label, Time: fmt.Sprintf("%.3g %s", length, unit), Start: float64(start), End: float64(end)}
}
