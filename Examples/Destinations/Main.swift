import ExampleSupport

@main
struct Main {
  static func main() { ExampleProgram<DestinationsExample>.main() }
}
