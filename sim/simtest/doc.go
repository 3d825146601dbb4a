// Package simtest provides designs for tests of engines and generators: common building blocks and
// every operator. Its Run drives a Simulator with seeded random inputs. Only tests import the
// package. Package hw/random makes random designs.
package simtest
