package fae

// swapped is the number of rows that a swap copied.
type swapped struct{ toGPUs, toHost int }

// swap copies the hot rows to the memory in which mini-batches of a kind train on them.
func (f *System) swap(hot bool) (swapped, error) {
	if hot == f.hot.onGPUs {
		return swapped{}, nil
	}
	rows := f.hot.dirty.take()
	f.counts.swaps++
	f.hot.onGPUs = hot
	if !hot {
		f.counts.toHost += int64(len(rows))
		return swapped{toHost: len(rows)}, f.writeBack(rows)
	}
	if !f.hot.copied {
		rows, f.hot.copied = f.hot.all(len(f.model.Tables)), true
		for _, p := range rows {
			f.Cluster.Watch.Keep(hotTables, p.slot, p.table, p.index)
		}
	}
	f.counts.toGPUs += int64(len(rows))
	return swapped{toGPUs: len(rows)}, f.replicate(rows)
}

// replicate copies rows from host memory to all GPUs.
func (f *System) replicate(rows []place) error {
	row := make([]float32, f.model.Dim)
	for _, p := range rows {
		if err := f.Tables.Read(p.table, p.index, row); err != nil {
			return err
		}
		for g := range f.hot.gpus {
			if err := f.hot.write(g, p.slot, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeBack copies rows from GPU 0 to host memory.
func (f *System) writeBack(rows []place) error {
	row := make([]float32, f.model.Dim)
	for _, p := range rows {
		if err := f.hot.read(p.slot, row); err != nil {
			return err
		}
		if err := f.Tables.Write(p.table, p.index, row); err != nil {
			return err
		}
	}
	return nil
}
