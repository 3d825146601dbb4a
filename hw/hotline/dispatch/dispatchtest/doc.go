// Package dispatchtest is for the tests of the dispatcher and its parts: sizes,
// random registers, what streams carry as plain Go, and the search for faults that
// a test does not notice.
package dispatchtest
