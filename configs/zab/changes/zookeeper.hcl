# What multigrain change checks of a change of ZooKeeper 3.9.1. Modules that the change touches replace the grains that stand here; their
# bounds are those of mspec-3. What a change does differently is said by fix, as far as it is one of the known ones.

extends = "../mspec-3.hcl"

variable "version" {
  type    = string
  default = "3.9.1"
}

variable "fix" {
  type    = string
  default = "none"
}

options {
  variant = var.version == "master" ? "master" : "v${var.version}"
  fix     = var.fix
}

implementation "zookeeper" {
  version = var.version
  lines   = "zookeeper-${var.version}.tsv"
}

# Without a change it is mspec-3.
expect {
  verdict   = "violated"
  invariant = "I-10"
}
