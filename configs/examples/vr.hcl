# Viewstamped Replication with recovery, every module at its baseline grain.

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

variable "takes" {
  type    = string
  default = "latest"
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
  target = true
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
  takes     = var.takes
  any_nonce = var.any_nonce
}

check {
  invariants = ["*"]
  deadlock   = false
}

expect {
  verdict = "holds"
}
