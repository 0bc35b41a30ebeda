import Hosting
import Testing

@testable import ExampleSupport

@Suite("The colours by name")
struct ThemeChoiceTests {
  @Test("What is told holds, and auto is what the desktop is set to")
  func choices() {
    let options = HostingOptions()
    #expect(ThemeChoice.dark.theme(for: options) == .dark && ThemeChoice.light.theme(for: options) == .light)
    #expect(ThemeChoice.auto.theme(for: options) == (ColorScheme.ofDesktop == .light ? .light : .dark))
  }

  @Test("Where a run is to be the same on every machine auto is dark")
  func alike() {
    var headless = HostingOptions()
    headless.isHeadless = true
    var simulated = HostingOptions()
    simulated.clock = .virtual
    for options in [headless, simulated] { #expect(ThemeChoice.auto.theme(for: options) == .dark) }
  }
}
