package import VitrineGeometry
package import VitrineImageMetadata

/// A request to a decoding process.
///
/// A request is one record on the socket. For ``Operation/decode``, and for the first frame of ``Operation/animate``, the
/// file's descriptor is attached (SCM_RIGHTS), and the pixels are returned in the slot. For ``Operation/encode``, the slot
/// contains the pixels, and the file's bytes are returned in it. For ``Operation/makeColorTable``, it contains a display's
/// profile, and the table is returned in it.
package struct DecodingRequest: Hashable, Sendable {
  /// The operation to perform.
  package enum Operation: UInt32, Sendable {
    /// Decodes a file into pixels.
    case decode = 1
    /// Encodes pixels as a JPEG file.
    case encode = 2
    /// Encodes pixels as a PNG file with texts.
    case encodePNG = 3
    /// Decodes a frame of an animation: the first, for which the file's descriptor is attached, or the one after the
    /// last, of the same file.
    case animate = 4
    /// Converts the profile of a display to a table from sRGB to its colors, in the layout of ``ColorTableFormat``.
    ///
    /// Fails with ``DecodingStatus/unsupportedFormat`` if the profile is invalid, is not one of red, green and blue, or is
    /// sRGB itself.
    case makeColorTable = 5
  }

  /// The ways in which an image fills a requested size.
  package enum Fit: UInt32, Sendable {
    /// Covers the size, cropped around the centre. The result has exactly the requested size.
    case fill = 1
    /// Fits the whole image within the size without enlarging it. The result may be smaller.
    case fit = 2
    /// Like ``fill``, but never enlarges. The result may be smaller, with the requested aspect ratio.
    case fillWithoutEnlarging = 3
  }

  /// The representation of an image to decode.
  package enum Representation: UInt32, Sendable {
    /// The preview embedded in the file. Fails with ``DecodingStatus/noPreview`` if there is none.
    case embedded = 1
    /// The image itself.
    case full = 2
  }

  /// The identifier that the reply repeats.
  package var id: UInt32
  /// The operation to perform.
  package var operation: Operation
  /// The index of the slot in the shared memory.
  package var slot: UInt32
  /// The requested size in pixels, or the size of the pixels in the slot.
  package var size: PixelSize
  /// How the image fills the size.
  package var fit: Fit
  /// The colour behind transparent pixels: R, G, B in the lowest three bytes, with red lowest.
  package var background: UInt32
  /// The colour of every other square of a checkerboard behind transparent pixels, or nil for a plain background.
  package var secondBackground: UInt32?
  /// The length of the file in bytes when it was opened; further bytes are not read.
  ///
  /// For ``Operation/encodePNG`` the length of the ``PNGTexts`` that follow the pixels in the slot, and for
  /// ``Operation/makeColorTable`` that of the profile.
  package var fileBytes: UInt64
  /// The JPEG quality for encoding, 1 to 100.
  package var quality: UInt32
  /// An additional delay in microseconds, for demonstrations and tests.
  package var delayMicroseconds: UInt32
  /// The representation to decode.
  package var representation: Representation
  /// The limits that reject an image.
  ///
  /// In the record, each value is clamped to the range of its words.
  package var limits: ImageLimits

  /// The part of the image to decode, in pixels of the upright image, or nil for all of it.
  ///
  /// It is scaled to the size.
  package var region: PixelRect?
  /// Whether an ``Operation/animate`` starts with the first frame again.
  package var startsAnimation: Bool

  /// Creates a request.
  package init(
    id: UInt32, operation: Operation, slot: UInt32, size: PixelSize, fit: Fit = .fill, background: UInt32 = 0,
    secondBackground: UInt32? = nil, fileBytes: UInt64 = 0, quality: UInt32 = 90, delayMicroseconds: UInt32 = 0,
    representation: Representation = .full,
    limits: ImageLimits = .standard, region: PixelRect? = nil, startsAnimation: Bool = false
  ) {
    self.id = id
    self.operation = operation
    self.slot = slot
    self.size = size
    self.fit = fit
    self.background = background
    self.secondBackground = secondBackground
    self.fileBytes = fileBytes
    self.quality = quality
    self.delayMicroseconds = delayMicroseconds
    self.representation = representation
    self.limits = limits
    self.region = region
    self.startsAnimation = startsAnimation
  }

  /// The record of the request.
  package var words: WireWords {
    var words = WireWords()
    words[0] = WireFormat.magic
    words[1] = operation.rawValue
    words[2] = id
    words[3] = slot
    words[4] = UInt32(size.width)
    words[5] = UInt32(size.height)
    words[6] = fit.rawValue
    words[7] = background
    words.setUInt64(fileBytes, at: 8)
    words[10] = quality
    words[11] = delayMicroseconds
    words[12] = representation.rawValue
    words[13] = UInt32(clamping: limits.longestSide)
    words[14] = UInt32(clamping: limits.maximumPixelsPerByte)
    words.setUInt64(UInt64(clamping: limits.maximumPixels), at: 15)
    words.setUInt64(UInt64(clamping: limits.ratioCheckThreshold), at: 17)
    words[19] = startsAnimation ? 1 : 0
    words.setUInt64(UInt64(clamping: limits.maximumFileBytes), at: 20)
    (words[26], words[27]) = (secondBackground == nil ? 0 : 1, secondBackground ?? 0)
    let region = region ?? .zero
    for (index, number) in [region.x, region.y, region.width, region.height].enumerated() {
      words[22 + index] = UInt32(bitPattern: number)
    }
    return words
  }

  /// Parses a record, or returns nil if a word is invalid.
  package init?(words: WireWords) {
    guard words[0] == WireFormat.magic, let operation = Operation(rawValue: words[1]),
      let fit = Fit(rawValue: words[6]),
      let size = PixelSize(width: Int(words[4]), height: Int(words[5])), (1...100).contains(words[10]),
      let representation = Representation(rawValue: words[12]), words[14] > 0, words[19] <= 1,
      words[26] <= 1
    else { return nil }
    let limits = ImageLimits(
      longestSide: Int(words[13]), maximumPixels: Int(clamping: words.uint64(at: 15)),
      maximumPixelsPerByte: Int(words[14]),
      ratioCheckThreshold: Int(clamping: words.uint64(at: 17)),
      maximumFileBytes: Int(clamping: words.uint64(at: 20)))
    let numbers = (0..<4).map { Int32(bitPattern: words[22 + $0]) }
    guard numbers.allSatisfy({ $0 >= 0 && $0 <= PixelSize.maximumSide }) else { return nil }
    let region = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    self.init(
      id: words[2], operation: operation, slot: words[3], size: size, fit: fit, background: words[7],
      secondBackground: words[26] == 1 ? words[27] : nil,
      fileBytes: words.uint64(at: 8), quality: words[10], delayMicroseconds: words[11], representation: representation,
      limits: limits, region: region.isEmpty ? nil : region, startsAnimation: words[19] == 1)
  }
}

/// The constants of the protocol.
package enum WireFormat {
  /// The first word of every record, which identifies the protocol version.
  ///
  /// A process that receives another value exits.
  package static let magic: UInt32 = 0x5649_0004
  /// The number of words of a record.
  ///
  /// A record is one packet of a SOCK_SEQPACKET socket.
  package static let wordCount = 32
  /// The number of bytes of a record.
  package static let byteCount = wordCount * 4
  /// The descriptor of the socket in a decoding process.
  package static let socketDescriptor: Int32 = 3
  /// The descriptor of the shared memory in a decoding process, closed once mapped.
  package static let slotsDescriptor: Int32 = 4
}

/// The words of one record.
package typealias WireWords = SIMD32<UInt32>

extension WireWords {
  /// Returns the 64-bit integer in two words, the lower half first.
  func uint64(at index: Int) -> UInt64 { UInt64(self[index]) | UInt64(self[index + 1]) << 32 }

  /// Stores a 64-bit integer in two words.
  mutating func setUInt64(_ number: UInt64, at index: Int) {
    self[index] = UInt32(truncatingIfNeeded: number)
    self[index + 1] = UInt32(truncatingIfNeeded: number >> 32)
  }
}
