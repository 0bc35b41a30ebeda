import VitrineGeometry

/// An algorithm that matches the items of two frames in their order, and records whatever may look different as damage.
///
/// Let R be the region whose content moves by d, and M the part of R that moved pixels arrive in. A pair of items is
/// *still* if both paint the same pixels in the same way. It is *moved* if the new item is the old one moved by d, both
/// are visible only within R, and both show the same part of M. The pairs are in the same order in both frames.
///
/// Why the pixels outside the damage are right: a pixel is the result of painting the items that cover it, in order,
/// over the background colour.
///
/// - A pixel p of M gets the old pixel p - d. Unmatched items that cover p, or covered p - d, have made p damage. So
///   has a still item, unless it covers both and has one colour. A moved pair covers both or neither. So the same items
///   cover both pixels, in the same order, and paint the same there.
/// - A pixel of R outside M is damage.
/// - A pixel p outside R stays. Unmatched items that cover or covered p have made it damage, moved pairs are not
///   visible there, and still items cover it in both frames or in neither.
///
/// A copy that is not pixel for pixel looks the same only if it is clipped in neither frame, or in the same way in
/// both.
struct FrameMatcher {
  private let old: UnsafeBufferPointer<DrawnItem>
  private let new: UnsafeBufferPointer<DrawnItem>
  private let region: PixelRect
  private let move: PixelMove?
  private let damage: DamageList
  private let maximumDamage: Int
  /// The number of comparisons left before the match gives up.
  private var remainingComparisons = 16_384

  private static let maximumLookahead = 128
  /// The maximum lookahead if nothing moves: either few items come and go, or all items changed and none has a
  /// counterpart.
  private static let maximumLookaheadAtRest = 16

  /// Creates a matcher of two frames.
  ///
  /// - Parameters:
  ///   - old: The previous frame.
  ///   - new: The new frame.
  ///   - region: R. Unused if nothing moves.
  ///   - move: d and M, or nil if nothing moves.
  ///   - damage: The list that damage is added to.
  ///   - maximumDamage: The number of damaged pixels above which the match fails.
  init(
    from old: DrawnFrame, to new: DrawnFrame, region: PixelRect, move: PixelMove?, damage: DamageList,
    maximumDamage: Int
  ) {
    self.old = old.items
    self.new = new.items
    self.region = region
    self.move = move
    self.damage = damage
    self.maximumDamage = maximumDamage
  }

  /// Matches the frames.
  ///
  /// Returns false if redrawing everything is cheaper, in which case the damage is incomplete.
  /// - Complexity: O(items), and for each unmatched item O(items nearby).
  mutating func run() -> Bool {
    if let move { region.forEachRect(outside: move.target, damage.add) }
    var earlier = 0
    var later = 0
    while earlier < old.count, later < new.count {
      if !matchPair(old[earlier], new[later]) {
        guard let skipped = unmatchedCounts(earlier, later) else { return false }
        for index in earlier..<earlier + skipped.old { addDamage(leftBy: old[index]) }
        for index in later..<later + skipped.new { damage.add(new[index].visible) }
        guard damage.area <= maximumDamage else { return false }
        earlier += skipped.old
        later += skipped.new
        continue
      }
      earlier += 1
      later += 1
    }
    while earlier < old.count {
      addDamage(leftBy: old[earlier])
      earlier += 1
    }
    while later < new.count {
      damage.add(new[later].visible)
      later += 1
    }
    return damage.area <= maximumDamage
  }

  /// Returns the numbers of unmatched items before the next pair, or nil after too many comparisons.
  private mutating func unmatchedCounts(_ earlier: Int, _ later: Int) -> (old: Int, new: Int)? {
    // One texture replaces another, for example when another screen appears, or when an image replaces its preview.
    // Neither has a counterpart further on.
    if old[earlier].isReplaced(by: new[later], movedByX: move?.x ?? 0, y: move?.y ?? 0) { return (1, 1) }
    for distance in 1...(move == nil ? FrameMatcher.maximumLookaheadAtRest : FrameMatcher.maximumLookahead) {
      let hasOld = earlier + distance < old.count
      let hasNew = later + distance < new.count
      guard hasOld || hasNew else { break }
      remainingComparisons -= 2
      if hasOld, isPair(old[earlier + distance], new[later]) { return (distance, 0) }
      if hasNew, isPair(old[earlier], new[later + distance]) { return (0, distance) }
    }
    return remainingComparisons > 0 ? (1, 1) : nil
  }

  private func isPair(_ one: DrawnItem, _ other: DrawnItem) -> Bool {
    isMoved(one, other) || one.isSame(as: other)
  }

  private func isMoved(_ one: DrawnItem, _ other: DrawnItem) -> Bool {
    guard let move, other.command.destination.y == one.command.destination.y &+ move.y,
      other.command.destination.x == one.command.destination.x &+ move.x, one.looksLike(other),
      region.contains(one.visible), region.contains(other.visible),
      move.target.intersection(one.visible.offsetBy(x: move.x, y: move.y))
        .isSame(as: move.target.intersection(other.visible))
    else { return false }
    return !one.isStretched
      || (one.visible == one.command.destination && other.visible == other.command.destination)
  }

  /// Adds the damage of a pair of items.
  ///
  /// Returns false if the two are not a pair.
  private func matchPair(_ one: DrawnItem, _ other: DrawnItem) -> Bool {
    if isMoved(one, other) { return true }
    guard one.isSame(as: other) else { return false }
    guard let move else { return true }
    // The item stays while its surroundings move, so its pixels were moved with them.
    let rect = other.visible
    let moved = rect.offsetBy(x: move.x, y: move.y)
    if other.isUniform {
      rect.forEachRect(outside: moved) { damage.add($0.intersection(move.target)) }
      moved.forEachRect(outside: rect) { damage.add($0.intersection(move.target)) }
    } else {
      damage.add(rect.intersection(move.target))
      damage.add(moved.intersection(move.target))
    }
    return true
  }

  /// Adds as damage where a removed item was visible, and where its pixels were moved to.
  private func addDamage(leftBy item: DrawnItem) {
    guard let move else { return damage.add(item.visible) }
    item.visible.forEachRect(outside: region, damage.add)
    damage.add(item.visible.offsetBy(x: move.x, y: move.y).intersection(move.target))
  }
}

extension PixelRect {
  /// Whether both rectangles contain the same pixels.
  ///
  /// All empty rectangles do.
  fileprivate func isSame(as other: PixelRect) -> Bool { self == other || (isEmpty && other.isEmpty) }
}

// MARK: - Displacement

/// The translation of most of a frame's content, found from a few large textures that occur once in both frames.
struct Displacement: Hashable {
  /// The distance to the right in pixels.
  var x: Int32
  /// The distance down in pixels.
  var y: Int32
  /// The clip rectangle of the moved content.
  var region: PixelRect

  private static let sampleCount = 6

  /// Finds the displacement, or returns nil if no texture shows one.
  ///
  /// A wrong displacement only costs drawing, because everything that does not match it is damage.
  /// - Complexity: O(items of both frames).
  init?(from old: UnsafeBufferPointer<DrawnItem>, to new: UnsafeBufferPointer<DrawnItem>) {
    let found = withUnsafeTemporaryAllocation(of: Vote.self, capacity: Displacement.sampleCount) { votes in
      var count = 0
      for sample in 0..<Displacement.sampleCount {
        let range = new.count * sample / Displacement.sampleCount..<new.count * (sample + 1) / Displacement.sampleCount
        guard let item = Displacement.largestTextureItem(in: range, of: new),
          let former = Displacement.uniqueItem(like: item, in: old)
        else { continue }
        let displacement = Displacement(
          x: item.command.destination.x &- former.command.destination.x,
          y: item.command.destination.y &- former.command.destination.y, region: item.clip)
        if let index = (0..<count).first(where: { votes[$0].displacement == displacement }) {
          votes[index].area += item.visible.area
        } else {
          votes.initializeElement(at: count, to: Vote(displacement: displacement, area: item.visible.area))
          count += 1
        }
      }
      var best: Vote?
      for vote in votes.prefix(count) where vote.area > best?.area ?? 0 { best = vote }
      return best?.displacement
    }
    guard let found else { return nil }
    self = found
  }

  private init(x: Int32, y: Int32, region: PixelRect) {
    self.x = x
    self.y = y
    self.region = region
  }

  private struct Vote: BitwiseCopyable {
    var displacement: Displacement
    var area: Int
  }

  private static func largestTextureItem(
    in range: Range<Int>, of items: UnsafeBufferPointer<DrawnItem>
  ) -> DrawnItem? {
    var largest: DrawnItem?
    var area = 0
    for index in range where items[index].command.kind == .texture && items[index].visible.area > area {
      largest = items[index]
      area = items[index].visible.area
    }
    return largest
  }

  private static func uniqueItem(
    like item: DrawnItem, in items: UnsafeBufferPointer<DrawnItem>
  ) -> DrawnItem? {
    var only: DrawnItem?
    for index in 0..<items.count where items[index].looksLike(item) {
      guard only == nil else { return nil }
      only = items[index]
    }
    return only
  }
}
