system "zab" {
  source = "../zab"
}

locals {
  crashes = 1
}

locals {
  crashes = 2 # ERROR: MG008 "crashes" is defined in an earlier locals block already
}
