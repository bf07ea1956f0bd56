system "zab" {
  source = "../zab"
}

module "election" { # ERROR: MG006 Module "election" needs the attribute "grain"
  target = true
}

implementation "etcd-raft" { # ERROR: MG006 "adapter"
  version = "v3.7.0"
}

variable "servers" {
  default = 3
  validation { # ERROR: MG006 "error_message"
    condition = var.servers > 0
  }
}
