package configs

// driver decodes how the process of a driver is started, and what it needs.
func (d *decoder) driver(b *block, impl *Implementation) {
	impl.Driver, impl.Requires = d.texts(b, "driver"), d.texts(b, "requires")
	impl.Dir = impl.Driver.Dir()
	if b.attrs["adapter"] != nil {
		d.report(WithContext(Errorf(CodeBadValue, "Adapter and driver", b.attrs["driver"].Range(),
			"%s has both an adapter, a Go package, and a driver, a process. Exactly one of them connects the implementation: remove the other.", sentence(b.String())), b.header))
	}
	if impl.Driver.IsSet() && len(impl.Driver.Value) == 0 {
		d.report(impl.Driver.Errorf(CodeBadValue, "Command without a program",
			"The attribute driver is a list of a program and its arguments, such as [\"python3\", \"driver.py\"]."))
	}
	if b.attrs["classes"] == nil {
		impl.DriverBuild = d.texts(b, "build")
		if impl.DriverBuild.IsSet() && len(impl.DriverBuild.Value) == 0 {
			d.report(impl.DriverBuild.Errorf(CodeBadValue, "Command without a program",
				"The attribute build is a list of a program and its arguments, such as [\"cargo\", \"build\"]."))
		}
	}
}
