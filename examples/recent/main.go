// Command recent compares a training system of its own with the hybrid baseline: the GPUs hold
// the rows that the latest mini-batches have read. docs/tutorial/training-system.md explains it.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// recent is the system. Its parts have the methods Row, RowState and Touched.
type recent struct {
	*cluster.Cluster                      // the GPUs
	*cluster.Tables                       // the rows in host memory
	*cluster.Replicas                     // the rows on the GPUs
	model             dlrm.Config         // the trained model
	stay              int                 // number of mini-batches for which an unread row stays
	read              map[cluster.Row]int // latest mini-batch that read a row on the GPUs
	counts            []train.Count
}

// options are a block of a configuration.
type options struct {
	Stay int `hcl:"stay,optional"`
}

func (o options) Check() (attribute string, err error) {
	if o.Stay < 0 || o.Stay > 1000 {
		err = fmt.Errorf("rows stay for %d mini-batches; expected 0 to 1000", o.Stay)
	}
	return "stay", err
}

func newRecent(s *server.Server, from *train.State, o options) (*recent, error) {
	_, err := o.Check()
	return &recent{Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from), model: from.Model, stay: o.Stay,
		read: map[cluster.Row]int{}, counts: []train.Count{{Label: "rows that came"}, {Label: "rows that left"}}}, err
}

func (r *recent) Name() string          { return "recent rows on the GPUs" }
func (r *recent) Model() dlrm.Config    { return r.model }
func (r *recent) Net() *dlrm.Net        { return r.GPUs[0].Net }
func (r *recent) Counts() []train.Count { return r.counts }
func (r *recent) Order() timing.System  { return order }

// Train trains on all mini-batches, one after the other.
func (r *recent) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	r.Replicas = cluster.NewReplicas(r.Cluster, r.Tables, (r.stay+1)*b.Size()*r.model.Lookups())
	if err := r.Reserve(b.Size()); err != nil {
		return err
	}
	r.Watch = w
	return b.Steps(r.step, done)
}

// step trains on a mini-batch.
func (r *recent) step(m int, batch dlrm.Batch) (train.Step, error) {
	r.Watch.Begin(m, batch)
	defer r.Watch.End(m)
	rows, hits := r.wanted(m, batch)
	came, left, err := r.Set(rows)
	if err != nil {
		return train.Step{}, err
	}
	step, sum, err := r.Step(m, batch, func(g, _, i int, pooled []float32) error {
		return r.Cluster.Pool(g, batch.At(i), pooled, r.Replicas.ReadOn)
	})
	if err != nil {
		return step, err
	}
	step.Hits, r.counts[0].N, r.counts[1].N = &hits, r.counts[0].N+int64(came), r.counts[1].N+int64(left)
	step.Work = timing.Work{Inputs: batch.Len(), Promoted: came, Demoted: left, HotTable: r.Len(), HotRows: len(sum.Rows), Listed: sum.Listed}
	return step, r.Replicas.Update(sum.Rows)
}

// wanted returns the rows that the GPUs need for a mini-batch, in order, and the number of
// lookups whose rows are there already.
func (r *recent) wanted(m int, batch dlrm.Batch) (rows []cluster.Row, hits int) {
	for i := range batch.Len() {
		cluster.EachLookup(r.model.Bags(), batch.At(i), func(_ int, row cluster.Row) {
			if r.read[row] = m; r.Has(row) {
				hits++
			}
		})
	}
	maps.DeleteFunc(r.read, func(_ cluster.Row, last int) bool { return m-last > r.stay })
	return slices.SortedFunc(maps.Keys(r.read), cluster.Row.Compare), hits
}

// order books the work of mini-batches: rows that leave go to host memory while the GPUs train.
func order(s *timing.Schedule, works []timing.Work) {
	tables := s.Tables()
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark("loading inputs", loaded)
		left := s.GPU(s.Access(s.RowMove("collect rows", w.Demoted, tables), timing.GPUCollect, w.Demoted), loaded)
		read := s.HostRows(s.CPU, "read rows", timing.HostRead, w.Promoted, loaded)
		came := s.Copy("rows that come", s.ToGPUs, tables, s.WithStates(s.RowsOnEach(w.Promoted)), read)
		ready := s.GPU(s.RowMove("place rows", w.Promoted, tables), came)
		s.Mark("rows", ready)
		s.HostRows(s.CPU, "write rows", timing.HostWrite, w.Demoted, s.CopyGPUs("rows that leave", s.ToHost, 1, tables, s.WithStates(s.RowsOnOne(w.Demoted)), left))
		n := s.Share(w.Inputs)
		trained := s.Wait(s.GPU(append(s.Embedding(n), s.Train(n)...), ready))
		s.Mark("GPU", trained)
		summed := s.ExchangeHot(w, s.Replicate(s.AllReduce(trained)))
		s.Mark("exchange", summed)
		updated := s.Wait(s.GPU(append(s.Optimiser(), s.RowUpdate(w.HotRows)...), summed))
		s.Mark("optimiser", updated)
		s.End(updated)
	}
	s.Mark("writing rows", s.CPU.Free())
}

func main() {
	log.SetFlags(0)
	gpus := flag.Int("gpus", 4, "`number` of GPUs")
	stay := flag.Int("stay", 1, "`number` of mini-batches for which an unread row stays")
	html := flag.Bool("html", false, "print a page with pictures")
	flag.Parse()
	own := registry.Description{Name: "recent", Block: "recent", Options: &options{*stay}, New: registry.Optioned(newRecent)}
	config := configs.Small()
	config.Training.GPUs = *gpus
	clicks, err := experiment.Clicks(config)
	check(err)
	systems, err := registry.Choose(append(catalog.Systems(), own), "hybrid,recent")
	check(err)
	report, err := experiment.Run(context.Background(), experiment.Job{Config: config, Data: clicks, Systems: systems, Watch: true, HTML: *html})
	check(err)
	write := report.Print
	if *html {
		write = report.WriteHTML
	}
	check(write(os.Stdout))
	check(report.Err())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
