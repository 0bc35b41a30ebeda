import Synchronization
public import VitrineGeometry

/// An immutable image of decoded pixels: four bytes a pixel, straight alpha, rows from the top without padding.
///
/// A bitmap in the display's own channel order (``order``) serves as the texture in software rendering, without a
/// second copy.
///
/// A texture can be made from a bitmap only, so an image that is not decoded yet cannot be drawn. The pixels are stored
/// outside Swift arrays because their number comes from files: here a failed allocation throws an error, with an array
/// it would end the program.
public final class Bitmap: @unchecked Sendable {
  // @unchecked: the pixels are written only by the initialiser, before the object is shared.
  /// The size in pixels.
  public let size: PixelSize
  /// Whether every pixel's alpha is 255, so that drawing needs no blending.
  public let isOpaque: Bool
  /// The order of the colour channels in a pixel's bytes.
  public let order: ChannelOrder
  private let memory: PixelMemory
  private let storedTraceNumber = Atomic<UInt64>(0)

  /// Creates a bitmap whose pixels are written by a closure.
  ///
  /// The C functions are `malloc`, and `mmap` for large images and images of a pool.
  ///
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - isOpaque: Whether the closure sets every alpha to 255.
  ///   - order: The channel order that the closure writes. Default: red first.
  ///   - pool: The pool that the memory is taken from and returned to. Default: nil.
  ///   - body: The closure. It must write all `size.bytesAtFourPerPixel` bytes, which are uninitialised.
  /// - Throws: ``BitmapError/outOfMemory(bytes:)``, or an error that the closure throws.
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

  /// Returns the bitmap in another channel order, or the bitmap itself if it has this order already.
  ///
  /// - Throws: ``BitmapError/outOfMemory(bytes:)``.
  /// - Complexity: O(pixels), or O(1) if the order is the same.
  public func converted(to order: ChannelOrder) throws -> Bitmap {
    guard order != self.order else { return self }
    return try Bitmap(size: size, isOpaque: isOpaque, order: order) { target in
      withPixels { target.copyMemory(from: $0) }
      ChannelOrder.swapRedAndBlue(in: target)
    }
  }

  /// A digest of the pixels, the size and the opacity.
  ///
  /// Equal bitmaps have equal digests, on every machine and in either channel order.
  ///
  /// - Complexity: O(pixels). The value is not cached.
  public var contentDigest: UInt64 {
    var digest = ContentDigest()
    digest.combine(UInt64(size.width) << 32 | UInt64(size.height) << 1 | (isOpaque ? 1 : 0))
    withPixels { digest.combine(bytes: $0, exchangesChannels: order == .blueFirst) }
    return digest.value
  }

  /// The number that identifies the bitmap in a trace, or 0 if no trace is recorded.
  ///
  /// The object's address would not do, because a later bitmap may have the same one.
  public var traceNumber: UInt64 { storedTraceNumber.load(ordering: .relaxed) }

  /// Sets the number that identifies the bitmap in a trace.
  ///
  /// It must be set before the bitmap is shared.
  package func setTraceNumber(_ number: UInt64) { storedTraceNumber.store(number, ordering: .relaxed) }

  /// The number of bytes from one row to the next.
  public var bytesPerRow: Int { size.width * 4 }

  /// The number of bytes of the pixels.
  public var byteCount: Int { size.bytesAtFourPerPixel }

  /// Calls a closure with the pixels, in ``order``.
  ///
  /// The buffer is valid only during the call.
  public func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      try body(UnsafeRawBufferPointer(start: memory.start, count: size.bytesAtFourPerPixel))
    }
  }

  /// The address of the first pixel.
  ///
  /// It is valid as long as the bitmap exists.
  package var pixelsBaseAddress: UnsafeRawPointer { UnsafeRawPointer(memory.start) }
}

// MARK: - Errors

/// An error in creating a bitmap.
public enum BitmapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system could not allocate the memory.
  case outOfMemory(bytes: Int)

  /// A description of the error.
  public var description: String {
    switch self {
    case .outOfMemory(let bytes): "out of memory: a picture needs \(bytes) bytes"
    }
  }
}

// MARK: - Digest

/// A running 64-bit digest of bytes and numbers, the same on every machine.
///
/// It is not cryptographic.
///
/// Words are mixed by multiplication and rotation in the manner of Yann Collet's xxHash (2012), in four lanes, so that
/// a thumbnail costs microseconds.
public struct ContentDigest: Sendable {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static let multiplier: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let secondMultiplier: UInt64 = 0x1656_67B1_9E37_79F9

  /// Creates an empty digest.
  public init() {}

  /// The digest of the values combined so far.
  public var value: UInt64 {
    var value = state
    value ^= value >> 33
    value &*= ContentDigest.multiplier
    value ^= value >> 29
    value &*= ContentDigest.secondMultiplier
    return value ^ (value >> 32)
  }

  /// Mixes in a number.
  @inline(__always)
  public mutating func combine(_ word: UInt64) {
    state = ContentDigest.mixed(state, word)
  }

  /// Mixes in bytes and their count.
  /// - Complexity: O(bytes).
  public mutating func combine(bytes: UnsafeRawBufferPointer) { combine(bytes) { $0 } }

  /// Mixes in pixels of four bytes and the number of bytes, optionally with the first and third byte of each pixel
  /// exchanged.
  /// - Complexity: O(bytes).
  mutating func combine(bytes: UnsafeRawBufferPointer, exchangesChannels: Bool) {
    guard exchangesChannels else { return combine(bytes: bytes) }
    combine(bytes) { word in
      let channels: UInt64 = 0x0000_00FF_0000_00FF
      return word & 0xFF00_FF00_FF00_FF00 | (word & channels) << 16 | word >> 16 & channels
    }
  }

  /// - Parameter transform: Converts a word of eight bytes before it is mixed in. At the end of the bytes the word has
  ///   up to four bytes and zeros.
  @inline(__always)
  private mutating func combine(_ bytes: UnsafeRawBufferPointer, _ transform: (UInt64) -> UInt64) {
    var first = state
    var second = state &+ ContentDigest.multiplier
    var third = state ^ ContentDigest.secondMultiplier
    var fourth = state &- ContentDigest.multiplier
    var offset = 0
    while offset + 32 <= bytes.count {
      first = ContentDigest.mixed(first, transform(bytes.word(at: offset)))
      second = ContentDigest.mixed(second, transform(bytes.word(at: offset + 8)))
      third = ContentDigest.mixed(third, transform(bytes.word(at: offset + 16)))
      fourth = ContentDigest.mixed(fourth, transform(bytes.word(at: offset + 24)))
      offset += 32
    }
    combine(first)
    combine(second)
    combine(third)
    combine(fourth)
    while offset < bytes.count {
      // Whole pixels: `transform` converts pixels of four bytes.
      let count = min(4, bytes.count - offset)
      let word = (0..<count).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
      let transformed = transform(word)
      for index in 0..<count { combine(transformed >> UInt64(index * 8) & 0xFF) }
      offset += count
    }
    combine(UInt64(bytes.count))
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* multiplier
    return (product << 31 | product >> 33) &* secondMultiplier
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
