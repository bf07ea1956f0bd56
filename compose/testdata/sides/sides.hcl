system "sides" {
  source = "./"
}

variable "network" {
  type = string
}

module "client" {
  grain  = "baseline"
  target = true
}

module "network" {
  grain = var.network
}
