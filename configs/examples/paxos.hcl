# Paxos of one decision. The published count for three servers and two clients is 16,668 states.

system "paxos" {
  source = "./paxos"
}

variable "clients" {
  type    = number
  default = 2
}

variable "prepares" {
  type    = number
  default = 2
}

variable "accepts" {
  type    = number
  default = 2
}

variable "own_value" {
  type    = bool
  default = false
}

variable "accept_any" {
  type    = bool
  default = false
}

module "prepare" {
  grain  = "baseline"
  target = true
}

module "accept" {
  grain  = "baseline"
  target = true
}

module "clients" {
  grain = "baseline"
}

bounds {
  servers  = 3
  clients  = var.clients
  prepares = var.prepares
  accepts  = var.accepts
}

options {
  own_value  = var.own_value
  accept_any = var.accept_any
}

check {
  invariants = ["*"]
  deadlock   = false
}

expect {
  verdict  = "holds"
  distinct = 16668
}
