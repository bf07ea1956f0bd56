package zookeeper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// TestNotificationUnread: the vote of a later round is in flight when its connection ends. A server
// that has not read it stays in its round; one that has, or whose connection continues, does not.
func TestNotificationUnread(t *testing.T) {
	x := elections(t)
	tells := func(event string, peer, source, round, leader int) string {
		return fmt.Sprintf(`{"event":%q,"peer":%d,"msg":{"Kind":"NOTIFICATION","Source":%d,"State":"LOOKING","Round":%d,"Vote":{"Leader":%d}}}`,
			event, peer, source, round, leader)
	}
	links := func(action string, peer int) string {
		return fmt.Sprintf(`{"event":"input","action":%q,"params":{"J":%d}}`, action, peer)
	}
	begins, later, now := links("NodeMeets", 2), tells("in", 2, 2, 5, 2), tells("in", 2, 2, 1, 2)
	stays, goesOn := tells("out", 1, 0, 1, 2), tells("out", 1, 0, 5, 2)
	for name, c := range map[string]struct {
		lines   []string
		verdict string
	}{
		"read":                         {[]string{begins, later, begins, now, goesOn}, "holds"},
		"not read":                     {[]string{begins, later, begins, now, stays}, "holds"},
		"over a connection of before":  {[]string{begins, begins, later, links("NodeParts", 2), now, stays}, "holds"},
		"over one that goes on":        {[]string{begins, later, now, stays}, "violated"},
		"another one's connection":     {[]string{begins, later, links("NodeMeets", 1), now, stays}, "violated"},
		"read, and then in it no more": {[]string{begins, later, goesOn, begins, now, stays}, "violated"},
	} {
		stream := `{"event":"header","networks":["Msgs","ElectionMsgs"]}` + "\n" + strings.Join(append(c.lines, `{"event":"end"}`), "\n") + "\n"
		if r := x.check(t, 0, []byte(stream), wire.Monitor{Verify: 1}); r.verdict != c.verdict {
			t.Errorf("%s: %s %s: %s", name, r.verdict, r.reason, r.message())
		}
	}
}
