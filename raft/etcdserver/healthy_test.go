package etcdserver

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// TestRecord runs a cluster under load and keeps the streams in the folder of an environment variable.
func TestRecord(t *testing.T) {
	to := os.Getenv("MULTIGRAIN_RECORD")
	if to == "" {
		t.Skip("MULTIGRAIN_RECORD names no folder")
	}
	c := newCluster(t, server(t, "v3.6"), 3)
	for i := range 3 {
		c.start(i, 3, "new")
	}
	c.await(0)
	began := time.Now()
	took := c.load(number("MULTIGRAIN_PUTS", 300), number("MULTIGRAIN_CLIENTS", 4))
	t.Logf("%d puts in %v", len(took), time.Since(began))
	c.stop()
	for i := range 3 {
		b, err := os.ReadFile(c.stream(i))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+"/"+c.stream(i)[len(c.dir)+1:], b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// number returns the value of an environment variable.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}
