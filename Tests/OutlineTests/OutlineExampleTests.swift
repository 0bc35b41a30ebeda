import Hosting
import Testing

@testable import vitrine_outline

@Suite("The outline example")
struct OutlineExampleTests {
  @Test("Its name is that of its executable")
  func name() { #expect(OutlineExample.name == "outline") }
}
