// Record runs a cluster of the library that it is built with and writes the nodes' streams: tests build it with changed copies of
// the library.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/raft/etcdraft/tap/taptest"
)

func main() {
	var o taptest.Options
	if err := json.Unmarshal([]byte(os.Args[1]), &o); err != nil {
		panic(err)
	}
	c := taptest.New(o)
	if p := c.Run(); p != nil {
		fmt.Println("panic:", p) // a wrong library may run into its own checks
	}
	for i, s := range c.Streams {
		write(fmt.Sprint(i), s)
	}
	departed, err := json.Marshal(c.Departed)
	if err != nil {
		panic(err)
	}
	write("departed", departed)
}

func write(name string, b []byte) {
	if err := os.WriteFile(filepath.Join(os.Args[2], name), b, 0o644); err != nil {
		panic(err)
	}
}
