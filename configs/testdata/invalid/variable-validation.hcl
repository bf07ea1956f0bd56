system "zab" {
  source = "../zab"
}

variable "servers" {
  type    = number
  default = 9 # ERROR: MG024 Variable "servers": An ensemble has one to seven servers.

  validation {
    condition     = var.servers <= 7
    error_message = "An ensemble has one to seven servers."
  }

  validation {
    condition     = var.servers # ERROR: MG016 bool required
    error_message = "Never said."
  }

  validation {
    condition     = null # ERROR: MG017 A condition must be true or false
    error_message = "Never said."
  }

  validation {
    condition     = var.server > 0 # ERROR: MG014 Did you mean "servers"?
    error_message = "Never said."
  }
}
