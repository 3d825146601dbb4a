// Package visits reads logs of visits, such as Taobao's UserBehavior log, and generates inputs like
// the TBSM reference. The history of a schema names the columns of user, item, category and time.
// All lines of a user must be consecutive, as in the published file.
//
// An input consists of 21 time steps: a history of 20 visits of a user, and a candidate. Each time
// step reads the user, an item and its category. Its dense feature is its position in the history
// as a fraction of 21. A positive candidate is the user's next visit. A negative candidate is an
// item that the user has not seen. The last 200 visits of a user, ordered by time, are used, except
// the very last. A user with fewer than 10 of them has no input. With 10, 20, 30, 40 visits there
// are 1, 3, 6, 10 inputs of each kind. If a history is too short, row 0 fills its beginning. As in
// the reference, an item also uses that row.
//
// The reference shuffles all inputs. This package shuffles the inputs of 16,384 users at a time, to
// limit memory. The first pass needs about 25 bytes per user and 30 per item, 150 MB for the
// published log. Reading needs about 50 MB for the visits of these users. All random choices depend
// only on the seed, the user and the input.
package visits
