# A replica that recovers takes answers to an earlier recovery. It takes two crashes. The protocol
# without this mistake has no violation before step 18: see ../vr-two-crashes.hcl.

extends = "../vr.hcl"

variable "any_nonce" {
  type    = bool
  default = true
}

variable "crashes" {
  type    = number
  default = 2
}

expect {
  verdict   = "violated"
  invariant = "Kept"
  depth     = 15
  distinct  = null
}
