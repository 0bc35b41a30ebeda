internal import DataStructures
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
  private static let none = -1
  private static let drained = -2

  private let count = Atomic(0)
  /// For each rule the first item whose answer violated it, `none` or `drained`.
  private let firstItems = InlineArray<8, Atomic<Int>> { _ in Atomic(ViolationLog.none) }

  /// Records a violation.
  func record(_ rule: SectionLayoutRule, item: Int) {
    count.add(1, ordering: .relaxed)
    _ = firstItems[rule.rawValue].compareExchange(
      expected: ViolationLog.none, desired: max(0, item), ordering: .relaxed)
  }

  /// Returns the number of violations since the last call, and the first violation of each rule once.
  func drain() -> (count: Int, first: [SectionLayoutViolation]) {
    guard count.load(ordering: .relaxed) > 0 else { return (0, []) }
    var first: [SectionLayoutViolation] = []
    for rule in SectionLayoutRule.allCases {
      let item = firstItems[rule.rawValue].load(ordering: .relaxed)
      guard item >= 0 else { continue }
      firstItems[rule.rawValue].store(ViolationLog.drained, ordering: .relaxed)
      first.append(SectionLayoutViolation(rule: rule, description: rule.sentence(item: item)))
    }
    return (count.exchange(0, ordering: .relaxed), first)
  }

  /// Moves the violations of another log into this one.
  func merge(_ other: ViolationLog) {
    guard other !== self else { return }
    let recorded = other.count.exchange(0, ordering: .relaxed)
    guard recorded > 0 else { return }
    count.add(recorded, ordering: .relaxed)
    for rule in SectionLayoutRule.allCases {
      let item = other.firstItems[rule.rawValue].load(ordering: .relaxed)
      guard item >= 0 else { continue }
      _ = firstItems[rule.rawValue].compareExchange(
        expected: ViolationLog.none, desired: item, ordering: .relaxed)
    }
  }
}
