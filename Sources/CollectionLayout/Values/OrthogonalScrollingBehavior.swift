/// How a section scrolls across its layout's axis, and where it comes to rest.
public enum OrthogonalScrollingBehavior: Hashable, Sendable {
  /// Not at all.
  case none
  /// Anywhere.
  case continuous
  /// Where a group begins.
  case continuousGroupLeadingBoundary
  /// By the length of what is seen of the section.
  case paging
  /// By groups.
  case groupPaging
  /// By groups, each in the middle.
  case groupPagingCentered
}
