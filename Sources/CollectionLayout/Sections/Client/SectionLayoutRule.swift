internal import Synchronization

/// A rule for the answers of a ``SectionLayout``.
public enum SectionLayoutRule: Int, Hashable, Sendable, CaseIterable {
  /// The content length is finite and not negative.
  case contentLength
  /// The numbers of a frame are finite, and its width and height are not negative.
  case frame
  /// A frame is inside the section.
  case bounds
  /// Items in a rectangle exist.
  case existence
  /// Items in a rectangle are returned once.
  case uniqueness
  /// A rectangle contains a limited number of items.
  case count
  /// A frame does not change between two calls.
  case stability
  /// The focus moves to an item that exists.
  case focus
  /// The offset at which scrolling ends is finite.
  case targetContentOffset
  /// The attributes of an item that appears or disappears are finite, and its width and height are not negative.
  case transition

  /// The sentence for an item whose answer violates the rule.
  func sentence(item: Int) -> String {
    switch self {
    case .contentLength:
      "A section layout has a content length that is not finite, is negative or is longer than 2^44 pixels. Return a"
        + " finite number of points that is not negative from contentLength."
    case .frame:
      "The frame of item \(item) of a section layout has a number that is not finite, or a negative width or height."
        + " Return finite frames from frame(ofItem:)."
    case .bounds:
      "The frame of item \(item) of a section layout is outside of the section, and was clipped. Return frames within"
        + " contentLength along the flow axis and within the breadth of the environment across it."
    case .existence:
      "A section layout returned item \(item) from items(in:), which does not exist. Return indexes from 0 to the number"
        + " of items."
    case .uniqueness:
      "A section layout returned item \(item) more than once from items(in:). Return each item once."
    case .count:
      "A section layout returned more items from items(in:) than a rectangle can contain; item \(item) and those after"
        + " it were ignored. Return at most \(ClientLimits.itemsPerScreen) items for each visible length of the"
        + " rectangle."
    case .stability:
      "The frame of item \(item) of a section layout changed between two calls. Change frames only in prepare, update,"
        + " resize and setPreferredSize."
    case .focus:
      "A section layout moves the focus to item \(item), which does not exist. Return an existing item or nil from"
        + " item(from:_:)."
    case .targetContentOffset:
      "A section layout ends scrolling at an offset that is not finite. Return a finite number of points from"
        + " targetContentOffset(forProposedContentOffset:withScrollingVelocity:)."
    case .transition:
      "Item \(item) of a section layout appears or disappears with a number that is not finite, or a negative width or"
        + " height. Return finite attributes or nil from initialLayoutAttributesForAppearingItem(at:) and"
        + " finalLayoutAttributesForDisappearingItem(at:)."
    }
  }
}

/// The limits for answers of a client's layout.
enum ClientLimits {
  /// The maximum number of items that are visited for one visible length.
  static let itemsPerScreen = 10_000
  /// The maximum length of a section in pixels.
  static let length = 1 << 44
}

/// A violation of a rule by a section layout.
public struct SectionLayoutViolation: Hashable, Sendable, CustomStringConvertible {
  /// The violated rule.
  public let rule: SectionLayoutRule
  /// The sentence that names the rule and the correction.
  public let description: String
}

/// The violations of a composition's section layouts, which are recorded by queries and drained by the view.
///
/// Queries do not change a solved layout. Therefore copies of a layout share a log.
final class ViolationLog: Sendable {
  private struct Violations {
    var count = 0
    /// For each rule that was violated and not drained yet, the first item whose answer violated it.
    var firstItems: [SectionLayoutRule: Int] = [:]
    var drained: Set<SectionLayoutRule> = []

    mutating func record(_ rule: SectionLayoutRule, item: Int) {
      if !drained.contains(rule), firstItems[rule] == nil { firstItems[rule] = item }
    }
  }

  private let violations = Mutex(Violations())

  /// Records a violation.
  func record(_ rule: SectionLayoutRule, item: Int) {
    violations.withLock {
      $0.count += 1
      $0.record(rule, item: item)
    }
  }

  /// Returns the number of violations since the last call, and the first violation of each rule once.
  func drain() -> (count: Int, first: [SectionLayoutViolation]) {
    violations.withLock { violations in
      guard violations.count > 0 else { return (0, []) }
      var first: [SectionLayoutViolation] = []
      for rule in SectionLayoutRule.allCases {
        guard let item = violations.firstItems[rule] else { continue }
        violations.drained.insert(rule)
        first.append(SectionLayoutViolation(rule: rule, description: rule.sentence(item: item)))
      }
      defer { (violations.count, violations.firstItems) = (0, [:]) }
      return (violations.count, first)
    }
  }

  /// Moves the violations of another log into this one.
  func merge(_ other: ViolationLog) {
    guard other !== self else { return }
    let moved = other.violations.withLock { violations in
      defer { (violations.count, violations.firstItems) = (0, [:]) }
      return violations
    }
    guard moved.count > 0 else { return }
    violations.withLock { violations in
      violations.count += moved.count
      for (rule, item) in moved.firstItems { violations.record(rule, item: item) }
    }
  }
}
