import CollectionUI
import ExampleSupport
import VitrineDiagnostics
import VitrineHosting

@main
struct Main {
  static func main() { ExampleProgram<OutlineExample>.main() }
}

/// An outline of regions and destinations below a row of favorites, which the user can reorder by dragging or with
/// keys.
final class OutlineExample: Example {
  static let name = "outline"
  static let title = "Outline"
  static let summary =
    "Regions that expand to their destinations, and favourites that scroll across. Drag anything to put it elsewhere; "
    + "arrows go from row to row, Right and Left expand and collapse, Alt and an arrow moves the row."
  static let options: [CommandOption<OutlineSettings>] = OutlineSettings.options

  private let list: OutlineList

  init(_ settings: OutlineSettings, host: Host) {
    list = OutlineList(DestinationStore(), theme: settings.theme, expandsAll: settings.expandsAll)
    list.disclosureAnimator.reducesMotion = settings.hosting.reducesMotion
  }

  var collectionView: CollectionView { list.view }
  var rootView: View { list.view }

  func addParticipants(to window: Window, loop: CommitLoop) {
    window.addParticipant(list.landscapes)
    window.addParticipant(list.disclosureAnimator)
  }
}

/// The settings of the outline example.
struct OutlineSettings: ExampleSettings {
  var common = DiagnosticOptions()
  var theme = ExampleTheme.dark
  /// Whether all regions are expanded at the start.
  var expandsAll = false

  static let options: [CommandOption<OutlineSettings>] = [
    CommandOption(switch: "--expanded", "begin with every region expanded") { $0.expandsAll = true }
  ]
}
