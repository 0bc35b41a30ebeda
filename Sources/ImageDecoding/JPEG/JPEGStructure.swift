import Glibc
import ImageMetadata

/// What a JPEG's markers say beyond its size: whether it can be decoded here, and at which price.
struct JPEGStructure: Hashable {
  /// The frame's marker, which names the process: 0xC0 to 0xCF, or nothing without a frame.
  private(set) var process: UInt8?
  /// Bits of a sample.
  private(set) var precision = 0
  /// Whether an Adobe marker stands in the file: then inks are stored inverted.
  private(set) var hasAdobeMarker = false
  /// How many scans there are; for a file of one pass over the pixels, at most 1.
  private(set) var scanCount = 0
  /// Whether bytes of pixels follow the first scan's header.
  private(set) var hasPixelBytes = false
  /// Whether the marker that ends a file follows the pixels; without it the file is cut off.
  private(set) var hasEnd = false

  /// What the scans of a progressive file bring, as long as each is as the standard says.
  private(set) var scans: [JPEGScan] = []

  private var firstPixelByte: Int?
  private var components: [UInt8] = []
  private var hasOddScan = false

  /// Counting ends here.
  static let mostScans = ImageLimits.maximumPasses

  /// Walks the markers.
  ///
  /// A file in one pass is left at its first scan; a progressive one is walked to its end.
  init(_ bytes: UnsafeRawBufferPointer) {
    var position = 2
    defer { hasEnd = firstPixelByte.map { JPEGStructure.holdsEnd(bytes, from: $0) } ?? false }
    while true {
      guard scanCount <= JPEGStructure.mostScans, let marker = JPEGStructure.nextMarker(bytes, &position) else {
        return
      }
      if marker == 0xD9 { return }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard position + 2 <= bytes.count else { return }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      guard length >= 2 else { return }
      note(marker, bytes, content: position + 2, end: min(bytes.count, position + length))
      position += length
      if marker == 0xDA, !isProgressive { return }
    }
  }

  /// Whether the pixels come in several passes, each a little sharper.
  var isProgressive: Bool { process == 0xC2 || process == 0xCA }

  /// Whether samples are told by their neighbours, in Huffman's codes.
  var isLossless: Bool { process == 0xC3 }

  /// Whether libjpeg-turbo decodes this process: baseline, extended and progressive with eight bits a sample.
  var isSupported: Bool {
    guard let process else { return true }
    return [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(process) && precision == 8
  }

  /// Which scans a picture of some eighths of the file's size needs.
  func plan(eighths: Int) -> ScanPlan {
    ScanPlan(scans: scans, components: components.count, eighths: eighths)
  }

  /// The same at the largest scale up to one whose coefficients fit: less sharp is better than not at all.
  ///
  /// - Parameters:
  ///   - most: the scale that is wanted, in eighths.
  ///   - coefficientBytes: the bytes of all coefficients; none where they are not kept.
  ///   - room: the bytes that may be kept.
  /// - Returns: nothing where not even the means fit.
  func plan(atMost most: Int, coefficientBytes: Int, keeping room: Int) -> (eighths: Int, plan: ScanPlan)? {
    for eighths in (1...most).reversed() {
      let plan = plan(eighths: eighths)
      if plan.keptBytes(ofAll: coefficientBytes) <= room { return (eighths, plan) }
    }
    return nil
  }

  private mutating func note(_ marker: UInt8, _ bytes: UnsafeRawBufferPointer, content: Int, end: Int) {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
      guard process == nil, content < end else { return }
      process = marker
      precision = Int(bytes[content])
      // After the precision and two sides, the number of components and three bytes for each.
      guard content + 6 <= end else { return }
      let count = min(4, Int(bytes[content + 5]), (end - content - 6) / 3)
      components = (0..<count).map { bytes[content + 6 + 3 * $0] }
    case 0xEE:
      hasAdobeMarker =
        hasAdobeMarker || (end - content >= 12 && bytes[content..<content + 5].elementsEqual("Adobe".utf8))
    case 0xDA:
      scanCount += 1
      if isProgressive { noteScan(bytes[content..<end]) }
      guard scanCount == 1 else { return }
      firstPixelByte = end
      hasPixelBytes = end < bytes.count && !bytes[end...].starts(with: [0xFF, 0xD9])
    default:
      break
    }
  }

  private mutating func noteScan(_ bytes: Slice<UnsafeRawBufferPointer>) {
    guard !hasOddScan, let scan = JPEGScan(Array(bytes)[...], identifiers: components) else {
      hasOddScan = true
      return
    }
    scans.append(scan)
  }

  /// Looks for the end's marker from the file's end, as little follows it as a rule.
  private static func holdsEnd(_ bytes: UnsafeRawBufferPointer, from first: Int) -> Bool {
    var last = bytes.count - 1
    while last > first {
      if bytes[last] == 0xD9, bytes[last - 1] == 0xFF { return true }
      last -= 1
    }
    return false
  }

  /// The next marker's second byte, over whatever lies before it; the position then stands behind it.
  ///
  /// The C function is `memchr`.
  private static func nextMarker(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> UInt8? {
    while position < bytes.count, let start = bytes.baseAddress,
      let found = memchr(start + position, 0xFF, bytes.count - position)
    {
      position = start.distance(to: UnsafeRawPointer(found)) + 1
      while position < bytes.count, bytes[position] == 0xFF { position += 1 }
      guard position < bytes.count else { return nil }
      let marker = bytes[position]
      position += 1
      // A nought marks an ordinary byte of 255 among the pixels.
      if marker != 0, !(0xD0...0xD7).contains(marker) { return marker }
    }
    return nil
  }
}
