import DataStructures
package import Geometry

/// Rectangles that commands paint all over, so that nothing that was painted there before them shows.
///
/// Pictures cover most of a gallery: the background is cleared between them only.
package nonisolated final class OccluderList {
  /// The most rectangles; what lies beneath more of them is painted in vain.
  package static let maximumOccluders = 512
  /// The fewest pixels that are worth a rectangle.
  package static let minimumArea = 4_096

  private struct Occluder: BitwiseCopyable {
    var rect: PixelRect
    var command: Int
  }

  private struct Span: BitwiseCopyable {
    var left: Int32
    var right: Int32
  }

  private let occluders = TrivialBuffer<Occluder>(capacity: maximumOccluders)
  /// The covers of a band of rows, from left to right.
  private let spans = TrivialBuffer<Span>(capacity: maximumOccluders)

  /// Makes an empty list.
  package init() {}

  /// Forgets the rectangles.
  package func removeAll() { occluders.removeAll() }

  /// Notes that a command paints all of a rectangle; small ones are ignored.
  package func add(_ rect: PixelRect, by command: Int) {
    guard occluders.count < OccluderList.maximumOccluders, !rect.isEmpty,
      Int(rect.width) * Int(rect.height) >= OccluderList.minimumArea
    else { return }
    occluders.append(Occluder(rect: rect, command: command))
  }

  /// Hands out what commands behind one leave to be seen of its rectangle: rectangles that do not overlap, from the top.
  /// - Complexity: O(covers squared) at most, O(rows of pictures * covers) for a grid.
  package func forEachVisiblePart(of rect: PixelRect, behind command: Int, _ body: (PixelRect) -> Void) {
    var top = rect.y
    while top < rect.maxY {
      let bottom = collectBand(of: rect, from: top, behind: command)
      var left = rect.x
      for span in spans.elements {
        if span.left > left { body(PixelRect(x: left, y: top, width: span.left - left, height: bottom - top)) }
        left = max(left, span.right)
      }
      if left < rect.maxX { body(PixelRect(x: left, y: top, width: rect.maxX - left, height: bottom - top)) }
      top = bottom
    }
  }

  /// Finds the covers of a row and of those below it that have the same ones; where that ends comes back.
  private func collectBand(of rect: PixelRect, from top: Int32, behind command: Int) -> Int32 {
    var bottom = rect.maxY
    spans.removeAll()
    for cover in occluders.elements where cover.command > command {
      let (from, to) = (cover.rect.y, cover.rect.maxY)
      if from > top {
        bottom = min(bottom, from)
      } else if to > top {
        bottom = min(bottom, to)
        insert(Span(left: max(rect.x, cover.rect.x), right: min(rect.maxX, cover.rect.maxX)))
      }
    }
    return bottom
  }

  private func insert(_ span: Span) {
    guard span.right > span.left else { return }
    spans.append(span)
    var place = spans.count - 1
    let sorted = spans.elements
    while place > 0, sorted[place - 1].left > span.left {
      sorted[place] = sorted[place - 1]
      place -= 1
    }
    sorted[place] = span
  }
}
