// Package xbar provides a crossbar switch with queues at the crosspoints of destinations and
// groups of sources. Words from one source to one destination stay in order.
package xbar
