# A log of a client of CCF (consistency_trace_validation), compared with what clients may see:
#
#     multigrain trace configs/raft/ccf-consistency-trace.hcl LOG...
#
# Views begin with 2 in CCF. The log is of one client, so entries of others and elections are not in
# it. It may have 255 messages, and sequence numbers up to 255; with more it is undecided.

extends = "ccf-consistency.hcl"

variable "history" {
  default = 255
}

variable "views" {
  default = 64
}

# Of those that hold, properties of the statuses and of the observations that follow from the IDs.
variable "invariants" {
  default = [
    "AllReceivedIsFirstSentInv", "UniqueTxsInv", "UniqueTxIdsInv", "UniqueTxRequestsInv", "UniqueSeqNumsCommittedInv",
    "CommittedOrInvalidInv", "CommittedOrInvalidStrongInv"
  ]
}

module "others" {
  grain = "bulk"
}

options {
  observations = "derived"
}

bounds {
  first  = 2
  log    = 255
  others = 255
}

trace {
  format = "ccf-consistency"

  let {
    tx   = event.tx + 1 # transactions are numbered from 0 in logs
    view = event.tx_id[0]
    seq  = event.tx_id[1]
    last = History[length(History) - 1]

    # How many entries the ledger has before the step.
    filled = event.action == "RoTxResponseAction" ? seq : seq - 1
  }

  event "RwTxRequestAction" {
    action = ["RwTxRequest"]
    check  = [last.Type == event.type && last.Tx == tx]
  }
  event "RwTxExecuteAction" {
    action = ["RwTxExecute"]
    where  = { Tx = tx, View = view }
    check  = [length(Branches[view - 1]) == seq]
  }
  event "RwTxResponseAction" {
    action = ["RwTxResponse"]
    where  = { Tx = tx }
    check  = [last.Type == event.type && last.View == view && last.SeqNum == seq]
  }
  event "StatusCommittedResponseAction" {
    action = ["StatusCommittedResponse"]
    where  = { View = view, SeqNum = seq }
    check  = [last.Type == event.type && last.Status == event.status]
  }
  event "StatusInvalidResponseAction" {
    action = ["StatusInvalidResponse"]
    where  = { View = view, SeqNum = seq }
    check  = [last.Type == event.type && last.Status == event.status]
  }
  event "RoTxRequestAction" {
    action = ["RoTxRequest"]
    check  = [last.Type == event.type && last.Tx == tx]
  }
  event "RoTxResponseAction" {
    action = ["RoTxResponse"]
    where  = { Tx = tx }
    check  = [last.Type == event.type && last.View == view && last.SeqNum == seq]
  }

  # Leaders are elected, and append entries of other clients and signatures.
  unlogged "TruncateLedger" {
    max    = 63
    events = ["RwTxExecuteAction", "RoTxResponseAction"]
    when   = length(Branches) < view
  }
  unlogged "AppendOtherTxns" {
    max    = 1
    events = ["RwTxExecuteAction", "RoTxResponseAction"]
    when   = length(Branches) >= view
    where  = { View = view, SeqNum = filled }
  }
}

expect {
  verdict = "unexplored" # it has no bounds that limit a search
}
