import CollectionUI
import Glibc
import Testing
import VitrineDiagnostics
import VitrineHosting
import VitrineTestSupport

@testable import ExampleSupport

@Suite("The program of an example")
struct ExampleProgramTests {
  /// A record of the events of a run.
  final class RunLog {
    var settings: EmptyExample.Settings?
    var hasParticipants = false
    var isShutDown = false
    var frameCount = 0
  }

  /// An example with an empty collection view.
  final class EmptyExample: Example, FrameParticipant {
    struct Settings: ExampleSettings {
      var common = DiagnosticOptions()
      var theme = ExampleTheme.dark
      var count = 1
      var log: RunLog?

      mutating func validate() throws(UsageError) {
        guard count != 7 else { throw UsageError("--count 7: no seven") }
      }
    }

    static let name = "empty"
    static let title = "Empty"
    static let summary = "Shows nothing."
    static let options = [
      CommandOption<Settings>("--count", "N", "how many") { (settings, text) throws(UsageError) in
        settings.count = try OptionValue.integer(text, of: "--count", in: 0...99)
      }
    ]

    let collectionView = CollectionView(layout: GridLayout(columns: .count(2)))
    var rootView: View { collectionView }
    private let log: RunLog?

    init(_ settings: Settings, host: Host) {
      log = settings.log
      log?.settings = settings
    }

    func addParticipants(to window: Window, loop: CommitLoop) {
      log?.hasParticipants = true
      #expect(window.firstResponder === collectionView)
      window.addParticipant(self)
    }

    func frameDidEnd(_ record: FrameRecord) { log?.frameCount += 1 }
    func shutdown() { log?.isShutDown = true }
  }

  private func run(_ arguments: String...) -> Int32 {
    ExampleProgram<EmptyExample>(launch: MonotonicClock.now()).run(arguments.map { Array($0.utf8) })
  }

  @Test("An invalid command line exits with status 2")
  func invalidCommandLines() {
    #expect(run("--nonsense") == 2)
    #expect(run("--count", "100") == 2)
    #expect(run("--count", "7") == 2)
    #expect(run("folder") == 2)
    #expect(run("--theme", "mauve") == 2)
    #expect(run("--headless", "--clock", "vsync") == 2)
    #expect(run("--report", "/absent/report") == 2)
  }

  @Test("A run adds participants, applies the options, draws its frames, and shuts down")
  func runOnHost() throws {
    var settings = EmptyExample.Settings()
    let log = RunLog()
    settings.log = log
    settings.hosting.isHeadless = true
    settings.hosting.clock = .virtual
    settings.hosting.frames = 5
    settings.common.isCellPrefetchingEnabled = false
    settings.common.cellCost = 3
    settings.hosting.reducesMotion = true
    let diagnostics = RunDiagnostics(settings.common)
    let host = try Host(options: settings.hosting, title: EmptyExample.title, observer: diagnostics)
    defer { host.close() }
    let example = EmptyExample(settings, host: host)
    #expect(try example.run(on: host, diagnostics, theme: .light) == 0)
    #expect(log.hasParticipants && log.frameCount == 5 && log.settings?.count == 1)
    let view = example.collectionView
    let switches = DemonstrationSwitches(view)
    #expect(!switches.isCellPrefetchingEnabled && view.reducesMotion && switches.addedCellCost == .milliseconds(3))
    #expect(view.scrollIndicator.color == ExampleTheme.light.indicator)
  }

  @Test("Text colors have sufficient contrast on every background", arguments: [ExampleTheme.dark, .light])
  func contrast(theme: ExampleTheme) {
    func luminance(_ color: Color) -> Double {
      func linear(_ channel: UInt8) -> Double { pow(Double(channel) / 255, 2.2) }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    func contrast(_ first: Color, _ second: Color) -> Double {
      (max(luminance(first), luminance(second)) + 0.05) / (min(luminance(first), luminance(second)) + 0.05)
    }
    for background in [theme.background, theme.surface, theme.bar] {
      #expect(contrast(theme.primaryText, background) > 7)
      #expect(contrast(theme.secondaryText, background) > 4.5)
      #expect(contrast(theme.warning, background) > 4.5)
    }
  }
}

@Suite("The values of --theme")
struct ThemeChoiceTests {
  @Test("dark and light are fixed, and auto follows the desktop")
  func choices() {
    let options = HostingOptions()
    #expect(ThemeChoice.dark.theme(for: options) == .dark && ThemeChoice.light.theme(for: options) == .light)
    #expect(ThemeChoice.auto.theme(for: options) == (ColorScheme.ofDesktop == .light ? .light : .dark))
  }

  @Test("auto is dark in headless and simulated runs")
  func reproducibleRuns() {
    var headless = HostingOptions()
    headless.isHeadless = true
    var simulated = HostingOptions()
    simulated.clock = .virtual
    for options in [headless, simulated] { #expect(ThemeChoice.auto.theme(for: options) == .dark) }
  }
}
