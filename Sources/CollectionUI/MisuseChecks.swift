import struct FoundationEssentials.IndexPath
import VitrineGeometry
import VitrineViews

/// Finds mistakes that no single call shows: reloads in every frame, and items without a size.
///
/// The view reports what it finds to ``MisuseLog``.
struct MisuseChecks {
  /// The number of consecutive frames with a reload that are reported.
  static let reportedReloads = 120
  /// The number of visible items that are reported.
  static let reportedItems = 10_000

  private var reloads = 0
  private var streak = 0
  private var lastFrame = Int.min

  /// Records a frame in which items were provided with cells.
  ///
  /// - Parameters:
  ///   - frame: The number of the frame.
  ///   - reloads: The number of reloads of all items so far.
  /// - Returns: A sentence if all items were reloaded in many consecutive frames, otherwise nil.
  mutating func recordReloads(inFrame frame: Int, _ reloads: Int) -> String? {
    let isNext = frame == lastFrame &+ 1
    lastFrame = frame
    streak = reloads == self.reloads ? 0 : isNext ? streak + 1 : 1
    self.reloads = reloads
    guard streak == MisuseChecks.reportedReloads else { return nil }
    return """
      All items were reloaded in each of the last \(streak) frames. A reload in a callback of the view, such as \
      willDisplay or a cell's handler, causes the next one: reload when the data changes, and use reconfigureItems for \
      changes of single items.
      """
  }

  /// Returns a sentence if so many items are visible that they cannot have a useful size, otherwise nil.
  func sentence(forVisibleItems count: Int, size: Size) -> String? {
    guard count >= MisuseChecks.reportedItems else { return nil }
    return """
      \(count) items are visible at the same time, and each has a cell. The first one is \(size.width) by \
      \(size.height) points: give items a size in the layout.
      """
  }
}

extension CollectionView {
  /// Reports that a method was called with an index path without an item.
  final func reportMissingItem(_ path: IndexPath, _ method: String) {
    guard let window else { return }
    let counts = solution.itemCounts
    let present =
      (0..<counts.numberOfSections).contains(path.section)
      ? "section \(path.section) has \(counts.items(inSection: path.section).count) items"
      : "there are \(counts.numberOfSections) sections"
    window.misuse.report(
      """
      \(method) was called for item \(path.item) of section \(path.section), and \(present). Call it after the update \
      that inserts the item, or find the item with indexPath(for:) of the data source.
      """)
  }

  /// Reports that the data source was deallocated while its items are displayed.
  final func reportReleasedSource() {
    window?.misuse.report(
      """
      The data source of a collection view was deallocated while its items were displayed, so that the view is empty. \
      The view does not retain it: keep it in a property.
      """)
  }

  /// Reports mistakes that a frame shows.
  final func reportMisuse(inFrame frame: Int) {
    if let sentence = misuseChecks.recordReloads(inFrame: frame, updateStatistics.reloadedAll) {
      window?.misuse.report(sentence)
    }
    let count = visibleRange.count
    guard count >= MisuseChecks.reportedItems else { return }
    let size = solution.frame(ofItem: visibleRange.lowerBound).size
    if let sentence = misuseChecks.sentence(forVisibleItems: count, size: size) { window?.misuse.report(sentence) }
  }
}
