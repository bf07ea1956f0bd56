# Messages without an order: with the coarse grain no greeting is in flight next to a job.
system "mail" {
  source = "../mail"
}

variable "grain" {
  type    = string
  default = "coarse"
}

variable "first" {
  type    = number
  default = 0
}

variable "drops" {
  type    = number
  default = 0
}

variable "copies" {
  type    = number
  default = 0
}

module "greeting" {
  grain = var.grain
}

module "work" {
  grain  = "baseline"
  target = true
}

module "network" {
  grain = "udp"
}

bounds {
  drops  = var.drops
  copies = var.copies
  first  = var.first
}

check {
  invariants = ["*"]
}
