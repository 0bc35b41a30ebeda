import Geometry
import Glibc

/// Pixels on their way, R, G, B, A in rows without padding, outside Swift's arrays: their number comes from a file, and an
/// allocation that fails must be an error.
struct PixelMemory: ~Copyable {
  let size: PixelSize
  let bytes: UnsafeMutablePointer<UInt8>

  /// Takes memory, cleared: what a damaged file leaves unwritten must not show what lay there before.
  ///
  /// The C function is `calloc`.
  init(size: PixelSize) throws(DecodingError) {
    guard let memory = calloc(size.area, 4) else { throw .outOfMemory }
    self.size = size
    bytes = memory.bindMemory(to: UInt8.self, capacity: size.bytesAtFourPerPixel)
  }

  deinit { free(bytes) }

  var width: Int { size.width }
  var height: Int { size.height }
  var bytesPerRow: Int { size.width * 4 }

  /// Where a row begins.
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { bytes + y * bytesPerRow }

  /// Whether every pixel from a row on is the same: what libjpeg-turbo gives for what a file does not hold.
  func isUniform(fromRow y: Int) -> Bool {
    var pixel = row(y)
    let first = (pixel[0], pixel[1], pixel[2])
    let end = row(height)
    while pixel < end {
      if (pixel[0], pixel[1], pixel[2]) != first { return false }
      pixel += 4
    }
    return true
  }

  /// Makes all pixels from a row on the same backdrop.
  func fill(fromRow y: Int, with backdrop: Backdrop) {
    var pixel = row(y)
    let end = row(height)
    while pixel < end {
      pixel[0] = backdrop.red
      pixel[1] = backdrop.green
      pixel[2] = backdrop.blue
      pixel[3] = 255
      pixel += 4
    }
  }
}
