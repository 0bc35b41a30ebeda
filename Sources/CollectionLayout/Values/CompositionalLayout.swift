/// Sections below each other, or beside each other, each by its own rules.
public struct CompositionalLayout: CollectionLayout {
  /// Gives the rules of a section by its number in a room.
  ///
  /// Asked again when something of the section changed: what it knows of the data must be as new as the data.
  public typealias SectionProvider =
    @Sendable (_ section: Int, _ environment: LayoutEnvironment) ->
    CollectionLayoutSection

  /// What holds for all sections.
  public var configuration: Configuration
  /// The rules of each section.
  let provider: SectionProvider

  /// Makes a layout in which all sections have the same rules.
  public init(section: CollectionLayoutSection, configuration: Configuration = Configuration()) {
    self.init(configuration: configuration) { _, _ in section }
  }

  /// Makes a layout in which each section has rules of its own.
  public init(configuration: Configuration = Configuration(), sectionProvider: @escaping SectionProvider) {
    self.configuration = configuration
    provider = sectionProvider
  }

  /// Solves the layout.
  ///
  /// - Complexity: O(s) for s sections, whatever the number of items.
  public func solved(in environment: LayoutEnvironment, for counts: ItemCounts) -> SolvedComposition {
    SolvedComposition(self, in: environment, for: counts)
  }
}
