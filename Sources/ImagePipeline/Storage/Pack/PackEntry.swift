package import Geometry
import Rendering

/// Where a thumbnail's pixels stand in the pack, and how they are checked.
package struct PackEntry: Hashable, Sendable, BitwiseCopyable {
  /// What the pixels' bytes must give.
  var digest: UInt64
  /// The number of the segment.
  package var segment: UInt32
  /// Where in it the pixels begin.
  var offset: UInt32
  private var width: UInt32
  private var height: UInt32
  private var sourceWidth: UInt32
  private var sourceHeight: UInt32

  /// Describes pixels that are written.
  init(digest: UInt64, segment: UInt32, offset: Int, size: PixelSize, sourceSize: PixelSize?) {
    self.digest = digest
    self.segment = segment
    self.offset = UInt32(truncatingIfNeeded: offset)
    width = UInt32(size.width)
    height = UInt32(size.height)
    sourceWidth = UInt32(sourceSize?.width ?? 0)
    sourceHeight = UInt32(sourceSize?.height ?? 0)
  }

  /// The thumbnail's size; nothing where no picture has such a one.
  package var size: PixelSize? { PixelSize(width: Int(width), height: Int(height)) }

  /// The size of the picture that it is of, where that is known.
  var sourceSize: PixelSize? { PixelSize(width: Int(sourceWidth), height: Int(sourceHeight)) }

  /// The bytes that the pixels take; 0 where no picture has such a size.
  package var byteCount: Int { size.map { OpaquePixels.byteCount($0.bytesAtFourPerPixel / 4) } ?? 0 }

  /// Where in the segment the pixels end.
  package var end: Int { Int(offset) + byteCount }

  /// The digest of pixels that belong to a name.
  static func digest(_ pixels: UnsafeRawBufferPointer, of key: FileFingerprint) -> UInt64 {
    var digest = ContentDigest()
    digest.combine(key.high)
    digest.combine(key.low)
    digest.combine(bytes: pixels)
    return digest.value
  }
}

/// A thumbnail's name and place, as a segment's list has it.
package struct PackRecord: Hashable, Sendable, BitwiseCopyable {
  /// The thumbnail's name.
  var key: FileFingerprint
  /// Its place.
  package var entry: PackEntry
}
