package tap

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"strconv"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Unknown returns why the specification of package raft does not have a message; "" where it has
// it.
func Unknown(m *pb.Message) string {
	switch _, ok := kinds[m.GetType()]; {
	case !ok:
		return m.GetType().String() + " is not declared for run time"
	case (m.GetType() == pb.MsgReadIndex || m.GetType() == pb.MsgReadIndexResp) && len(m.GetEntries()) != 1:
		return fmt.Sprintf("%s with %d requests", m.GetType(), len(m.GetEntries()))
	}
	return ""
}

// appendMessage appends a message as the specification of package raft writes it. ok is false for a
// message that it does not have.
func appendMessage(b []byte, m *pb.Message) (_ []byte, ok bool) {
	if Unknown(m) != "" {
		return b, false
	}
	name := kinds[m.GetType()]
	b = append(b, `{"Kind":"`...)
	b = append(b, name...)
	b = append(b, '"')
	number := func(field string, x uint64) {
		if x != 0 {
			b = append(b, ',', '"')
			b = append(b, field...)
			b = append(b, '"', ':')
			b = strconv.AppendUint(b, x, 10)
		}
	}
	number("Term", m.GetTerm())
	switch m.GetType() {
	case pb.MsgVote, pb.MsgPreVote:
		number("Index", m.GetIndex())
		number("LogTerm", m.GetLogTerm())
		if string(m.GetContext()) == "CampaignTransfer" {
			number("Context", 1)
		}
	case pb.MsgApp:
		number("Index", m.GetIndex())
		number("LogTerm", m.GetLogTerm())
		number("Commit", m.GetCommit())
		b = appendEntries(b, m.GetEntries())
	case pb.MsgSnap:
		meta := m.GetSnapshot().GetMetadata()
		number("Index", meta.GetIndex())
		number("LogTerm", meta.GetTerm())
		b = append(b, `,"Snap":[`...)
		b = append(appendBody(b, meta), ']')
	case pb.MsgAppResp:
		number("Index", m.GetIndex())
		if m.GetReject() {
			number("LogTerm", m.GetLogTerm())
			number("RejectHint", m.GetRejectHint())
		}
	case pb.MsgHeartbeat:
		number("Commit", m.GetCommit())
		number("Context", context(m))
	case pb.MsgHeartbeatResp:
		number("Context", context(m))
	case pb.MsgReadIndex:
		number("Context", readID(m.GetEntries()[0].GetData(), m.GetFrom()))
	case pb.MsgReadIndexResp:
		number("Index", m.GetIndex())
		number("Context", readID(m.GetEntries()[0].GetData(), m.GetTo()))
	}
	if m.GetReject() {
		b = append(b, `,"Reject":true`...)
	}
	return append(b, '}'), true
}

// appendEntries appends the entries of an append: the first one, and those after it as one
// sequence.
func appendEntries(b []byte, entries []*pb.Entry) []byte {
	for k, e := range entries {
		switch k {
		case 0:
			b = append(b, `,"Entry":`...)
		case 1:
			b = append(b, `,"More":[[`...)
		default:
			b = append(b, ',')
		}
		b = appendEntry(b, e)
	}
	if len(entries) > 1 {
		b = append(b, `]]`...)
	}
	return b
}

// context returns how many reads a heartbeat confirms. read_only.go heartbeatCtx.
func context(m *pb.Message) uint64 {
	if c := m.GetContext(); len(c) == 8 {
		return binary.LittleEndian.Uint64(c)
	}
	return 0
}

var kinds = map[pb.MessageType]string{
	pb.MsgVote: "MsgVote", pb.MsgVoteResp: "MsgVoteResp", pb.MsgApp: "MsgApp", pb.MsgAppResp: "MsgAppResp",
	pb.MsgHeartbeat: "MsgHeartbeat", pb.MsgHeartbeatResp: "MsgHeartbeatResp",
	pb.MsgPreVote: "MsgPreVote", pb.MsgPreVoteResp: "MsgPreVoteResp", pb.MsgTimeoutNow: "MsgTimeoutNow",
	pb.MsgReadIndex: "MsgReadIndex", pb.MsgReadIndexResp: "MsgReadIndexResp", pb.MsgSnap: "MsgSnap",
}

// appendEntry appends an entry without its index.
func appendEntry(b []byte, e *pb.Entry) []byte {
	b = append(b, `{"Term":`...)
	b = strconv.AppendUint(b, e.GetTerm(), 10)
	if e.GetType() == pb.EntryNormal {
		if v := Value(e.GetData()); v != 0 {
			b = append(b, `,"Value":`...)
			b = strconv.AppendUint(b, v, 10)
		}
		return append(b, '}')
	}
	if change, ok := changeOf(e); ok {
		b = append(b, `,"Change":[`...)
		b = appendChange(b, change)
		b = append(b, ']')
	}
	return append(b, '}')
}

// Value returns the number that stands for a command in the specification, 0 for the empty entry
// with which a leader begins. Different commands have the same number with a probability of 2 to
// the power of -64.
func Value(command []byte) uint64 {
	if len(command) == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write(command)
	return max(h.Sum64(), 1)
}

// change is a change of the configuration as the specification has it.
type change struct {
	kind        string
	add, remove uint64 // sets of servers, from 0
}

// changeOf reads an entry of a configuration change. An empty ConfChangeV2 leaves a joint
// configuration. ok is false for one that changes nothing.
func changeOf(e *pb.Entry) (c change, ok bool) {
	var v2 *pb.ConfChangeV2
	switch e.GetType() {
	case pb.EntryConfChange:
		cc := &pb.ConfChange{}
		if proto.Unmarshal(e.GetData(), cc) != nil {
			return c, false
		}
		v2 = cc.AsV2()
	default:
		v2 = &pb.ConfChangeV2{}
		if proto.Unmarshal(e.GetData(), v2) != nil {
			return c, false
		}
	}
	return changeV2(v2), true
}

func changeV2(v2 *pb.ConfChangeV2) (c change) {
	if v2.LeaveJoint() {
		return change{kind: "LeaveJoint"}
	}
	c.kind = "Simple"
	if auto, joint := v2.EnterJoint(); joint {
		c.kind = "JointManual"
		if auto {
			c.kind = "JointAuto"
		}
	}
	for _, s := range v2.GetChanges() {
		bit := uint64(1) << (s.GetNodeId() - 1)
		switch s.GetType() {
		case pb.ConfChangeAddNode:
			c.add |= bit
		case pb.ConfChangeRemoveNode:
			c.remove |= bit
		case pb.ConfChangeAddLearnerNode:
			c.add |= bit
			c.kind = "Learn"
		}
	}
	return c
}

func appendChange(b []byte, c change) []byte {
	b = append(b, `{"Kind":"`...)
	b = append(b, c.kind...)
	b = append(b, `","Add":`...)
	b = appendSet(b, c.add)
	b = append(b, `,"Remove":`...)
	b = appendSet(b, c.remove)
	return append(b, '}')
}

func appendSet(b []byte, set uint64) []byte {
	b = append(b, '[')
	for first := true; set != 0; set &= set - 1 {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = strconv.AppendInt(b, int64(bits.TrailingZeros64(set)), 10)
	}
	return append(b, ']')
}

// readers is raft.Readers.
const readers = 8

// readID returns the number of a read in the specification: which request it is, and which node was
// asked.
func readID(request []byte, asked uint64) uint64 { return Value(request)*readers + asked - 1 }

// AppendIn appends the event that the node received m, and AppendOut that it handed m to the
// transport, as a line. They report false, and append nothing, where the specification does not
// have the message. For these and all other functions, at is the time in nanoseconds since the
// epoch, 0 for none.
func AppendIn(b []byte, m *pb.Message, at int64) ([]byte, bool) {
	from := m.GetFrom()
	if from == m.GetTo() { // a read that another server has sent back
		from = 1
		if m.GetTo() == 1 {
			from = 2
		}
	}
	return appendEvent(b, "in", from, m, at)
}

// AppendOut appends that the node handed m to the transport.
func AppendOut(b []byte, m *pb.Message, at int64) ([]byte, bool) {
	return appendEvent(b, "out", m.GetTo(), m, at)
}

// by states the stream in an event.
func by(stream int, event func([]byte, *pb.Message, int64) ([]byte, bool)) func([]byte, *pb.Message, int64) ([]byte, bool) {
	return func(b []byte, m *pb.Message, at int64) ([]byte, bool) {
		from := len(b)
		b, ok := event(b, m, at)
		if !ok {
			return b, false
		}
		head := strconv.AppendInt([]byte(`{"stream":`), int64(stream), 10)
		return slices.Replace(b, from, from+1, append(head, ',')...), true
	}
}

func appendEvent(b []byte, event string, peer uint64, m *pb.Message, at int64) ([]byte, bool) {
	from := len(b)
	b = append(b, `{"event":"`...)
	b = append(b, event...)
	b = append(b, `","peer":`...)
	b = strconv.AppendUint(b, peer-1, 10)
	b = append(b, `,"msg":`...)
	b, ok := appendMessage(b, m)
	if !ok {
		return b[:from], false
	}
	return appendEnd(b, at), true
}

func appendEnd(b []byte, at int64) []byte {
	if at != 0 {
		b = append(b, `,"at":`...)
		b = strconv.AppendInt(b, at, 10)
	}
	return append(b, '}', '\n')
}

// AppendProposal appends that a command was proposed, and whether the node refused it.
func AppendProposal(b, command []byte, refused bool, at int64) []byte {
	b = append(b, `{"event":"input","action":"Propose","set":{"Proposed":`...)
	b = strconv.AppendUint(b, Value(command)-1, 10)
	b = append(b, '}')
	return appendEnd(appendFate(b, refused), at)
}

// AppendRead appends that a node was asked for a read by ReadIndex.
func AppendRead(b []byte, node uint64, request []byte, at int64) []byte {
	b = append(b, `{"event":"input","action":"AskRead","set":{"Asked":[`...)
	b = strconv.AppendUint(b, readID(request, node), 10)
	b = append(b, `]}`...)
	return appendEnd(b, at)
}

// AppendApplying appends that the configuration change at an index is applied, and AppendApplied
// that all up to an index is.
func AppendApplying(b []byte, index uint64, at int64) []byte {
	return appendTold(b, "ApplyChange", index, at)
}

// AppendApplied appends that all up to an index is applied.
func AppendApplied(b []byte, index uint64, at int64) []byte {
	return appendTold(b, "NoteApplied", index, at)
}

func appendTold(b []byte, action string, index uint64, at int64) []byte {
	b = append(b, `{"event":"input","action":"`...)
	b = append(b, action...)
	b = append(b, `","set":{"AppliedTo":[`...)
	b = strconv.AppendUint(b, index, 10)
	b = append(b, `]}`...)
	return appendEnd(b, at)
}

// AppendTransfer appends that a leader was asked to hand over to another node.
func AppendTransfer(b []byte, to uint64, at int64) []byte { return appendPeer(b, "Transfer", to, at) }

// appendPeer appends an input that names another node.
func appendPeer(b []byte, action string, peer uint64, at int64) []byte {
	b = append(b, `{"event":"input","action":"`...)
	b = append(b, action...)
	b = append(b, `","params":{"J":`...)
	b = strconv.AppendUint(b, peer-1, 10)
	b = append(b, '}')
	return appendEnd(b, at)
}

// AppendLost appends that so many events are missing here, and why if that is known.
func AppendLost(b []byte, count int64, cause string) []byte {
	b = append(b, `{"event":"lost","count":`...)
	b = strconv.AppendInt(b, count, 10)
	if cause != "" {
		b = append(b, `,"cause":`...)
		b = strconv.AppendQuoteToASCII(b, cause)
	}
	return append(b, '}', '\n')
}

// AppendRestart appends that the node starts again.
func AppendRestart(b []byte, at int64) []byte {
	return appendEnd(append(b, `{"event":"restart"`...), at)
}

// setOf returns the set of servers with these numbers.
func setOf(ids []uint64) (set uint64) {
	for _, id := range ids {
		set |= 1 << (id - 1)
	}
	return set
}

// appendFate appends whether the node refused an input.
func appendFate(b []byte, refused bool) []byte {
	return strconv.AppendBool(append(b, `,"refused":`...), refused)
}

// AppendProposedVoters appends that a change to another set of voters was proposed, and whether the
// node refused it.
func AppendProposedVoters(b []byte, voters []uint64, refused bool, at int64) []byte {
	b = append(b, `{"event":"input","action":"ProposeChange","params":{"S":`...)
	b = append(appendSet(b, setOf(voters)), '}')
	return appendEnd(appendFate(b, refused), at)
}

// AppendProposedLearner appends that a new server without a vote was proposed, and whether the node
// refused it.
func AppendProposedLearner(b []byte, learner uint64, refused bool, at int64) []byte {
	b = append(b, `{"event":"input","action":"ProposeLearner","params":{"J":`...)
	b = append(strconv.AppendUint(b, learner-1, 10), '}')
	return appendEnd(appendFate(b, refused), at)
}

// AppendProposedLeave appends that it was proposed to leave a joint configuration, and whether the
// node refused that.
func AppendProposedLeave(b []byte, refused bool, at int64) []byte {
	return appendEnd(appendFate(append(b, `{"event":"input","action":"ProposeLeave"`...), refused), at)
}

// AppendSteps appends that a leader has counted a number of its own acknowledgements.
func AppendSteps(b []byte, answers int, at int64) []byte {
	for range answers {
		b = appendEnd(append(b, `{"event":"input","action":"Advance"`...), at)
	}
	return b
}

// Own follows what a node answers to itself, from its start. The zero value is ready for use.
type Own struct {
	leads bool
	term  uint64
}

// Answers returns how many of its own acknowledgements a node counts when it advances after a
// Ready. Now is the node's status at that moment. A leader counts one for each entry of its own in
// the Ready. Those of an earlier term or role no longer count. rawnode.go acceptReady.
func (o *Own) Answers(rd *raft.Ready, now raft.BasicStatus) (n int) {
	if rd.SoftState != nil {
		o.leads = rd.SoftState.RaftState == raft.StateLeader
	}
	if t := rd.HardState.GetTerm(); t != 0 {
		o.term = t
	}
	if o.term == 0 { // as it was on disk
		o.term = now.GetTerm()
	}
	if o.term != now.GetTerm() {
		return 0
	}
	for _, e := range rd.Entries {
		if now.RaftState == raft.StateLeader && o.leads && e.GetTerm() == o.term {
			n++
		}
	}
	return n
}
