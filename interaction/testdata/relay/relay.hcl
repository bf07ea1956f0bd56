# Clients and watchers are alike, servers are not.
variable "roles" {
  description = "roles of symmetry, or true for all"
  default     = ["client", "watcher"]
}

system "relay" {
  source = "."
}

module "service" {
  grain  = "baseline"
  target = true
}

check {
  symmetry = var.roles
}
