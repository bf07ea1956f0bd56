package raft

import (
	"fmt"
	"strings"
)

var roleNames = map[Role]string{Follower: "follower", Candidate: "candidate", Leader: "leader", PreCandidate: "pre-candidate"}

var kindNames = map[Kind]string{
	MsgVote: "MsgVote", MsgVoteResp: "MsgVoteResp", MsgApp: "MsgApp", MsgAppResp: "MsgAppResp", MsgHeartbeat: "MsgHeartbeat",
	MsgHeartbeatResp: "MsgHeartbeatResp", MsgReadIndex: "MsgReadIndex", MsgReadIndexResp: "MsgReadIndexResp", MsgPreVote: "MsgPreVote",
	MsgPreVoteResp: "MsgPreVoteResp", MsgTimeoutNow: "MsgTimeoutNow", MsgSnap: "MsgSnap",
}

// printStep prints the servers that a step changes, a leader's progress, reads, and messages.
func printStep(out *strings.Builder, s, n *State) {
	for i := range Server(Servers) {
		if was, is := printServer(s, i), printServer(n, i); was != is {
			fmt.Fprintf(out, "  %d %s\n", i, is)
		}
		for j := range Server(Servers) {
			was, is := printProgress(s, i, j), printProgress(n, i, j)
			if was != is && is != "" {
				fmt.Fprintf(out, "    %d sees %d: %s\n", i, j, is)
			}
		}
	}
	for k := range n.Reads {
		if s.Reads[k] != n.Reads[k] {
			fmt.Fprintf(out, "  read %d %s\n", k, printRead(&n.Reads[k]))
		}
	}
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			before := map[Msg]int{}
			for _, m := range inFlightBetween(s, i, j) {
				before[m]++
			}
			for _, m := range inFlightBetween(n, i, j) {
				if before[m]--; before[m] < 0 {
					fmt.Fprintf(out, "  %d to %d: %s\n", i, j, printMsg(&m))
				}
			}
		}
	}
	if n.Panics != s.Panics {
		fmt.Fprintf(out, "  the library panics: %+v\n", n.Panics)
	}
}

func printServer(s *State, i Server) string {
	b := fmt.Sprintf("%s in term %d", roleNames[s.Role[i]], s.Term[i])
	switch {
	case s.Role[i] == Candidate:
		b += ", votes of " + printSet(s.Granted[i])
		if s.Rejected[i] != 0 {
			b += ", refused by " + printSet(s.Rejected[i])
		}
	case s.Role[i] == Follower && s.Lead[i] != None:
		b += fmt.Sprintf(" of %d", s.Lead[i])
	case s.Role[i] == Follower && s.Vote[i] != None:
		b += fmt.Sprintf(", voted for %d", s.Vote[i])
	}
	b += ", log"
	if k := s.offset(i); k > 0 {
		b += fmt.Sprintf(" snapshot of 1 to %d", k)
	}
	for k := s.offset(i) + 1; k <= s.lastIndex(i); k++ {
		b += " " + printEntry(s.entryAt(i, k))
	}
	if s.lastIndex(i) == 0 {
		b += " empty"
	}
	b += fmt.Sprintf(", commit %d, applied %d", s.Commit[i], s.Applied[i])
	if Membership {
		b += ", " + printConf(s.conf(i))
	}
	for k := range s.Transferee {
		if Server(k) == i && s.Transferee[k] != None {
			b += fmt.Sprintf(", hands over to %d", s.Transferee[k])
		}
	}
	return b
}

func printSet(s Set) string {
	var members []string
	for j := range Server(Servers) {
		if s.Has(j) {
			members = append(members, fmt.Sprint(j))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func printConf(c Conf) string {
	b := "voters " + printSet(c.Voters)
	if c.joint() {
		b += " and " + printSet(c.Outgoing)
	}
	if c.Learners != 0 {
		b += ", learners " + printSet(c.Learners)
	}
	return b
}

// printEntry prints an entry as its term with what it holds: a command, a change, or nothing.
func printEntry(e Entry) string {
	what := "empty"
	if e.Value > 0 {
		what = fmt.Sprintf("x%d", e.Value)
	}
	for _, ch := range e.Change {
		switch ch.Kind {
		case LeaveJoint:
			what = "leave"
		case Learn:
			what = "learn" + printSet(ch.Add)
		case Simple, JointAuto, JointManual:
			what = ""
			if ch.Add != 0 {
				what += "+" + printSet(ch.Add)
			}
			if ch.Remove != 0 {
				what += "-" + printSet(ch.Remove)
			}
		}
	}
	return fmt.Sprintf("%d:%s", e.Term, what)
}

// printProgress writes the leader i's view of j; "" if i does not lead or j is no other member.
func printProgress(s *State, i, j Server) string {
	if s.Role[i] != Leader || i == j || !s.tracks(i, j) {
		return ""
	}
	pr := &s.Pr[i][j]
	b := fmt.Sprintf("match %d, next %d, %s", pr.Match, pr.Next,
		map[ProgressState]string{Probe: "probe", Replicate: "replicate", InSnapshot: "snapshot"}[pr.State])
	if pr.Paused {
		b += ", paused"
	}
	return b
}

func printRead(r *Read) string {
	switch r.Phase {
	case Asked:
		return fmt.Sprintf("is asked of %d", r.Server)
	case Indexed:
		return fmt.Sprintf("waits until %d has applied %d", r.Server, r.Index)
	case Answered:
		return fmt.Sprintf("returns the command at index %d", r.Value)
	}
	return "is lost"
}

// inFlightBetween lists the messages from i to j.
func inFlightBetween(s *State, i, j Server) (out []Msg) {
	for k := 1; k <= s.Bag.Len(i, j); k++ {
		for kind := MsgVote; kind <= MsgSnap; kind++ {
			if s.Bag.Is(i, j, k, kind) {
				out = append(out, s.Bag.Peek(i, j, k, kind))
			}
		}
	}
	return out
}

func printMsg(m *Msg) string {
	b := fmt.Sprintf("%s in term %d", kindNames[m.Kind], m.Term)
	switch m.Kind {
	case MsgVote, MsgPreVote:
		b += fmt.Sprintf(", log ends at %d of term %d", m.Index, m.LogTerm)
		if m.Context == ByTransfer {
			b += ", by transfer"
		}
	case MsgVoteResp, MsgPreVoteResp:
		b += map[bool]string{false: ", granted", true: ", refused"}[m.Reject]
	case MsgApp:
		b += fmt.Sprintf(", after %d of term %d", m.Index, m.LogTerm)
		if m.carriesEntry() {
			b += " comes " + printEntry(m.Entry)
		}
		b += fmt.Sprintf(", commit %d", m.Commit)
	case MsgAppResp:
		if m.Reject {
			return b + fmt.Sprintf(", rejects %d, hint %d of term %d", m.Index, m.RejectHint, m.LogTerm)
		}
		b += fmt.Sprintf(", has %d", m.Index)
	case MsgHeartbeat:
		b += fmt.Sprintf(", commit %d", m.Commit)
		if m.Context > 0 {
			b += fmt.Sprintf(", confirms %d", m.Context)
		}
	case MsgHeartbeatResp:
		if m.Context > 0 {
			b += fmt.Sprintf(", confirms %d", m.Context)
		}
	case MsgReadIndex:
		return fmt.Sprintf("MsgReadIndex for read %d", m.Context)
	case MsgReadIndexResp:
		b += fmt.Sprintf(", read %d at index %d", m.Context, m.Index)
	case MsgSnap:
		b += fmt.Sprintf(", up to %d of term %d", m.Index, m.LogTerm)
	}
	return b
}
