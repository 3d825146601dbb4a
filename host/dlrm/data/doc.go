// Package data is about the inputs that a recommendation model trains on. A Source has them: a log on disk, or a generator; the
// packages below it are sources, and a program may bring its own. A Reader reads them one batch after the other, in constant
// memory, from any input on.
//
// Parts of a source are sources too: Range, SplitShare and SplitEvery set inputs apart to evaluate a model on.
//
// Of the packages below, text reads lines, index turns ids into rows, clicklog is the source that the formats criteo
// and avazu share, taobao is the log of shop visits, gen generates, profile measures, and datatest is for tests.
package data
