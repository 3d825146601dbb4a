// Package dispatchtest supports the tests of the dispatcher and its blocks: configurations, random
// registers, decoders of streams, and a search for faults that a test does not detect.
package dispatchtest
