// Package shadow watches a training system and knows the sequential truth: it
// trains the same model by itself, one mini-batch after the other on one device
// without a machine, and compares.
//
//	w := shadow.New(state)
//	err := system.Train(batches, w, done)
//	findings, err := w.Finish(system)
//
// A finding is one of
//   - a stale read: a pooled vector is made of a row as it was before;
//   - a wrong read: a pooled vector is of no row as it ever was;
//   - a lost update: at the end a row, or the dense part, is not the sequential one;
//   - a held slot: a slot is taken from a row that a mini-batch under way reads;
//   - two places: a row is kept in two slots at a time.
//
// It may import host/rec and host/train.
package shadow
