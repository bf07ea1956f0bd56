extends = "mspec-3.hcl"

module "broadcast" {
  grain = "baseline"
}

bounds {
  crashes = 1
}

expect {
  verdict = "undecided"
}
