// Package xbar holds a crossbar switch with queues at the crosspoints of
// destinations and groups of sources. Words of one source to one destination
// keep their order.
package xbar
