public import VitrineScrollPhysics
public import VitrineViews

/// A scrubber data source that provides a scroll indicator with the titles of a collection view's sections.
///
/// ```swift
/// scrubber = SectionScrubber(collectionView) { section in
///   ScrubberTitle(name: months[section].name, label: months[section].abbreviation, group: months[section].year)
/// }
/// collectionView.scrollIndicator.scrubberDataSource = scrubber
/// ```
///
/// The indicator does not retain its data source. It reloads the timeline when sections or their frames change. If only
/// titles change, call `ScrollIndicator.reloadScrubber()`.
@MainActor
public final class SectionScrubber: ScrubberDataSource {
  private weak var view: CollectionView?
  private let titles: (Int) -> ScrubberTitle

  /// Creates a data source for the sections of a collection view.
  ///
  /// - Parameters:
  ///   - collectionView: The collection view.
  ///   - titles: A closure that returns the title of a section by its index. It is called only for existing sections.
  public init(_ collectionView: CollectionView, titles: @escaping (Int) -> ScrubberTitle) {
    view = collectionView
    self.titles = titles
  }

  /// The number of sections.
  public var numberOfSegments: Int { view?.numberOfSections ?? 0 }

  /// Returns the content offset of a section.
  public func offset(ofSegment segment: Int) -> Double { view?.contentOffset(ofSection: segment) ?? 0 }

  /// Returns the title of a section.
  public func title(ofSegment segment: Int) -> ScrubberTitle { titles(segment) }
}
