system "zab" {
  source = "../zab"
}

locals {
  first  = local.second + 1 # ERROR: MG015 local.first -> local.second -> local.third -> local.first
  second = local.third
  third  = local.first
  alone  = local.alone # ERROR: MG015 local.alone -> local.alone
  user   = local.second
}

bounds {
  servers = local.first
}
