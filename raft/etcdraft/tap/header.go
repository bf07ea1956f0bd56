package tap

import (
	"bytes"
	"slices"
	"strconv"

	pb "go.etcd.io/raft/v3/raftpb"
)

// inputs are the events from outside the protocol that an application can note.
var inputs = []string{"Propose", "ProposeChange", "ProposeLearner", "ProposeLeave", "Transfer", "AskRead", "ApplyChange", "NoteApplied",
	"NoteSnapshot", "NoteCompaction", "ReportFinish", "ReportFailure", "ReportUnreachable", "Advance"}

// inputsOfMessages are the inputs that a tap of messages alone has.
var inputsOfMessages = []string{"Propose", "ProposeChange", "ProposeLearner", "ProposeLeave", "Transfer", "Disconnect"}

// ofSnapshots are the inputs that an application notes with Options.Snapshots.
var ofSnapshots = []string{"NoteSnapshot", "NoteCompaction"}

// AppendHeader appends the header of a stream, its first line: the kinds of messages and the inputs
// that it can have. The events of a tap with the same options need no other header.
func AppendHeader(b []byte, o Options) []byte {
	var names []string
	for kind, name := range kinds {
		read := kind == pb.MsgReadIndex || kind == pb.MsgReadIndexResp
		if (kind != pb.MsgSnap || o.Snapshots || o.Messages) && !(read && o.Messages) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	from := inputs
	if o.Messages {
		from = inputsOfMessages
	}
	noted := slices.DeleteFunc(slices.Clone(from), func(name string) bool {
		return slices.Contains(o.Unnoted, name) || !o.Snapshots && slices.Contains(ofSnapshots, name)
	})
	b = appendNames(append(b, headerBegin+`,"kinds":[`...), names)
	b = appendNames(append(b, `],"inputs":[`...), noted)
	return append(b, "]}\n"...)
}

// headerBegin is how a header begins, and no other line.
const headerBegin = `{"event":"header"`

func appendNames(b []byte, names []string) []byte {
	for k, name := range names {
		if k > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, name)
	}
	return b
}

// headed returns what is written to a sink that was opened: a header before b. If b begins with the
// end of a line whose begin an earlier sink took, the header follows that.
func (t *Tap) headed(b []byte) []byte {
	var out []byte
	if bytes.HasPrefix(b, newline) {
		out, b = append(out, '\n'), b[1:]
	}
	return append(append(out, t.header...), b...)
}
