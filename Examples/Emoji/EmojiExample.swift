import CollectionLayout
import CollectionUI
import ExampleSupport
import Hosting
import Views

/// A grid without items.
final class EmojiExample: Example {
  struct Settings: ExampleSettings {
    var hosting = HostingOptions()
    var theme = ExampleTheme.dark
  }

  static let name = "emoji"
  static let title = "Emoji"
  static let summary = "Shows a grid without items."
  static let options: [CommandOption<Settings>] = []

  let collectionView = CollectionView(layout: GridLayout(columns: .minimumWidth(96)))
  var root: View { collectionView }

  init(_ settings: Settings, host: Host) {}
}
