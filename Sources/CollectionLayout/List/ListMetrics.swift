internal import Geometry

/// The measures of a kind of list, in points: all on a grid of four.
struct ListMetrics: Hashable, Sendable {
  let rowHeight: Double
  let headerHeight: Double
  let footerHeight: Double
  /// Above a header.
  let headerTopPadding: Double
  /// At the sides of sections.
  let sideMargin: Double
  /// Above the rows of a section without a header, and below those of one without a footer.
  let sectionMargin: Double
  let showsSeparators: Bool
  /// Between a row's side and its lines.
  let separatorInset: Double
  /// Whether headers stay at the top while their section is seen.
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

  /// The margin at the sides in a container: half of it where the container is narrow.
  func sideMargin(in container: Size) -> Double { container.width < 320 ? sideMargin / 2 : sideMargin }
}
