system "zab" {
  source = "../zab"
}

variable "servers" {
  type    = number
  default = 3

  validation {
    condition     = var.servers > 2
    error_message = "Two servers have no interesting quorum."
  }
}

module "election" {
  grain = "coarse"
}

module "discovery" {
  grain = "baseline"
}

module "synchronization" {
  grain  = "fine-concurrent"
  target = true
}

bounds {
  servers = var.servers
  crashes = 2
  epochs  = 3
}

check {
  except = ["I-14.npe"]
  stop   = "first"
}

interaction {
  level = "L1"
  bounds {
    crashes = 1
    epochs  = 2
  }
}

expect {
  verdict = "holds"
}
