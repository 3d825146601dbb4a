// Package taobao reads Taobao's UserBehavior log in its original format and makes inputs of it as the TBSM reference does: lines of
// user, item, category, behaviour (pv, buy, cart, fav) and time, separated by commas, without a header. All lines of a user stand
// together, as in the published file.
//
// An input is a history of 20 visits of a user and a candidate, 21 time steps in all; each reads the user, an item and its category
// and has one dense feature, its place in the history as a share of 21. A visit of the user that came next makes a positive
// candidate, any item that the user has not seen a negative one. Of a user's visits, in the order of time, the last 200 count, and
// of these not the very last. With fewer than 10 of them there is no input; with 10, 20, 30, 40 there are 1, 3, 6, 10 of each
// kind. Where a history is too short, row 0 fills its beginning; the reference shares that row with an item, too.
//
// The reference shuffles all inputs; here those of 16,384 users are shuffled together, so that memory stays small: the first pass
// needs about 25 bytes per user and 30 per item, 150 MB for the published log, and reading about 50 MB for the visits of these users.
// All choices depend on a seed, user and input alone.
package taobao
