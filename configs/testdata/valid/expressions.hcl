# Locals may refer to each other in any order, and to variables.
locals {
  crashes = local.servers - 1
  names   = [for i in range(local.servers) : format("s%d", i + 1)]
}

locals {
  servers = length(split(",", var.members))
  all     = merge({ base = 1 }, var.extra)
}

variable "members" {
  default = "a,b,c"
}

variable "extra" {
  type = object({
    epochs = number
    grain  = optional(string, "baseline")
  })
  default = { epochs = 4 }
}

system "zab" {
  source = "./zab"
}

module "election" {
  grain = var.extra.grain
}

module "faults" {
  grain = var["members"] == "a" ? "crash" : null
}

bounds {
  servers  = local.servers
  crashes  = local.crashes
  epochs   = local.all["epochs"]
  requests = try(tonumber("none"), 5)
  quoted   = "6"
  unset    = null
  biggest  = max([1, 9, 4]...)
}

options {
  leader = upper(local.names[0])
  all    = join("+", reverse(local.names))
  length = length("größe")
  ok     = can(tonumber("x"))
  keys   = keys(local.all)
}
