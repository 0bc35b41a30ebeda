import ExampleSupport

@main
struct Main {
  static func main() { ExampleProgram<OutlineExample>.main() }
}
