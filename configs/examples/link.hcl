# A connection between two nodes, as the transport of PySyncObj makes it. The driver has two of the library's transports on
# the loopback interface. Get a version with the first command:
#
#     multigrain conform -setup configs/examples/link.hcl -var version=0.3.10
#     multigrain conform configs/examples/link.hcl -var version=0.3.10
#
# See ../../docs/results/pysyncobj.md.

system "link" {
  source = "./link"
}

variable "version" {
  type    = string
  default = "0.3.17"
}

variable "messages" {
  type    = number
  default = 2
}

variable "invariants" {
  type    = list(string)
  default = ["ConnectedHasSocket", "Exception"]
}

module "making" {
  grain  = "baseline"
  target = true
}

module "using" {
  grain  = "baseline"
  target = true
}

options {
  release = var.version
}

bounds {
  messages = var.messages
}

check {
  invariants = var.invariants
}

implementation "pysyncobj" {
  driver   = ["python3", "../../raft/drivers/pysyncobj/link.py"]
  requires = ["python3", "pysyncobj=={version}"]
  version  = var.version
  packages = ["pysyncobj"]

  bounds {
    messages = 40
  }
}

simulate {
  number = 300
  depth  = 40
}

expect {
  verdict = var.version == "0.3.10" ? "violated" : "holds"
}
