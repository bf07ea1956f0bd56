// Record runs a cluster of the library that it is built with and writes the nodes' streams: tests build it with changed copies of
// the library.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

func main() {
	flag.Parse() // a library with mutants has a flag
	var o taptest.Options
	if err := json.Unmarshal([]byte(flag.Arg(0)), &o); err != nil {
		panic(err)
	}
	go watch()
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

// watch ends the process where a wrong library does not end, or needs ever more memory.
func watch() {
	for range 300 {
		time.Sleep(100 * time.Millisecond)
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapAlloc > 1<<30 {
			break
		}
	}
	fmt.Println("the library needs 30 s or a GiB")
	os.Exit(3)
}

func write(name string, b []byte) {
	if err := os.WriteFile(filepath.Join(flag.Arg(1), name), b, 0o644); err != nil {
		panic(err)
	}
}
