// Package shuffle is FAE's Shuffle Scheduler (VLDB 2022, Sec. 4.3): in which order
// hot and cold mini-batches are trained on, in strips whose length follows the
// loss on inputs that are not trained on.
//
//	s := shuffle.New(cold, hot)
//	for kind, n := s.Next(); n > 0; kind, n = s.Next() {
//		... train on n mini-batches of the kind ...
//		if s.Mixed() {
//			s.Tested(loss)
//		}
//	}
//
// It promises that all mini-batches come, once.
package shuffle
