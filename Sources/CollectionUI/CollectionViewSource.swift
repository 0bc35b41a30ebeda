import CollectionEngine

/// What a collection view asks of its data source, by flat index: identifiers are the data source's own affair.
protocol CollectionViewSource: AnyObject {
  var sectionCounts: [Int] { get }
  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell
  func prefetch(_ indices: [Int])
  func cancelPrefetching(_ indices: [Int])
}
