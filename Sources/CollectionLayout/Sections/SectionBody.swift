internal import Geometry

/// Where the items of one section are, in whole pixels from the corner of the room within the section's insets.
///
/// Items are counted within the section; everything is left to right: who reads to the left mirrors the answers. Items
/// follow each other along the flow: what begins later never ends before all of an earlier group has begun, so that the
/// items in a stretch lie between a first and a last one.
protocol SectionBody: Sendable {
  /// How many items there are.
  var itemCount: Int { get }

  /// How long all of them are along the flow, in pixels; 0 without items.
  var length: Int { get }

  /// How far they reach across the flow, in pixels; most often the room.
  var breadth: Int { get }

  /// The frame of an item.
  ///
  /// Asked of items that exist.
  func frame(ofItem item: Int) -> PixelFrame

  /// What lies over what: 0 but for items that a client placed otherwise.
  ///
  /// Asked of items that exist.
  func zIndex(ofItem item: Int) -> Int

  /// The smallest place of an item that shares a pixel with a rectangle.
  ///
  /// Edges of the rectangle are within ±2^60.
  func firstItem(in rect: PixelFrame) -> Int?

  /// The largest place of an item that shares a pixel with a rectangle.
  func lastItem(in rect: PixelFrame) -> Int?

  /// Where groups begin along the flow: the last start at or before a line, and the first one behind it.
  ///
  /// What orthogonal scrolling rests on. Nothing without items; the second nothing behind the last group.
  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)?

  /// Whether any item or group may have a view that belongs to it.
  ///
  /// Asked first, as most sections have none, and finding the items that are seen takes longer.
  var hasSupplementaries: Bool { get }

  /// The views that belong to items and groups, such as badges, of a range of items.
  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary])

  /// How far such a view may reach out of its item or group, in pixels.
  var supplementaryReach: Int { get }

  // MARK: What is not known at first

  /// Whether every place is final, as far as what is known now goes.
  var isSettled: Bool { get }

  /// Makes the places final of all items that begin or end within a stretch along the flow, as it is numbered when the
  /// call begins.
  ///
  /// - Returns: whether any item moved or the length changed.
  mutating func settle(_ stretch: Range<Int>) -> Bool

  /// Makes more places final, the first that are not, at about the cost of a number of items.
  ///
  /// - Returns: whether any item moved or the length changed.
  mutating func refine(atMost items: Int) -> Bool

  /// Whether an item's cell is asked for the size that it prefers.
  func asksForSize(ofItem item: Int) -> Bool

  /// Takes the size that a cell prefers, in pixels.
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> SizeVerdict

  /// Takes in which items came, went or changed; the section's rules may know other facts from now on.
  ///
  /// - Parameters:
  ///   - content: the section's rules now.
  ///   - room: the room, the same as before.
  /// - Returns: whether that could be done; where not, nothing is changed, and the section must be solved anew.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool

  /// How many items, rows or groups an update would look at.
  func cost(of edits: SectionEdits) -> Int
}

/// Sections whose places are known at once.
extension SectionBody {
  func zIndex(ofItem item: Int) -> Int { 0 }
  var isSettled: Bool { true }
  mutating func settle(_ stretch: Range<Int>) -> Bool { false }
  mutating func refine(atMost items: Int) -> Bool { false }
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> SizeVerdict { .unchanged }
  func asksForSize(ofItem item: Int) -> Bool { false }
  var hasSupplementaries: Bool { true }
  func appendSupplementaries(of items: Range<Int>, to list: inout [BodySupplementary]) {}
  var supplementaryReach: Int { 0 }
}
