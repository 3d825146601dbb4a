package elrec

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It fails before training if the memories are too small.
func (e *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	if err := e.reserve(b.Size()); err != nil {
		return err
	}
	if err := e.reorder(b); err != nil {
		return err
	}
	e.Cluster.Watch = w
	ahead, next := b.Again(), b.First() // the next mini-batch to fetch
	defer ahead.Close()
	for m := b.First(); ; m++ {
		for ; next < m+e.opts.Queue; next++ {
			if err := e.fetch(ahead, next); err != nil {
				return err
			}
		}
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return e.finish()
		}
		if err != nil {
			return err
		}
		step, err := e.step(m, batch)
		if err != nil {
			return err
		}
		if len(e.host.pushed) == e.opts.Queue {
			if err := e.drain(); err != nil {
				return err
			}
		}
		if err := done(step); err != nil {
			return err
		}
	}
}

// finish applies the steps that are still in the queue, and checks the replicas. It releases memory
// that only training needs.
func (e *System) finish() error {
	e.reads, e.sums = nil, nil
	for len(e.host.pushed) > 0 {
		if err := e.drain(); err != nil {
			return err
		}
	}
	if err := e.cores.checkReplicas(); err != nil {
		return err
	}
	return e.Cluster.CheckReplicas()
}

func (e *System) drain() error {
	n, err := e.host.drain(e.Cluster.Watch)
	e.counts.written += int64(n)
	return err
}

// fetch fetches the rows of a mini-batch, if it exists, from host memory.
func (e *System) fetch(b *train.Batches, m int) error {
	if e.host.most == 0 {
		return nil
	}
	batch, err := b.At(m)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	var keys []key
	sparse := batch.Sparse
	for range batch.Len() {
		for _, bag := range e.model.Bags() {
			if e.places[bag.Table] == inHost {
				for _, index := range sparse[:bag.Lookups] {
					keys = append(keys, key{bag.Table, index})
				}
			}
			sparse = sparse[bag.Lookups:]
		}
	}
	return e.host.fetch(keys)
}

// step trains on one mini-batch.
func (e *System) step(m int, batch dlrm.Batch) (train.Step, error) {
	e.Cluster.Watch.Begin(m, batch)
	defer e.Cluster.Watch.End(m)
	s := train.Step{MiniBatch: m, Labels: batch.Labels}
	recent, err := e.synchronise()
	if err != nil {
		return s, err
	}
	if err := e.forward(batch); err != nil {
		return s, err
	}
	if s.Probabilities, err = e.train(m, batch); err != nil {
		return s, err
	}
	sum, err := e.Cluster.AllReduce()
	if err != nil {
		return s, err
	}
	defer e.Cluster.Reset()
	s.Loss = sum.Loss
	s.Work = e.count(batch.Len(), recent, sum.Rows)
	return s, e.update(sum)
}

// synchronise updates fetched rows from the caches, and returns the number of updated rows.
func (e *System) synchronise() (recent int, err error) {
	if e.host.most == 0 {
		return 0, nil
	}
	return e.host.synchronise()
}

// forward lists the rows that each GPU reads, and multiplies them. It multiplies once per row for
// TT-Rec, too, because repeated products are bit-identical.
func (e *System) forward(batch dlrm.Batch) error {
	all := batch.All()
	return e.Cluster.Each(func(g int, _ *cluster.GPU) error {
		e.reads[g] = e.scan(batch, e.Cluster.Deal(all, g))
		if e.Cluster.Valueless() {
			return nil
		}
		return e.reads[g].multiply(e.cores, g)
	})
}

// train trains the GPUs on the inputs.
func (e *System) train(m int, batch dlrm.Batch) ([]float32, error) {
	probs := e.Cluster.Probabilities(batch.Len())
	return probs, e.Cluster.Train(m, batch, batch.All(), probs, func(g, _, i int, pooled []float32) (failed error) {
		row := make([]float32, e.model.Dim)
		e.model.PoolSample(pooled, batch.At(i).Sparse, func(table int, index uint32) []float32 {
			if err := e.readOn(g, table, index, row); err != nil && failed == nil {
				failed = err
			}
			return row
		})
		return failed
	})
}

// readOn reads a row on a GPU that trains.
func (e *System) readOn(g, table int, index uint32, dst []float32) error {
	switch {
	case e.places[table] == onGPUs:
		return e.gpus[g].Read(table, index, dst)
	case e.places[table] == inHost:
		return e.host.row(g, key{table, index}, dst)
	}
	copy(dst, e.reads[g].rows[key{table, e.cores.number(table, index)}])
	return nil
}

// count counts the work of a mini-batch.
func (e *System) count(inputs, recent int, rows []dlrm.RowGrad) timing.Work {
	w, own := timing.Work{Inputs: inputs}, Work{Recent: recent}
	for _, r := range rows {
		switch e.places[r.Table] {
		case inCores:
			own.TTBackward++
		case onGPUs:
			w.HotRows++
		default:
			w.ColdRows++
		}
	}
	for _, r := range e.reads {
		own.TTLookups += r.lookups
		own.TTPrefixes += len(r.prefixes)
		own.TTRows += len(r.rows)
		w.Listed += len(r.plain)
	}
	if e.naive {
		own.TTPrefixes, own.TTRows, own.TTBackward = own.TTLookups, own.TTLookups, own.TTLookups
	}
	for t, table := range e.model.Tables {
		if e.places[t] == onGPUs {
			w.HotTable += table.Rows
		}
	}
	w.HotTable += w.ColdRows
	e.counts.lookups += int64(own.TTLookups)
	e.counts.prefixes += int64(own.TTPrefixes)
	e.counts.rows += int64(own.TTRows)
	e.counts.backward += int64(own.TTBackward)
	e.counts.fetched += int64(w.ColdRows)
	e.counts.cached += int64(own.Recent)
	w.Own = own
	return w
}

// update updates all parameters.
func (e *System) update(sum cluster.Sum) error {
	if err := e.Cluster.Apply(sum); err != nil {
		return err
	}
	if err := e.updateCores(sum.MiniBatch, sum.Rows); err != nil {
		return err
	}
	var inHostMemory []dlrm.RowGrad
	for _, r := range sum.Rows {
		switch e.places[r.Table] {
		case onGPUs:
			if err := e.updatePlain(r); err != nil {
				return err
			}
		case inHost:
			inHostMemory = append(inHostMemory, r)
		}
	}
	if e.host.most == 0 {
		return nil
	}
	if err := e.host.update(inHostMemory, e.Cluster.Watch); err != nil {
		return err
	}
	e.counts.most = e.host.cache.most
	return nil
}

func (e *System) updateCores(m int, rows []dlrm.RowGrad) error {
	switch {
	case e.Cluster.Valueless():
		return nil
	case !e.naive:
		return e.backward(m, e.share(rows))
	}
	work, err := e.each()
	if err != nil {
		return err
	}
	return e.backward(m, work)
}

// updatePlain applies the step of a row on every GPU.
func (e *System) updatePlain(r dlrm.RowGrad) error {
	if e.Cluster.Valueless() {
		return nil
	}
	for _, tables := range e.gpus {
		if err := tables.Read(r.Table, r.Index, e.row); err != nil {
			return err
		}
		dlrm.UpdateRow(e.row, r.Grad, -e.model.LearningRate)
		if err := tables.Write(r.Table, r.Index, e.row); err != nil {
			return err
		}
	}
	return nil
}
