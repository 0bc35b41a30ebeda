import ExampleSupport
import Hosting

/// What can be set of the outline.
struct OutlineSettings: ExampleSettings {
  var hosting = HostingOptions()
  var theme = ExampleTheme.dark
  /// Whether it begins with every region expanded.
  var expandsAll = false

  static let options: [CommandOption<OutlineSettings>] = [
    CommandOption(switch: "--expanded", "begin with every region expanded") { $0.expandsAll = true }
  ]
}
