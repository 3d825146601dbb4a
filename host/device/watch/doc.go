// Package watch finds mistakes of a driver in the traffic of its card. It observes the card's link
// and changes nothing.
//
//	w := watch.New()
//	w.Attach(link, endpoint)
//	...
//	for _, f := range w.Findings() {
//		fmt.Println(f)
//	}
//
// docs/how-to/virtual-machine.md describes the kinds of findings.
//
// Guarantees:
//   - Findings of one kind at one address are one finding, with a count.
//   - The project's own driver has no findings.
package watch
