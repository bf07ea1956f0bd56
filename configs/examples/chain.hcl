# Chain replication, every module at its baseline grain.

system "chain" {
  source = "./chain"
}

variable "servers" {
  type    = number
  default = 3
}

variable "puts" {
  type    = number
  default = 2
}

variable "gets" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 1
}

module "client" {
  grain  = "baseline"
  target = true
}

module "replication" {
  grain  = "baseline"
  target = true
}

module "master" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "stopping"
}

bounds {
  servers = var.servers
  puts    = var.puts
  gets    = var.gets
  crashes = var.crashes
}

check {
  invariants = ["*"]
}

expect {
  verdict  = "holds"
  distinct = 490342
}
