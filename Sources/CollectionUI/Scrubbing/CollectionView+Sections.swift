import CollectionLayout
import Views

extension CollectionView {
  /// The offset at which a section begins where content is seen first, its header with it; nothing for one that is not
  /// there.
  ///
  /// It may lie behind the last offset to which content can be scrolled.
  ///
  /// - Complexity: O(log s) for s sections.
  public final func contentOffset(ofSection section: Int) -> Double? {
    requireSolvedLayout()
    guard (0..<solution.itemCounts.numberOfSections).contains(section) else { return nil }
    let start = solution.start(ofSection: section)
    guard contentBeginsAtEnd else { return start - axisInsets.start }
    return contentLength - start - viewportLength + axisInsets.end
  }
}
