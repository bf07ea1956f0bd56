---- MODULE TwoPhase ----
(* Two-phase commit, as in package configs/examples/twophase. The network keeps every message: each
   is a variable. *)
CONSTANT RM \* the resource managers

VARIABLES phase, decision, known, prepared, commits, aborts

vars == <<phase, decision, known, prepared, commits, aborts>>

Init ==
  /\ phase = [i \in RM |-> "working"]
  /\ decision = "undecided"
  /\ known = {}
  /\ prepared = {}
  /\ commits = FALSE
  /\ aborts = FALSE

Prepare(i) ==
  /\ phase[i] = "working"
  /\ phase' = [phase EXCEPT ![i] = "ready"]
  /\ prepared' = prepared \cup {i}
  /\ UNCHANGED <<decision, known, commits, aborts>>

Enter(i, p) ==
  /\ phase' = [phase EXCEPT ![i] = p]
  /\ UNCHANGED <<decision, known, prepared, commits, aborts>>

Refuse(i) == phase[i] = "working" /\ Enter(i, "aborted")

TakeCommit(i) == commits /\ Enter(i, "committed")

TakeAbort(i) == aborts /\ Enter(i, "aborted")

ReceivePrepared(i) ==
  /\ decision = "undecided"
  /\ i \in prepared
  /\ known' = known \cup {i}
  /\ UNCHANGED <<phase, decision, prepared, commits, aborts>>

Commit ==
  /\ decision = "undecided"
  /\ known = RM
  /\ decision' = "commit"
  /\ commits' = TRUE
  /\ UNCHANGED <<phase, known, prepared, aborts>>

Abort ==
  /\ decision = "undecided"
  /\ decision' = "abort"
  /\ aborts' = TRUE
  /\ UNCHANGED <<phase, known, prepared, commits>>

Next ==
  \/ Commit
  \/ Abort
  \/ \E i \in RM : Prepare(i) \/ Refuse(i) \/ TakeCommit(i) \/ TakeAbort(i) \/ ReceivePrepared(i)

Spec == Init /\ [][Next]_vars

Consistent == ~ \E i, j \in RM : phase[i] = "committed" /\ phase[j] = "aborted"
====
