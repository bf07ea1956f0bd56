package zookeeper

import (
	"bytes"
	"encoding/json"

	"github.com/multigrain/multigrain/zab"
)

// streamHeader is the first line of a stream: what a monitor can expect to find in it. Networks are
// variables of zab.State: Msgs for the quorum port, ElectionMsgs for the election port.
type streamHeader struct {
	Event    string   `json:"event"`
	Servers  int      `json:"servers"`
	Networks []string `json:"networks"`
	Kinds    []string `json:"kinds"`
	Inputs   []string `json:"inputs"`
}

// headerBegin is how a header begins, and no other line.
var headerBegin = []byte(`{"event":"header"`)

// header returns the header of a stream of one of so many servers, a line.
func header(servers int, notifications bool) []byte {
	h := streamHeader{
		Event:    "header",
		Servers:  servers,
		Networks: []string{"Msgs"},
		Kinds: []string{"FOLLOWERINFO", "LEADERINFO", "ACKEPOCH", "DIFF", "TRUNC", "SNAP", "PROPOSAL", "COMMIT", "NEWLEADER", "ACKLD",
			"UPTODATE", "ACK", "CLOSED"},
		Inputs: []string{zab.LeaderProcessRequest.Name},
	}
	if notifications {
		h.Networks = append(h.Networks, "ElectionMsgs")
		h.Kinds = append(h.Kinds, "NOTIFICATION")
		h.Inputs = append(h.Inputs, zab.NodeMeets.Name, zab.NodeParts.Name)
	}
	b, _ := json.Marshal(h) // of texts
	return append(b, '\n')
}

// header returns the header of the tap's stream; nil if it writes all events.
func (o *tapOptions) header() []byte {
	if o.node < 0 {
		return nil
	}
	return header(len(o.servers), o.notifications)
}

// events returns the number of lines that are events of the server: all but headers.
func events(lines []byte) (n uint64) {
	for l := range bytes.Lines(lines) {
		if !bytes.HasPrefix(l, headerBegin) {
			n++
		}
	}
	return n
}
