system "zab" {
  source = "../zab"
}

locals {
  text = "three"
}

bounds {
  servers = mni(3, 4)            # ERROR: MG013 There is no function named "mni"
  crashes = local.text + 1       # ERROR: MG013 a number is required
  epochs  = lookup({ a = 1 }, "b") # ERROR: MG013 Missing value for "default"
  terms   = [1, 2][5]            # ERROR: MG013 does not identify an element
  queue   = 1 / 0                # ERROR: MG018 is +Inf. Give a whole number
}
