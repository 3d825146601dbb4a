// Command has tells whether it has a model of the design with a hash.
package main

import (
	"fmt"
	"os"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

func main() {
	_, ok := model.Lookup(os.Args[1])
	fmt.Println(ok)
}
