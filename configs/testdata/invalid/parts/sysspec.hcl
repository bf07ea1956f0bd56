system "zab" {
  source = "../../zab"
}

variable "crashes" {
  default = 1
}

locals {
  retries = 2
}

module "election" {
  grain = "baseline"
  taget = true # ERROR: MG005 Did you mean "target"?
}
