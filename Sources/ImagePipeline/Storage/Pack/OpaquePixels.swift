import Rendering

/// Pixels without their alpha, as they are kept on disk: bytes R, G, B, rows from the top without padding.
enum OpaquePixels {
  /// The bytes of so many pixels.
  static func byteCount(_ pixels: Int) -> Int { pixels * 3 }

  /// The pixels of a bitmap that is opaque.
  /// - Complexity: O(pixels).
  static func packed(_ bitmap: Bitmap) -> [UInt8] {
    bitmap.order == .redFirst ? packed(bitmap) { $0 } : packed(bitmap, ChannelOrder.swappingRedAndBlue)
  }

  @inline(__always)
  private static func packed(_ bitmap: Bitmap, _ ordered: (UInt32) -> UInt32) -> [UInt8] {
    bitmap.withPixels { pixels in
      let count = pixels.count / 4
      return [UInt8](unsafeUninitializedCapacity: count * 3) { buffer, filled in
        let target = UnsafeMutableRawBufferPointer(buffer)
        var pixel = 0
        while pixel + 4 <= count {
          let a = ordered(pixels.word(at: pixel * 4)) & 0xFF_FFFF
          let b = ordered(pixels.word(at: pixel * 4 + 4)) & 0xFF_FFFF
          let c = ordered(pixels.word(at: pixel * 4 + 8)) & 0xFF_FFFF
          let d = ordered(pixels.word(at: pixel * 4 + 12))
          target.store(a | b << 24, at: pixel * 3)
          target.store(b >> 8 | c << 16, at: pixel * 3 + 4)
          target.store(c >> 16 | d << 8, at: pixel * 3 + 8)
          pixel += 4
        }
        while pixel < count {
          let word = ordered(pixels.word(at: pixel * 4))
          for channel in 0..<3 { target[pixel * 3 + channel] = UInt8(truncatingIfNeeded: word >> UInt32(channel * 8)) }
          pixel += 1
        }
        filled = count * 3
      }
    }
  }

  /// Spreads packed pixels, which stand at the end of a bitmap's memory, over all of it, and makes them opaque.
  ///
  /// What is read is never behind what was written, so no other memory is needed.
  ///
  /// - Parameter order: in which order of channels they are spread.
  /// - Complexity: O(pixels).
  static func unpack(in memory: UnsafeMutableRawBufferPointer, to order: ChannelOrder = .redFirst) {
    if order == .redFirst { unpack(memory) { $0 } } else { unpack(memory, ChannelOrder.swappingRedAndBlue) }
  }

  @inline(__always)
  private static func unpack(_ memory: UnsafeMutableRawBufferPointer, _ ordered: (UInt32) -> UInt32) {
    let count = memory.count / 4
    let source = UnsafeRawBufferPointer(memory)
    let opaque: UInt32 = 0xFF00_0000
    var pixel = 0
    while pixel + 4 <= count {
      let place = count + pixel * 3
      let first = source.word(at: place)
      let second = source.word(at: place + 4)
      let third = source.word(at: place + 8)
      memory.store(ordered(first) | opaque, at: pixel * 4)
      memory.store(ordered(first >> 24 | second << 8) | opaque, at: pixel * 4 + 4)
      memory.store(ordered(second >> 16 | third << 16) | opaque, at: pixel * 4 + 8)
      memory.store(ordered(third >> 8) | opaque, at: pixel * 4 + 12)
      pixel += 4
    }
    while pixel < count {
      let place = count + pixel * 3
      let word = UInt32(source[place]) | UInt32(source[place + 1]) << 8 | UInt32(source[place + 2]) << 16
      memory.store(ordered(word) | opaque, at: pixel * 4)
      pixel += 1
    }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  @inline(__always)
  fileprivate func store(_ word: UInt32, at offset: Int) {
    storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
  }
}
