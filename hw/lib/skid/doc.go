// Package skid holds register stages for streams: Skid cuts all paths between
// its two sides, Stage only those towards the receiver. Both move one word per
// cycle and keep the order.
package skid
