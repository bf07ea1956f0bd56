package zookeeper

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestHeaderOfStream holds that a header has what its stream can have: notifications and
// connections of elections only if they are asked for. It stands once, before all else.
func TestHeaderOfStream(t *testing.T) {
	t.Parallel()
	for _, notifications := range []bool{false, true} {
		var b bytes.Buffer
		s, err := NewStream(1, []int64{1, 2, 5}, &b)
		if err != nil {
			t.Fatal(err)
		}
		s.Notifications = notifications
		for _, e := range scripted(t, life) {
			if err := s.Take(&e); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.End(time.Now().UnixNano()); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(b.String(), "\n")
		if lines[0] != string(header(3, notifications)) || slices.ContainsFunc(lines[1:], func(l string) bool { return strings.HasPrefix(l, string(headerBegin)) }) {
			t.Errorf("notifications %t: %s", notifications, b.String())
		}
		for _, word := range []string{"ElectionMsgs", "NOTIFICATION", "NodeMeets", "NodeParts"} {
			if strings.Contains(lines[0], word) != notifications {
				t.Errorf("notifications %t: %s", notifications, lines[0])
			}
		}
		if n := events(b.Bytes()); n != uint64(bytes.Count(b.Bytes(), []byte{'\n'})-1) {
			t.Errorf("%d events", n)
		}
	}
}
