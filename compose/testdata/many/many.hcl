system "many" {
  source = "."
}

variable "nodes" {
  type    = number
  default = 2
}

variable "guests" {
  type    = number
  default = 2
}

module "hands" {
  grain  = "baseline"
  target = true
}

module "party" {
  grain = "baseline"
}

bounds {
  nodes  = var.nodes
  guests = var.guests
}

check {
  invariants = ["*"]
  deadlock   = false
}
