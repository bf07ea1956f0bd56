extends = "coarse.hcl"

module "worker" {
  grain = "baseline"
}
