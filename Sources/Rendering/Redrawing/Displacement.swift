import Geometry

/// By how much most of what a frame shows has moved, found by a few large pictures that both frames show once.
struct Displacement: Hashable {
  /// To the right, in pixels.
  var x: Int32
  /// Down, in pixels.
  var y: Int32
  /// The clip of what has moved.
  var region: PixelRect

  private static let sampleCount = 6

  /// Finds the displacement; nothing where no picture says one.
  ///
  /// A wrong answer costs drawing and no more: what does not match it is damage.
  /// - Complexity: O(items of both frames).
  init?(from old: UnsafeBufferPointer<DrawnItem>, to new: UnsafeBufferPointer<DrawnItem>) {
    let found = withUnsafeTemporaryAllocation(of: Vote.self, capacity: Displacement.sampleCount) { votes in
      var count = 0
      for sample in 0..<Displacement.sampleCount {
        let range = new.count * sample / Displacement.sampleCount..<new.count * (sample + 1) / Displacement.sampleCount
        guard let item = Displacement.largestTextureItem(in: range, of: new),
          let former = Displacement.uniqueItem(like: item, in: old)
        else { continue }
        let way = Displacement(
          x: item.command.destination.x &- former.command.destination.x,
          y: item.command.destination.y &- former.command.destination.y, region: item.clip)
        if let place = (0..<count).first(where: { votes[$0].displacement == way }) {
          votes[place].area += item.visible.area
        } else {
          votes.initializeElement(at: count, to: Vote(displacement: way, area: item.visible.area))
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
    for place in range where items[place].command.kind == .texture && items[place].visible.area > area {
      largest = items[place]
      area = items[place].visible.area
    }
    return largest
  }

  private static func uniqueItem(
    like item: DrawnItem, in items: UnsafeBufferPointer<DrawnItem>
  ) -> DrawnItem? {
    var only: DrawnItem?
    for place in 0..<items.count where items[place].looksLike(item) {
      guard only == nil else { return nil }
      only = items[place]
    }
    return only
  }
}
