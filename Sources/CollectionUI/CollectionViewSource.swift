import CollectionEngine

/// What a collection view asks of its data source, by flat index: identifiers are the data source's own affair.
protocol CollectionViewSource: AnyObject {
  /// How many items each section has.
  var sectionCounts: [Int] { get }
  /// The cell that the provider gives for an item.
  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell
  /// What is wanted ahead has changed; called in every frame in which the content moved.
  ///
  /// - Parameters:
  ///   - plan: what changed in numbers of now; all that is wanted, where the items were numbered anew.
  ///   - wanted: all that is wanted or on screen now.
  func announce(_ plan: PrefetchPlanner.Plan, wanted: Range<Int>)
}
