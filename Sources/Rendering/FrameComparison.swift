import Glibc
import VitrineDataStructures
public import VitrineGeometry

/// A comparison of consecutive frames that finds what must be drawn if the pixels of the previous frame still exist.
///
/// It compares the commands of both frames and needs no information about what moved. `FrameMatcher` describes the
/// method and why the result is right. Comparing allocates nothing once the buffers have grown to the size of a frame.
///
/// A texture ID must always identify the same content, which ``TextureIDAllocator`` ensures. The caller must call
/// ``invalidate()`` if textures were released that the new frame still uses.
public final class FrameComparison {
  private let frames = (DrawnFrame(), DrawnFrame())
  private var isFirstLatest = false
  private let damageList = DamageList()

  /// Creates a comparison without a previous frame.
  public init() {}

  /// The rectangles to redraw after the last ``compare(_:background:output:)``.
  ///
  /// They are valid until the next call.
  ///
  /// The rectangles may overlap. Each must be cleared and drawn completely, with the commands clipped to it. If a
  /// rectangle touches a copy that is not pixel for pixel, it contains the visible part of the copy completely.
  public var damage: UnsafeBufferPointer<PixelRect> { damageList.rects }

  /// Discards the previous frame because its pixels are lost, so that the next frame is drawn completely.
  public func invalidate() { latest.removeAll() }

  /// Compares a frame with the previous one and stores it as the previous frame.
  ///
  /// - Parameters:
  ///   - list: The commands of the frame.
  ///   - background: The background colour.
  ///   - output: The extent of the output in pixels, with the origin 0, 0.
  /// - Returns: The steps that turn the pixels of the previous frame into those of this frame.
  /// - Complexity: O(commands), and for each command without a counterpart O(commands nearby).
  public func compare(_ list: DisplayList, background: Color, output: PixelRect) -> FrameChange {
    let old = latest
    isFirstLatest.toggle()
    let new = latest
    new.setContents(list, background: background, output: output)
    damageList.removeAll()
    guard !output.isEmpty, old.output == output, old.background == background else { return .whole }
    if old.isSame(as: new) { return .parts(nil) }
    let displacement = Displacement(from: old.items, to: new.items)
    let move = displacement.flatMap { displacement in
      displacement.x == 0 && displacement.y == 0
        ? nil : PixelMove(within: displacement.region, byX: displacement.x, y: displacement.y)
    }
    // Half of the output, because each damaged rectangle is a pass over all commands.
    let maximumDamage = output.area / 2
    var match = FrameMatcher(
      from: old, to: new, region: displacement?.region ?? .zero, move: move, damage: damageList,
      maximumDamage: maximumDamage)
    guard match.run(), expandDamageToStretchedItems(of: new), damageList.area <= maximumDamage else {
      damageList.removeAll()
      return .whole
    }
    return .parts(move)
  }

  private var latest: DrawnFrame { isFirstLatest ? frames.0 : frames.1 }

  /// Extends the damage to the visible part of each stretched copy that it touches.
  ///
  /// Returns false after too many passes.
  private func expandDamageToStretchedItems(of frame: DrawnFrame) -> Bool {
    guard frame.hasStretchedItems else { return true }
    for _ in 0..<4 {
      var isSettled = true
      for item in frame.items where item.isStretched {
        guard damageList.partiallyOverlaps(item.visible) else { continue }
        damageList.addMergingOverlaps(item.visible)
        isSettled = false
      }
      if isSettled { return true }
    }
    return false
  }
}

// MARK: - Changes

/// The steps that turn the pixels of one frame into those of the next.
public enum FrameChange: Hashable, Sendable {
  /// Draw the frame completely.
  case whole
  /// Move pixels if a move is given, and then redraw the damaged rectangles, if there are any.
  case parts(PixelMove?)
}

/// A translation of the pixels of a region.
public struct PixelMove: Hashable, Sendable {
  /// The region whose content moves.
  ///
  /// The part outside ``target`` must be redrawn.
  public let region: PixelRect
  /// The rectangle that the pixels move to.
  ///
  /// The source is this rectangle moved back.
  public let target: PixelRect
  /// The distance to the right in pixels.
  public let x: Int32
  /// The distance down in pixels.
  public let y: Int32

  /// Creates the move of those pixels of a region that stay within it, or returns nil if there are none.
  public init?(within region: PixelRect, byX x: Int32, y: Int32) {
    guard abs(Int(x)) < Int(region.width), abs(Int(y)) < Int(region.height) else { return nil }
    self.region = region
    target = region.intersection(region.offsetBy(x: x, y: y))
    self.x = x
    self.y = y
  }

  /// Moves the pixels, of four bytes each.
  ///
  /// Source and target may overlap.
  ///
  /// The C function is `memmove`.
  ///
  /// - Parameters:
  ///   - pixels: The image, which contains the whole region.
  ///   - bytesPerRow: The number of bytes from one row of the image to the next.
  /// - Complexity: O(pixels moved).
  public func movePixels(in pixels: UnsafeMutableRawPointer, bytesPerRow: Int) {
    let length = Int(target.width) * 4
    let rows = Int(target.height)
    let start = pixels + Int(target.y) * bytesPerRow + Int(target.x) * 4
    let offset = Int(y) * bytesPerRow + Int(x) * 4
    // The order ensures that a row is read before it is overwritten.
    let first = y > 0 ? start + (rows - 1) * bytesPerRow : start
    let step = y > 0 ? -bytesPerRow : bytesPerRow
    for index in 0..<rows {
      let row = first + index * step
      if index + PixelMove.prefetchDistance < rows {
        MemoryPrefetch.prefetch(row - offset + PixelMove.prefetchDistance * step, byteCount: length)
      }
      memmove(row, row - offset, length)
    }
  }

  /// The number of rows that memory is prefetched ahead.
  private static let prefetchDistance = 2
}

// MARK: - Damage

/// A small number of rectangles to redraw, which may overlap.
///
/// Each rectangle costs a pass over the frame's commands, so rectangles near each other are merged.
final class DamageList {
  /// The maximum number of rectangles.
  static let maximumRects = 8
  /// The cost of another rectangle, as a number of pixels.
  private static let extraRectCost = 2_048

  private let buffer = TrivialBuffer<PixelRect>(capacity: maximumRects + 1)

  /// The rectangles.
  ///
  /// The buffer is valid until the list is changed.
  var rects: UnsafeBufferPointer<PixelRect> { UnsafeBufferPointer(buffer.elements) }

  /// The number of pixels of all rectangles, with overlaps counted repeatedly.
  var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// Removes all rectangles.
  func removeAll() { buffer.removeAll() }

  /// Whether one of the rectangles contains another rectangle completely.
  func contains(_ rect: PixelRect) -> Bool {
    for existing in rects where existing.contains(rect) { return true }
    return false
  }

  /// Whether one of the rectangles intersects another rectangle without containing it.
  func partiallyOverlaps(_ rect: PixelRect) -> Bool {
    for existing in rects where existing.intersects(rect) && !existing.contains(rect) { return true }
    return false
  }

  /// Adds a rectangle, merging it with rectangles nearby.
  /// - Complexity: O(``maximumRects`` squared).
  func add(_ rect: PixelRect) {
    guard !rect.isEmpty, !contains(rect) else { return }
    var added = rect
    var index = 0
    while index < buffer.count {
      let existing = buffer[index]
      let around = existing.union(added)
      if around.area <= existing.area + added.area + DamageList.extraRectCost {
        added = around
        remove(at: index)
        // The merged rectangle may be near to rectangles that were skipped.
        index = 0
      } else {
        index += 1
      }
    }
    buffer.append(added)
    if buffer.count > DamageList.maximumRects { mergeNearestPair() }
  }

  /// Adds a rectangle merged with all rectangles that intersect it.
  /// - Complexity: O(``maximumRects`` squared).
  func addMergingOverlaps(_ rect: PixelRect) {
    var added = rect
    var index = 0
    while index < buffer.count {
      if buffer[index].intersects(added) {
        added = added.union(buffer[index])
        remove(at: index)
        index = 0
      } else {
        index += 1
      }
    }
    add(added)
  }

  /// Merges the two rectangles whose union adds the fewest pixels.
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

  private func remove(at index: Int) {
    buffer[index] = buffer[buffer.count - 1]
    buffer.truncate(to: buffer.count - 1)
  }
}
