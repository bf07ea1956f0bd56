# As configs/raft/etcd-reported.hcl, with a mutant of the library that package mutants makes. "" is none.

extends = "../../../configs/raft/etcd-reported.hcl"

variable "mutant" {
  type    = string
  default = ""
}

implementation "etcd-raft" {
  settings {
    mutant = var.mutant
  }
}
