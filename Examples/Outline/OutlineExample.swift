import CollectionUI
import ExampleSupport
import Hosting
import Views

/// Regions that expand and collapse to their destinations, below favourites that scroll across; all of them can be put in
/// another order, by hand and by keys.
final class OutlineExample: Example {
  static let name = "outline"
  static let title = "Outline"
  static let summary =
    "Regions that expand to their destinations, and favourites that scroll across. Drag anything to put it elsewhere; "
    + "arrows go from row to row, Right and Left expand and collapse, Alt and an arrow moves the row."
  static let options: [CommandOption<OutlineSettings>] = OutlineSettings.options

  private let list: OutlineList

  init(_ settings: OutlineSettings, host: Host) {
    list = OutlineList(Atlas(), theme: settings.theme, expandsAll: settings.expandsAll)
    list.turning.isReduced = settings.hosting.reducesMotion
  }

  var collectionView: CollectionView { list.view }
  var root: View { list.view }

  func join(_ window: Window, _ loop: CommitLoop) {
    window.addParticipant(list.pictures)
    window.addParticipant(list.turning)
  }
}
