package zookeeper

import (
	"bufio"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSocket has a consumer come late, go and come again.
func TestSocket(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tap")
	o := tapOptions{node: 1}
	s := &socket{path: path, lost: o.lostLine, head: o.header()}
	write := func(text string) {
		if n, err := s.Write([]byte(text)); err != nil || n != len(text) {
			t.Fatal(n, err)
		}
	}
	write(string(s.head) + "a\nb\n")
	for round, want := range []string{`"count":2,`, `"count":`} {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(pause + 10*time.Millisecond)
		write("c\n")
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(c)
		if head, _ := in.ReadString('\n'); head != string(s.head) {
			t.Errorf("round %d: the header is %s", round, head)
		}
		first, _ := in.ReadString('\n')
		second, _ := in.ReadString('\n')
		if !strings.Contains(first, `"event":"lost",`+want) || second != "c\n" {
			t.Errorf("round %d: %s%s", round, first, second)
		}
		c.Close()
		l.Close()
		for range 10 { // until the other end's absence is noticed
			write("d\n")
		}
		if s.gone == 0 {
			t.Error("nothing is lost behind the consumer's end")
		}
	}
}
