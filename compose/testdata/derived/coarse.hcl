system "derived" {
  source = "./"
}

variable "worker" {
  type    = string
  default = "coarse"
}

variable "unchanged" {
  type    = list(string)
  default = []
}

variable "step" {
  type    = number
  default = null
}

variable "order" {
  type    = string
  default = null
}

module "client" {
  grain  = "baseline"
  target = true
}

module "worker" {
  grain = var.worker
}

bounds {
  jobs = 4
  step = var.step
}

options {
  order = var.order
}

interaction {
  unchanged = var.unchanged
}
