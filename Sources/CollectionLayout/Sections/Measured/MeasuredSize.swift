internal import Geometry

/// A size that a cell asked for, in pixels within 1 and the longest side of an item.
struct MeasuredSize: Hashable, Sendable {
  private(set) var widthBits: Int32
  private(set) var heightBits: Int32

  var width: Int { Int(widthBits) }
  var height: Int { Int(heightBits) }

  /// Makes a size of any numbers, moved to the nearest that can be.
  init(width: Int, height: Int) {
    widthBits = Int32(max(1, min(width, SectionRoom.longest)))
    heightBits = Int32(max(1, min(height, SectionRoom.longest)))
  }

  /// The larger of both on each side.
  func union(_ other: MeasuredSize) -> MeasuredSize {
    MeasuredSize(width: max(width, other.width), height: max(height, other.height))
  }

  /// The side along an axis.
  func side(_ axis: Axis) -> Int { axis == .horizontal ? width : height }
}
