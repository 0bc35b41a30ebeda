internal import VitrineGeometry

/// The appearance of a list: the height of rows, separators, headers and footers.
///
/// Colors are properties of the views, not of the layout.
public struct CollectionLayoutListConfiguration: Sendable {
  /// The style of a list.
  public enum Appearance: Hashable, Sendable, CaseIterable {
    /// Full-width rows, with headers that stay at the top while their section is visible.
    case plain
    /// Separated sections of full-width rows.
    case grouped
    /// Separated sections that are inset from the sides, each on a rounded card.
    case insetGrouped
    /// Low rows that are slightly inset from the sides, without separators.
    case sidebar
    /// Low full-width rows without separators.
    case sidebarPlain
  }

  /// The header of a section.
  public enum HeaderMode: Hashable, Sendable {
    /// No header.
    case none
    /// A supplementary view of the kind ``CollectionLayoutListConfiguration/headerKind``.
    case supplementary
    /// The section's first item, without separators and with the height of a header if rows have a fixed height.
    case firstItemInSection
  }

  /// The footer of a section.
  public enum FooterMode: Hashable, Sendable {
    /// No footer.
    case none
    /// A supplementary view of the kind ``CollectionLayoutListConfiguration/footerKind``.
    case supplementary
  }

  /// Returns the separators of a row, given the index of its item in the section and the configuration of all rows.
  public typealias ItemSeparatorHandler =
    @Sendable (_ item: Int, _ configuration: ListSeparatorConfiguration) -> ListSeparatorConfiguration

  /// The element kind of separators at the bottom of rows, which are decoration views of the row's item.
  public static let separatorKind = "list.separator"
  /// The element kind of separators at the top of rows.
  public static let topSeparatorKind = "list.separator.top"
  /// The element kind of section headers.
  public static let headerKind = "list.header"
  /// The element kind of section footers.
  public static let footerKind = "list.footer"

  /// The element kind of the rounded cards behind the rows of sections, which are decoration views.
  public static let backgroundKind = "list.background"
  /// The corner radius of the cards behind the rows of sections, in points.
  public static let backgroundCornerRadius = 10.0

  /// The style of the list.
  public let appearance: Appearance
  /// Whether the list has separators.
  public var showsSeparators: Bool
  /// Whether the rows of a section are on a rounded card, in the color of the collection view's palette.
  ///
  /// The card is a decoration view of the kind ``backgroundKind``, which a collection view has without a registration.
  /// Headers and footers are outside of it.
  ///
  /// Default: true for `.insetGrouped`.
  public var showsSectionBackgrounds: Bool
  /// The separators of rows for which ``itemSeparatorHandler`` does not return others.
  public var separatorConfiguration: ListSeparatorConfiguration
  /// A closure that returns the separators of visible rows.
  ///
  /// It must return the same result for the same data.
  public var itemSeparatorHandler: ItemSeparatorHandler?
  /// The header of a section.
  ///
  /// Default: `.none`.
  public var headerMode = HeaderMode.none
  /// The footer of a section.
  ///
  /// Default: `.none`.
  public var footerMode = FooterMode.none
  /// The space above a header in points, or nil for the default of the appearance.
  ///
  /// The space belongs to the header. NaN and negative numbers count as 0.
  public var headerTopPadding: Double?
  /// The height of a header below its padding in points, or nil for the default of the appearance.
  ///
  /// NaN and negative numbers count as nil.
  public var headerHeight: Double?
  /// The height of a footer in points, or nil for the default of the appearance.
  ///
  /// NaN and negative numbers count as nil.
  public var footerHeight: Double?
  /// The height of rows, or nil for self-sizing rows with the estimate of the appearance.
  ///
  /// Frames of rows with a fixed height are computed in closed form: ten million rows cost no more than ten.
  public var rowHeight: CollectionLayoutDimension?

  /// Creates a configuration with the default separators of an appearance.
  public init(appearance: Appearance) {
    self.appearance = appearance
    let metrics = ListMetrics(appearance)
    showsSeparators = metrics.showsSeparators
    showsSectionBackgrounds = appearance == .insetGrouped
    let insets = DirectionalEdgeInsets(leading: metrics.separatorInset)
    separatorConfiguration = ListSeparatorConfiguration(topSeparatorInsets: insets, bottomSeparatorInsets: insets)
  }
}

// MARK: - Sections and layouts

extension CollectionLayoutSection {
  /// Returns a section of rows.
  ///
  /// - Parameters:
  ///   - configuration: The appearance of the list.
  ///   - layoutEnvironment: The environment. In a narrow container, the margins at the sides are smaller.
  /// - Complexity: O(1).
  public static func list(
    using configuration: CollectionLayoutListConfiguration, layoutEnvironment: LayoutEnvironment
  ) -> CollectionLayoutSection {
    let metrics = ListMetrics(configuration.appearance)
    var section = CollectionLayoutSection(content: ListContent(configuration: configuration))
    let side = metrics.sideMargin(in: layoutEnvironment.containerSize)
    section.contentInsets = DirectionalEdgeInsets(
      top: configuration.headerMode == .supplementary ? 0 : metrics.sectionMargin, leading: side,
      bottom: configuration.footerMode == .supplementary ? 0 : metrics.sectionMargin, trailing: side)
    if let header = header(of: configuration) { section.boundarySupplementaryItems.append(header) }
    if let footer = footer(of: configuration) { section.boundarySupplementaryItems.append(footer) }
    if configuration.showsSectionBackgrounds {
      section.decorationItems = [.itemsBackground(elementKind: CollectionLayoutListConfiguration.backgroundKind)]
    }
    return section
  }

  private static func header(
    of configuration: CollectionLayoutListConfiguration
  ) -> CollectionLayoutBoundarySupplementaryItem? {
    guard configuration.headerMode == .supplementary else { return nil }
    let metrics = ListMetrics(configuration.appearance)
    let padding = validLength(configuration.headerTopPadding ?? metrics.headerTopPadding) ?? 0
    let height = padding + (validLength(configuration.headerHeight) ?? metrics.headerHeight)
    var header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(height)),
      elementKind: CollectionLayoutListConfiguration.headerKind, alignment: .top)
    header.contentInsets.top = padding
    header.pinToVisibleBounds = metrics.pinsHeaders
    return header
  }

  private static func footer(
    of configuration: CollectionLayoutListConfiguration
  ) -> CollectionLayoutBoundarySupplementaryItem? {
    guard configuration.footerMode == .supplementary else { return nil }
    let height = validLength(configuration.footerHeight) ?? ListMetrics(configuration.appearance).footerHeight
    return CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(height)),
      elementKind: CollectionLayoutListConfiguration.footerKind, alignment: .bottom)
  }

  /// Returns a valid length in points, or nil if the number is not finite or negative.
  private static func validLength(_ points: Double?) -> Double? {
    points.flatMap { $0.isFinite && $0 >= 0 ? min($0, LayoutEnvironment.maximumLength) : nil }
  }
}

extension CompositionalLayout {
  /// Returns a vertically scrolling list whose sections all have the same appearance.
  ///
  /// - Complexity: O(1). Solving it for s sections is O(s), independent of the number of rows.
  public static func list(using configuration: CollectionLayoutListConfiguration) -> CompositionalLayout {
    CompositionalLayout { _, environment in
      CollectionLayoutSection.list(using: configuration, layoutEnvironment: environment)
    }
  }
}

// MARK: - Separators

/// The separators between the rows of a list.
///
/// A separator is one pixel thick and lies inside its row, at the top or bottom.
public struct ListSeparatorConfiguration: Hashable, Sendable {
  /// The visibility of a separator.
  public enum Visibility: Hashable, Sendable {
    /// The visibility depends on the appearance of the list.
    case automatic
    /// The separator is visible.
    case visible
    /// The separator is hidden.
    case hidden
  }

  /// The visibility of the separator at the top of a row, which is hidden if the previous row has one at its bottom.
  public var topSeparatorVisibility: Visibility
  /// The visibility of the separator at the bottom of a row.
  public var bottomSeparatorVisibility: Visibility
  /// The insets of the top separator from the sides of the row, in points.
  ///
  /// The top and bottom insets are ignored.
  ///
  /// NaN and negative numbers count as 0. A separator without remaining length is hidden.
  public var topSeparatorInsets: DirectionalEdgeInsets
  /// The insets of the bottom separator from the sides of the row, in points, like ``topSeparatorInsets``.
  public var bottomSeparatorInsets: DirectionalEdgeInsets

  /// Creates a configuration.
  ///
  /// Default: automatic visibility and no insets.
  public init(
    topSeparatorVisibility: Visibility = .automatic, bottomSeparatorVisibility: Visibility = .automatic,
    topSeparatorInsets: DirectionalEdgeInsets = .zero, bottomSeparatorInsets: DirectionalEdgeInsets = .zero
  ) {
    self.topSeparatorVisibility = topSeparatorVisibility
    self.bottomSeparatorVisibility = bottomSeparatorVisibility
    self.topSeparatorInsets = topSeparatorInsets
    self.bottomSeparatorInsets = bottomSeparatorInsets
  }
}

// MARK: - Metrics

/// The dimensions of a list appearance in points, all multiples of four.
struct ListMetrics: Hashable, Sendable {
  let rowHeight: Double
  let headerHeight: Double
  let footerHeight: Double
  /// The space above a header.
  let headerTopPadding: Double
  /// The margin at the sides of sections.
  let sideMargin: Double
  /// The margin above the rows of a section without a header, and below those of a section without a footer.
  let sectionMargin: Double
  let showsSeparators: Bool
  /// The distance between the side of a row and its separators.
  let separatorInset: Double
  /// Whether headers stay at the top while their section is visible.
  let pinsHeaders: Bool

  init(_ appearance: CollectionLayoutListConfiguration.Appearance) {
    let isSidebar = appearance == .sidebar || appearance == .sidebarPlain
    let isGrouped = appearance == .grouped || appearance == .insetGrouped
    rowHeight = isSidebar ? 32 : 44
    headerHeight = isSidebar ? 32 : 28
    footerHeight = 28
    headerTopPadding = isGrouped ? 16 : 0
    sideMargin = appearance == .insetGrouped ? 16 : appearance == .sidebar ? 8 : 0
    sectionMargin = isGrouped ? 16 : appearance == .sidebar ? 8 : 0
    showsSeparators = !isSidebar
    separatorInset = isSidebar ? 8 : 16
    pinsHeaders = appearance == .plain || appearance == .sidebarPlain
  }

  /// Returns the margin at the sides in a container, which is halved in a narrow container.
  func sideMargin(in container: Size) -> Double { container.width < 320 ? sideMargin / 2 : sideMargin }
}
