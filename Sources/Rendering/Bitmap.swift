public import Geometry

import Synchronization

/// Decoded pixels: bytes R, G, B, A, rows from the top without padding, alpha straight.
///
/// Its pixels never change once made. Where a display draws in software, pixels may stand in its own order of channels
/// (``order``): then the bitmap is the texture, and there is no second copy of it.
///
/// The only thing a texture can be made from, so a picture that is not decoded yet cannot be drawn. The pixels are
/// outside Swift's arrays because their number comes from files: an allocation that fails is an error here, and would
/// end the program there.
public final class Bitmap: @unchecked Sendable {
  // @unchecked: the pixels are written in the initialiser alone, before anybody else can know the object.
  /// The extent in pixels.
  public let size: PixelSize
  /// Whether every pixel's alpha is 255, so that drawing is copying.
  public let isOpaque: Bool
  /// In which order a pixel's bytes have its channels.
  public let order: ChannelOrder
  private let memory: PixelMemory
  private let number = Atomic<UInt64>(0)

  /// Makes a bitmap whose pixels a body writes.
  ///
  /// The C functions are `malloc`, and `mmap` for what is large or has a pool.
  ///
  /// - Parameters:
  ///   - size: the extent in pixels.
  ///   - isOpaque: the caller's word that every alpha will be 255.
  ///   - order: in which order the body writes a pixel's channels. Default: red first.
  ///   - pool: where memory comes from and goes to, for pictures that come and go. Default: none.
  ///   - body: writes all `size.bytesAtFourPerPixel` bytes; they are not cleared before.
  /// - Throws: ``BitmapError/outOfMemory(bytes:)``, or what the body throws.
  public init(
    size: PixelSize, isOpaque: Bool, order: ChannelOrder = .redFirst, pool: PixelPool? = nil,
    _ body: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let count = size.bytesAtFourPerPixel
    guard let memory = PixelMemory(count, from: pool) else { throw BitmapError.outOfMemory(bytes: count) }
    try body(UnsafeMutableRawBufferPointer(start: memory.start, count: count))
    self.size = size
    self.isOpaque = isOpaque
    self.order = order
    self.memory = memory
  }

  /// The same pixels in another order of channels; itself where they stand in that.
  ///
  /// - Throws: ``BitmapError/outOfMemory(bytes:)``.
  /// - Complexity: O(pixels), O(1) for itself.
  public func converted(to order: ChannelOrder) throws -> Bitmap {
    guard order != self.order else { return self }
    return try Bitmap(size: size, isOpaque: isOpaque, order: order) { target in
      withPixels { target.copyMemory(from: $0) }
      ChannelOrder.swapRedAndBlue(in: target)
    }
  }

  /// A name of the pixels: equal pixels, equal size and equal opacity have equal names, on every machine and in either
  /// order of channels.
  ///
  /// - Complexity: O(pixels), each time.
  public var contentDigest: UInt64 {
    var digest = ContentDigest()
    digest.combine(UInt64(size.width) << 32 | UInt64(size.height) << 1 | (isOpaque ? 1 : 0))
    withPixels { digest.combine(bytes: $0, exchangesChannels: order == .blueFirst) }
    return digest.value
  }

  /// By what a trace knows the bitmap again; 0 where nobody keeps one.
  ///
  /// The object's address would do for a moment only: the next bitmap may have it.
  public var traceNumber: UInt64 { number.load(ordering: .relaxed) }

  /// Gives the bitmap a number of whoever notes where it comes from, before anybody else can know the bitmap.
  package func setTraceNumber(_ number: UInt64) { self.number.store(number, ordering: .relaxed) }

  /// The bytes from one row to the next.
  public var bytesPerRow: Int { size.width * 4 }

  /// The bytes that the pixels take.
  public var byteCount: Int { size.bytesAtFourPerPixel }

  /// Lets a body read the pixels, in their ``order``; they live no longer than the call.
  public func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      try body(UnsafeRawBufferPointer(start: memory.start, count: size.bytesAtFourPerPixel))
    }
  }

  /// The first pixel, for who keeps the bitmap as long as it reads there.
  package var pixelsBaseAddress: UnsafeRawPointer { UnsafeRawPointer(memory.start) }
}
