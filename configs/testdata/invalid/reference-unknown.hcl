system "zab" {
  source = "../zab"
}

variable "servers" {
  default = 3
}

locals {
  crashes = var.server # ERROR: MG014 Did you mean "servers"?
}

bounds {
  servers    = servers       # ERROR: MG014 Did you mean var.servers?
  crashes    = local.crashes
  epochs     = local.epoch   # ERROR: MG014 The only one is "crashes".
  partitions = vars.servers  # ERROR: MG014 Did you mean "var"?
  terms      = keys(var)     # ERROR: MG014 must be followed by a dot
}

module "election" {
  grain = coarse # ERROR: MG014 write it in quotes: "coarse"
}
