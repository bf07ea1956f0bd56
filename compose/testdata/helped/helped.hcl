system "helped" {
  source = "github.com/multigrain/multigrain/compose/testdata/helped"
}

module "crossing" {
  grain = "baseline"
}

check {
  invariants = ["*"]
}
