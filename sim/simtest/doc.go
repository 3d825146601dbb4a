// Package simtest has designs for testing engines and generators: the parts that
// real ones are made of, every operator, and random designs by seed. Its Run
// drives a Simulator with seeded random inputs. Nothing but tests imports it.
package simtest
