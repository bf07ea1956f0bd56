// Kvd is a server of testdata/kv as a process of its own. It listens on file descriptor 3, so that its address outlives it, and ends by an
// interrupt.
package main

import (
	"flag"
	"log"
	"net"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/kv"
)

func main() {
	id := flag.Int("id", 0, "number, from 0")
	peers := flag.String("peers", "", "addresses of all servers")
	wal := flag.String("wal", "", "write-ahead log")
	to := flag.String("tap", "", "file for the stream")
	flag.Parse()
	l, err := net.FileListener(os.NewFile(3, "listener"))
	check(err)
	t := tap.New(tap.File(*to), tap.Options{})
	_, err = os.Stat(*wal)
	again := err == nil
	if again {
		t.Missed("the process before this one may have been killed")
	}
	s, err := kv.Start(kv.Config{ID: *id, Peers: strings.Split(*peers, ","), Listener: l, WAL: *wal, Inflight: 8, Tick: 5 * time.Millisecond,
		Again: again, Tap: func() *tap.Tap { return t }})
	check(err)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
	check(s.Stop())
	if err := t.Close(); err != nil {
		log.Print(err) // what was lost in the process before this one
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
