system "zab" {
  source = "../zab"
}

variable "servers" {
  type    = numbr # ERROR: MG020 is not a valid type specification
  default = 3
}

variable "crashes" {
  type    = number
  default = "two" # ERROR: MG016 Variable "crashes" is declared as number
}

variable "sizes" {
  type    = list(number)
  default = [1, "x"] # ERROR: MG016 at [1], a number is required
}

variable "double" {
  default = var.servers * 2 # ERROR: MG014 The default of a variable is a value of its own
}

variable "text" {
  default     = 1
  description = "About ${var.servers}" # ERROR: MG014 is plain text
}

variable "needed" { # ERROR: MG023 Give it a value with -var needed=...
  type = string
}

variable "odd" { # ERROR: MG023 has no default
  dfault = 1 # ERROR: MG005 Did you mean "default"?
}

variable "bad" {
  default = nosuch() # ERROR: MG013 There is no function named "nosuch"
}
