# Viewstamped Replication, every module at its baseline grain, with one crash. With two crashes the
# protocol has a fault: see vr-two-crashes.hcl.

system "vr" {
  source = "./vr"
}

variable "views" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 1
}

variable "crashes" {
  type    = number
  default = 1
}

variable "own_log" {
  type    = bool
  default = false
}

variable "any_nonce" {
  type    = bool
  default = false
}

module "normal" {
  grain  = "baseline"
  target = true
}

module "views" {
  grain  = "baseline"
  target = true
}

module "recovery" {
  grain  = "baseline"
  target = var.crashes > 0
}

module "faults" {
  grain = "crash"
}

bounds {
  replicas = 3
  views    = var.views
  requests = var.requests
  crashes  = var.crashes
}

options {
  own_log   = var.own_log
  any_nonce = var.any_nonce
}

check {
  invariants = ["*"]
  deadlock   = false
}

expect {
  verdict  = "holds"
  distinct = 19154
}
