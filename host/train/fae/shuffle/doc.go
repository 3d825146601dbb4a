// Package shuffle is FAE's Shuffle Scheduler (VLDB 2022, Sec. 4.3). It orders hot and cold
// mini-batches in strips. The length of the strips follows the loss on inputs that are not trained
// on.
//
//	s := shuffle.New(cold, hot)
//	for kind, n := s.Next(); n > 0; kind, n = s.Next() {
//		... train on n mini-batches of the kind ...
//		if s.Mixed() {
//			s.Tested(loss)
//		}
//	}
//
// The strips contain each mini-batch exactly once.
package shuffle
