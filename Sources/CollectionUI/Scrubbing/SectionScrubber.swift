public import ScrollPhysics
public import Views

/// Names a collection view's sections for its indicator, which is a scrubber then.
///
/// ```swift
/// scrubber = SectionScrubber(collectionView) { section in
///   ScrubberTitle(name: months[section].name, label: months[section].abbreviation, group: months[section].year)
/// }
/// collectionView.indicator.scrubberDataSource = scrubber
/// ```
///
/// The indicator does not keep it. Where sections or their places change the time line is made anew; where only what they
/// are called does, `ScrollIndicator.reloadScrubber()` does so.
public final class SectionScrubber: ScrubberDataSource {
  private weak var view: CollectionView?
  private let titles: (Int) -> ScrubberTitle

  /// Makes one.
  ///
  /// - Parameters:
  ///   - collectionView: whose sections.
  ///   - titles: what a section is called, by its number; asked only for those that are there.
  public init(_ collectionView: CollectionView, titles: @escaping (Int) -> ScrubberTitle) {
    view = collectionView
    self.titles = titles
  }

  /// How many sections there are.
  public var numberOfSegments: Int { view?.numberOfSections ?? 0 }

  /// Where a section begins.
  public func offset(ofSegment stretch: Int) -> Double { view?.contentOffset(ofSection: stretch) ?? 0 }

  /// What a section is called.
  public func title(ofSegment stretch: Int) -> ScrubberTitle { titles(stretch) }
}
