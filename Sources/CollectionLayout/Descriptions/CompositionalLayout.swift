public import VitrineGeometry

/// A layout of sections along the scroll axis, each with its own rules.
public struct CompositionalLayout: CollectionLayout {
  /// Returns the layout of the section at an index.
  ///
  /// It is called again after something in the section changed, and must use the current data.
  public typealias SectionProvider =
    @Sendable (_ section: Int, _ environment: LayoutEnvironment) ->
    CollectionLayoutSection

  /// The properties that apply to all sections.
  public var configuration: Configuration
  /// The provider of the sections.
  let provider: SectionProvider

  /// Creates a layout whose sections are all laid out alike.
  public init(section: CollectionLayoutSection, configuration: Configuration = Configuration()) {
    self.init(configuration: configuration) { _, _ in section }
  }

  /// Creates a layout whose provider returns each section.
  public init(configuration: Configuration = Configuration(), sectionProvider: @escaping SectionProvider) {
    self.configuration = configuration
    provider = sectionProvider
  }

  /// Solves the layout.
  ///
  /// - Complexity: O(s) for s sections, independent of the number of items.
  public func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedComposition {
    SolvedComposition(self, in: environment, for: counts)
  }
}

extension CompositionalLayout {
  /// The properties of a layout that apply to all sections.
  public struct Configuration: Hashable, Sendable {
    /// The scroll axis, along which sections follow each other.
    ///
    /// Default: `.vertical`.
    public var scrollDirection: Axis
    /// The space between two sections, in points.
    ///
    /// Default: 0.
    ///
    /// - Precondition: The space is finite and not negative. This is checked when the layout is solved.
    public var interSectionSpacing: Double
    /// The headers, footers and other views at the edges of the whole content.
    public var boundarySupplementaryItems: [CollectionLayoutBoundarySupplementaryItem]
    /// The insets of the environment that apply to the sides of sections.
    ///
    /// Default: `.safeArea`.
    public var contentInsetsReference: ContentInsetsReference

    /// Creates a configuration.
    public init(
      scrollDirection: Axis = .vertical, interSectionSpacing: Double = 0,
      boundarySupplementaryItems: [CollectionLayoutBoundarySupplementaryItem] = [],
      contentInsetsReference: ContentInsetsReference = .safeArea
    ) {
      self.scrollDirection = scrollDirection
      self.interSectionSpacing = interSectionSpacing
      self.boundarySupplementaryItems = boundarySupplementaryItems
      self.contentInsetsReference = contentInsetsReference
    }
  }
}

/// The insets of the environment that apply to the sides of a section's content.
///
/// They apply only across the scroll axis; along it the content always starts after the environment's insets. A
/// ``LayoutEnvironment`` has one set of insets, which serves as safe area and as layout margins. In a collection view, it
/// is the part of its `contentInset` across the scroll axis: what bars at its sides cover.
public enum ContentInsetsReference: Hashable, Sendable {
  /// The reference of the layout; for a layout, ``safeArea``.
  case automatic
  /// No insets: the content spans the container.
  case none
  /// The safe area: ``LayoutEnvironment/contentInsets``.
  case safeArea
  /// The layout margins, which are also ``LayoutEnvironment/contentInsets``.
  case layoutMargins
  /// The center of the safe area with at most ``readableBreadth``, because long lines of text are hard to follow.
  case readableContent

  /// The maximum width of ``readableContent`` in points, about seventy letters at reading size.
  public static let readableBreadth = 672.0
}
