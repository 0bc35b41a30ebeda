import Geometry

/// Matches what two frames show, item by item in their order, and notes as damage whatever may look different.
///
/// Let R be the region whose content moves by d, and M the part of R where a moved pixel arrives. A pair of items is
/// *still* where both paint the same pixels in the same way, and *moved* where the later one is the earlier one moved
/// by d, both show within R only, and both show the same of M. Pairs are found in an order that both frames keep.
///
/// Why pixels outside the damage are right: a pixel is what the background's colour becomes by the items that cover it,
/// one after the other. Take a pixel p of M: it gets the pixel p - d of the earlier frame. Items without a partner that
/// cover p, or covered p - d, have made p damage; a still item has, unless it covers both and is of one colour; a moved
/// pair covers both or neither. So the same items cover both, in the same order, and paint the same there. A pixel of R
/// outside M is damage. A pixel p outside R stays: items without a partner that cover or covered p have made it damage,
/// moved pairs do not show there, and still ones cover it in both frames or in neither.
///
/// A copy that is not pixel for pixel looks as it did only where it is not cut, or cut alike.
struct FrameMatcher {
  private let old: UnsafeBufferPointer<DrawnItem>
  private let new: UnsafeBufferPointer<DrawnItem>
  private let region: PixelRect
  private let move: PixelMove?
  private let damage: DamageList
  private let mostDamage: Int
  /// How many more comparisons are worth it.
  private var remainingComparisons = 16_384

  private static let maximumLookahead = 128
  /// The same where nothing moves: what comes or goes is little, or all is other than it was and none has a partner.
  private static let maximumLookaheadAtRest = 16

  /// Prepares to match two frames.
  ///
  /// - Parameters:
  ///   - region: R; of no account where nothing moves.
  ///   - move: d and M, or nothing where nothing moves.
  ///   - mostDamage: how many pixels of damage make it worth while no more.
  init(
    from old: DrawnFrame, to new: DrawnFrame, region: PixelRect, move: PixelMove?, damage: DamageList, mostDamage: Int
  ) {
    self.old = old.items
    self.new = new.items
    self.region = region
    self.move = move
    self.damage = damage
    self.mostDamage = mostDamage
  }

  /// Matches, and says whether it was worth while: the damage is whole then.
  /// - Complexity: O(items), and for every item without a partner O(items nearby).
  mutating func run() -> Bool {
    if let move { region.forEachRect(outside: move.target, damage.add) }
    var earlier = 0
    var later = 0
    while earlier < old.count, later < new.count {
      if !matchPair(old[earlier], new[later]) {
        guard let skipped = unmatchedCounts(earlier, later) else { return false }
        for place in earlier..<earlier + skipped.old { addDamage(leftBy: old[place]) }
        for place in later..<later + skipped.new { damage.add(new[place].visible) }
        guard damage.area <= mostDamage else { return false }
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
    return damage.area <= mostDamage
  }

  /// How many items to leave without a partner before the next pair; nothing when patience is at its end.
  private mutating func unmatchedCounts(_ earlier: Int, _ later: Int) -> (old: Int, new: Int)? {
    // A picture takes the place of another one, as where another screen is shown at once, or a preview is followed by its
    // picture: neither is looked for among the rest.
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

  /// Notes what a pair leaves as damage; false where the two are no pair.
  private func matchPair(_ one: DrawnItem, _ other: DrawnItem) -> Bool {
    if isMoved(one, other) { return true }
    guard one.isSame(as: other) else { return false }
    guard let move else { return true }
    // It stays while what is around it moves: it was moved along with that.
    let place = other.visible
    let moved = place.offsetBy(x: move.x, y: move.y)
    if other.isUniform {
      place.forEachRect(outside: moved) { damage.add($0.intersection(move.target)) }
      moved.forEachRect(outside: place) { damage.add($0.intersection(move.target)) }
    } else {
      damage.add(place.intersection(move.target))
      damage.add(moved.intersection(move.target))
    }
    return true
  }

  /// Notes where an item shows that is gone: where it was, and where it was moved to.
  private func addDamage(leftBy item: DrawnItem) {
    guard let move else { return damage.add(item.visible) }
    item.visible.forEachRect(outside: region, damage.add)
    damage.add(item.visible.offsetBy(x: move.x, y: move.y).intersection(move.target))
  }
}

extension PixelRect {
  /// Whether both have the same pixels: empty ones do, wherever they are.
  fileprivate func isSame(as other: PixelRect) -> Bool { self == other || (isEmpty && other.isEmpty) }
}
