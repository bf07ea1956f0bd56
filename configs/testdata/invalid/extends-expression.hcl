variable "from" {
  default = "parts"
}

extends = "${var.from}/sysspec.hcl" # ERROR: MG010 only the quoted path
