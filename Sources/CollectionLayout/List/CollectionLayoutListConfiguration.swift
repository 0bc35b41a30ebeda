/// How a list looks: how high rows are, what stands between them, above and below.
///
/// Colours are the views' own: a layout knows none.
public struct CollectionLayoutListConfiguration: Sendable {
  /// The kind of list.
  public enum Appearance: Hashable, Sendable, CaseIterable {
    /// Rows from side to side, with headers that stay at the top while their section is seen.
    case plain
    /// Sections apart from each other, from side to side.
    case grouped
    /// Sections apart from each other and from the sides.
    case insetGrouped
    /// Low rows a little off the sides, without lines.
    case sidebar
    /// Low rows from side to side, without lines.
    case sidebarPlain
  }

  /// What is at the head of a section.
  public enum HeaderMode: Hashable, Sendable {
    /// Nothing.
    case none
    /// A supplementary view of the kind ``CollectionLayoutListConfiguration/headerKind``.
    case supplementary
    /// The section's first item: it has the header's height where rows have a fixed one, and no lines.
    case firstItemInSection
  }

  /// What is at the foot of a section.
  public enum FooterMode: Hashable, Sendable {
    /// Nothing.
    case none
    /// A supplementary view of the kind ``CollectionLayoutListConfiguration/footerKind``.
    case supplementary
  }

  /// Says which lines a row has, given the place of its item in the section and what holds for all rows.
  public typealias ItemSeparatorHandler =
    @Sendable (_ item: Int, _ configuration: ListSeparatorConfiguration) -> ListSeparatorConfiguration

  /// The kind of the decoration views that are lines at the bottom of rows; each belongs to its row's item.
  public static let separatorKind = "list.separator"
  /// The kind of the decoration views that are lines at the top of rows.
  public static let topSeparatorKind = "list.separator.top"
  /// The kind of a section's header.
  public static let headerKind = "list.header"
  /// The kind of a section's footer.
  public static let footerKind = "list.footer"

  /// The kind of list.
  public let appearance: Appearance
  /// Whether there are lines at all.
  public var showsSeparators: Bool
  /// Which lines rows have, unless ``itemSeparatorHandler`` says otherwise.
  public var separatorConfiguration: ListSeparatorConfiguration
  /// Says which lines a row has; asked for rows that are seen, and must answer the same for the same data.
  public var itemSeparatorHandler: ItemSeparatorHandler?
  /// What is at the head of a section.
  public var headerMode = HeaderMode.none
  /// What is at the foot of a section.
  public var footerMode = FooterMode.none
  /// Room to leave free above a header, in points; nothing leaves it to the appearance.
  ///
  /// It belongs to the header's own place. What is no number or negative counts as none.
  public var headerTopPadding: Double?
  /// How high a header is below that, in points; nothing leaves it to the appearance.
  ///
  /// What is no number or negative counts as nothing said.
  public var headerHeight: Double?
  /// How high a footer is, in points; nothing leaves it to the appearance.
  ///
  /// What is no number or negative counts as nothing said.
  public var footerHeight: Double?
  /// How high rows are; nothing leaves it to the appearance, which asks the cells.
  ///
  /// Heights that cells are not asked for are answered in closed form: ten million rows cost no more than ten.
  public var rowHeight: CollectionLayoutDimension?

  /// Makes a list of a kind, with the lines that it has.
  public init(appearance: Appearance) {
    self.appearance = appearance
    let metrics = ListMetrics(appearance)
    showsSeparators = metrics.showsSeparators
    let insets = DirectionalInsets(leading: metrics.separatorInset)
    separatorConfiguration = ListSeparatorConfiguration(topSeparatorInsets: insets, bottomSeparatorInsets: insets)
  }
}
