import DataStructures
import Geometry

/// A few rectangles that have to be drawn anew; they may overlap.
///
/// Each costs a pass over the frame's commands, so that near ones become one.
final class DamageList {
  /// The most rectangles.
  static let maximumRects = 8
  /// How many pixels more are drawn rather than another rectangle.
  private static let extraRectCost = 2_048

  private let buffer = TrivialBuffer<PixelRect>(capacity: maximumRects + 1)

  /// The rectangles, until the list is next changed.
  var rects: UnsafeBufferPointer<PixelRect> { UnsafeBufferPointer(buffer.elements) }

  /// The pixels of all rectangles, those of two counted twice.
  var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// Forgets the rectangles.
  func removeAll() { buffer.removeAll() }

  /// Whether one of the rectangles has all pixels of another.
  func contains(_ rect: PixelRect) -> Bool {
    for existing in rects where existing.contains(rect) { return true }
    return false
  }

  /// Whether one of the rectangles has some of another's pixels, and not all.
  func partiallyOverlaps(_ rect: PixelRect) -> Bool {
    for existing in rects where existing.intersects(rect) && !existing.contains(rect) { return true }
    return false
  }

  /// Adds a rectangle, alone or as part of one around it and others.
  /// - Complexity: O(``mostRects`` squared).
  func add(_ rect: PixelRect) {
    guard !rect.isEmpty, !contains(rect) else { return }
    var added = rect
    var place = 0
    while place < buffer.count {
      let existing = buffer[place]
      let around = existing.union(added)
      if around.area <= existing.area + added.area + DamageList.extraRectCost {
        added = around
        remove(at: place)
        // The larger one may be near to those that were passed over.
        place = 0
      } else {
        place += 1
      }
    }
    buffer.append(added)
    if buffer.count > DamageList.maximumRects { mergeNearestPair() }
  }

  /// Adds a rectangle as one with all that share a pixel with it.
  /// - Complexity: O(``mostRects`` squared).
  func addMergingOverlaps(_ rect: PixelRect) {
    var added = rect
    var place = 0
    while place < buffer.count {
      if buffer[place].intersects(added) {
        added = added.union(buffer[place])
        remove(at: place)
        place = 0
      } else {
        place += 1
      }
    }
    add(added)
  }

  /// Makes one of the two whose common rectangle has the fewest pixels that are in neither.
  private func mergeNearestPair() {
    var best = (first: 0, second: 1, growth: Int.max)
    for second in 1..<buffer.count {
      for first in 0..<second {
        let (one, other) = (buffer[first], buffer[second])
        let growth = one.union(other).area - one.area - other.area
        if growth < best.growth { best = (first, second, growth) }
      }
    }
    let joined = buffer[best.first].union(buffer[best.second])
    remove(at: best.second)
    remove(at: best.first)
    add(joined)
  }

  private func remove(at place: Int) {
    buffer[place] = buffer[buffer.count - 1]
    buffer.truncate(to: buffer.count - 1)
  }
}
