import CollectionUI
import ExampleSupport
import VitrineDiagnostics
import VitrineHosting

@main
struct Main {
  static func main() { ExampleProgram<LayoutsExample>.main() }
}

/// A million self-sizing cards in a layout of this package, which may be updated while the user scrolls.
final class LayoutsExample: Example {
  static let name = "layouts"
  static let title = "Layouts"
  static let summary =
    "Shows a million cards in a layout that is written outside of the library: masonry, circles around "
    + "circles, or a row of cards that scrolling ends at. Animated updates insert, remove and move them."
  static let options: [CommandOption<LayoutsSettings>] = LayoutsSettings.options

  private let list: CardList
  private let updater: PeriodicUpdater

  init(_ settings: LayoutsSettings, host: Host) {
    list = CardList(
      settings.layout, itemCount: settings.itemCount, size: settings.hosting.size ?? HostingOptions.defaultSize,
      theme: settings.theme)
    updater = PeriodicUpdater(list, interval: settings.updateInterval)
  }

  var rootView: View { list.view }
  var collectionView: CollectionView { list.view }

  func addParticipants(to window: Window, loop: CommitLoop) { window.addParticipant(updater) }
}

/// The settings of the example.
struct LayoutsSettings: ExampleSettings {
  var common = DiagnosticOptions()
  var theme = ExampleTheme.dark
  var layout = CardLayout.masonry
  /// The number of cards.
  var itemCount = 1_000_000
  /// The time between two updates, or nil if there are none.
  var updateInterval: FrameDuration?

  static let options: [CommandOption<LayoutsSettings>] = [
    CommandOption("--layout", "NAME", "masonry (default), circles or carousel") { (settings, text) throws(UsageError) in
      settings.layout = try OptionValue.choice(text, of: "--layout")
    },
    CommandOption("--items", "N", "show so many cards (default 1000000)") { (settings, text) throws(UsageError) in
      settings.itemCount = try OptionValue.integer(text, of: "--items", in: 0...10_000_000)
    },
    CommandOption("--updates", "MS", "insert, remove and move visible cards every so many milliseconds") {
      (settings, text) throws(UsageError) in
      settings.updateInterval = .milliseconds(
        Double(try OptionValue.integer(text, of: "--updates", in: 100...60_000)))
    },
  ]
}

/// A frame participant that updates a list at equal intervals.
final class PeriodicUpdater: FrameParticipant {
  private let list: CardList
  private let interval: FrameDuration?
  private(set) var nextFrame: FrameInstant?
  private var target = FrameInstant.zero

  init(_ list: CardList, interval: FrameDuration?) {
    self.list = list
    self.interval = interval
  }

  func update(at target: FrameInstant) {
    self.target = target
    if nextFrame == nil, let interval { nextFrame = target + interval }
  }

  func collect(_ budget: FrameBudget) {
    guard let interval, let next = nextFrame, next <= target else { return }
    nextFrame = target + interval
    list.updateVisibleCards()
  }
}
