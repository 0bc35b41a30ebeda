import Glibc
import VitrineImageMetadata

/// The structure of a JPEG file's markers: whether the file can be decoded, and at which cost.
struct JPEGStructure: Hashable {
  /// The frame's marker, 0xC0 to 0xCF, which identifies the coding process, or nil without a frame.
  private(set) var process: UInt8?
  /// The number of bits per sample.
  private(set) var precision = 0
  /// Whether the file has an Adobe marker, in which case inks are stored inverted.
  private(set) var hasAdobeMarker = false
  /// The number of scans; at most 1 for a file that is not progressive.
  private(set) var scanCount = 0
  /// Whether pixel data follows the header of the first scan.
  private(set) var hasPixelBytes = false
  /// Whether an end-of-image marker follows the pixels.
  ///
  /// Without it the file is truncated.
  private(set) var hasEnd = false

  /// The scans of a progressive file, up to the first that violates the standard.
  private(set) var scans: [JPEGScan] = []

  private var firstPixelByte: Int?
  private var components: [UInt8] = []
  private var hasInvalidScan = false

  /// The number of scans at which counting stops.
  static let maximumScans = ImageLimits.maximumPasses

  /// Parses the markers: to the first scan of a sequential file, and to the end of a progressive one.
  init(_ bytes: UnsafeRawBufferPointer) {
    var position = 2
    defer { hasEnd = firstPixelByte.map { JPEGStructure.containsEnd(bytes, from: $0) } ?? false }
    while true {
      guard scanCount <= JPEGStructure.maximumScans, let marker = JPEGStructure.nextMarker(bytes, &position) else {
        return
      }
      if marker == 0xD9 { return }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard position + 2 <= bytes.count else { return }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      guard length >= 2 else { return }
      recordSegment(marker, bytes, content: position + 2, end: min(bytes.count, position + length))
      position += length
      if marker == 0xDA, !isProgressive { return }
    }
  }

  /// Whether the pixels are stored in several scans of increasing precision.
  var isProgressive: Bool { process == 0xC2 || process == 0xCA }

  /// Whether the file is lossless, with samples predicted from their neighbours and Huffman codes.
  var isLossless: Bool { process == 0xC3 }

  /// Whether libjpeg-turbo supports the process: baseline, extended and progressive, with eight bits per sample.
  var isSupported: Bool {
    guard let process else { return true }
    return [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(process) && precision == 8
  }

  /// Returns the scans that a result at a scale in eighths needs.
  func plan(eighths: Int) -> ScanPlan {
    ScanPlan(scans: scans, components: components.count, eighths: eighths)
  }

  /// Returns the plan of the largest scale, up to a maximum, whose coefficients fit in memory.
  ///
  /// A less sharp image is better than none.
  ///
  /// - Parameters:
  ///   - most: The requested scale, in eighths.
  ///   - coefficientBytes: The size of all coefficients in bytes; 0 if they are not stored.
  ///   - budget: The number of bytes that may be stored.
  /// - Returns: The scale and its plan, or nil if not even the DC coefficients fit.
  func plan(atMost most: Int, coefficientBytes: Int, budget: Int) -> (eighths: Int, plan: ScanPlan)? {
    for eighths in (1...most).reversed() {
      let plan = plan(eighths: eighths)
      if plan.storedBytes(ofAll: coefficientBytes) <= budget { return (eighths, plan) }
    }
    return nil
  }

  private mutating func recordSegment(_ marker: UInt8, _ bytes: UnsafeRawBufferPointer, content: Int, end: Int) {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
      guard process == nil, content < end else { return }
      process = marker
      precision = Int(bytes[content])
      // The precision and two sides precede the number of components and three bytes for each.
      guard content + 6 <= end else { return }
      let count = min(4, Int(bytes[content + 5]), (end - content - 6) / 3)
      components = (0..<count).map { bytes[content + 6 + 3 * $0] }
    case 0xEE:
      hasAdobeMarker =
        hasAdobeMarker || (end - content >= 12 && bytes[content..<content + 5].elementsEqual("Adobe".utf8))
    case 0xDA:
      scanCount += 1
      if isProgressive { recordScan(bytes[content..<end]) }
      guard scanCount == 1 else { return }
      firstPixelByte = end
      hasPixelBytes = end < bytes.count && !bytes[end...].starts(with: [0xFF, 0xD9])
    default:
      break
    }
  }

  private mutating func recordScan(_ bytes: Slice<UnsafeRawBufferPointer>) {
    guard !hasInvalidScan, let scan = JPEGScan(Array(bytes)[...], identifiers: components) else {
      hasInvalidScan = true
      return
    }
    scans.append(scan)
  }

  /// Searches for the end marker from the end of the file, because it is usually followed by few bytes.
  private static func containsEnd(_ bytes: UnsafeRawBufferPointer, from first: Int) -> Bool {
    var last = bytes.count - 1
    while last > first {
      if bytes[last] == 0xD9, bytes[last - 1] == 0xFF { return true }
      last -= 1
    }
    return false
  }

  /// Returns the second byte of the next marker, skipping any bytes before it, and moves the position past it.
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
      // A zero marks a stuffed byte of 255 in the pixel data.
      if marker != 0, !(0xD0...0xD7).contains(marker) { return marker }
    }
    return nil
  }
}

// MARK: - Scans

/// The header of a scan of a progressive JPEG (ITU-T T.81, B.2.3 and G.1).
struct JPEGScan: Hashable {
  /// The indices of the components in the frame's header.
  let components: [Int]
  /// The coefficients, as indices in zigzag order.
  let coefficients: ClosedRange<Int>
  /// Whether the scan refines the coefficients of earlier scans by one bit.
  let isRefinement: Bool
  /// The number of low bits that the scan leaves out.
  let missingBits: Int

  /// Whether the scan can only be decoded if all earlier coefficients are known.
  var needsEarlierScans: Bool { isRefinement && coefficients.upperBound > 0 }

  /// Parses a scan's header, or returns nil if it is too short or violates the standard.
  ///
  /// - Parameters:
  ///   - bytes: The bytes after the header's length.
  ///   - identifiers: The identifiers of the frame's components, in order.
  init?(_ bytes: ArraySlice<UInt8>, identifiers: [UInt8]) {
    let content = Array(bytes)
    guard let count = content.first.map(Int.init), (1...4).contains(count), content.count >= 4 + 2 * count else {
      return nil
    }
    let indices = (0..<count).compactMap { identifiers.firstIndex(of: content[1 + 2 * $0]) }
    let (start, end) = (Int(content[1 + 2 * count]), Int(content[2 + 2 * count]))
    guard indices.count == count, start <= end, end < 64 else { return nil }
    components = indices
    coefficients = start...end
    isRefinement = content[3 + 2 * count] >> 4 != 0
    missingBits = Int(content[3 + 2 * count] & 15)
  }
}

/// The scans of a JPEG file to read for a result at a scale in eighths, and the coefficients to store.
struct ScanPlan: Hashable {
  /// The maximum number of scans to read.
  let scanCount: Int
  /// The number of rows and columns of a block's coefficients to store; 8 is all.
  let storedSide: Int

  /// The number of coefficients on a side of a block.
  private static let blockSide = 8

  /// Plans the scans for a scale.
  ///
  /// Chroma at half the resolution needs twice the coefficients of luma. Coefficients that later scans refine must be
  /// stored completely, because refinement scans skip coefficients that are zero.
  ///
  /// - Parameters:
  ///   - scans: The file's scans in order. Empty for a file that is not progressive, of which all scans are read.
  ///   - components: The number of components in the frame.
  ///   - eighths: The scale.
  init(scans: [JPEGScan], components: Int, eighths: Int) {
    var precision = ScanPrecision(components: components)
    var needed = 0
    var isEnough = false
    for scan in scans where !isEnough {
      needed += 1
      precision.add(scan)
      isEnough = precision.suffices(eighths: eighths)
    }
    scanCount = isEnough ? needed : .max
    let storesAll = scans.prefix(needed).contains(where: \.needsEarlierScans)
    storedSide = storesAll ? ScanPlan.blockSide : min(ScanPlan.blockSide, 2 * eighths)
  }

  /// Returns the number of bytes to store, given the size of all coefficients.
  func storedBytes(ofAll bytes: Int) -> Int { bytes / 64 * storedSide * storedSide }
}

/// The precision of a progressive JPEG's coefficients after some of its scans (ITU-T T.81, annex G).
private struct ScanPrecision: Hashable {
  /// The missing bits of the 64 coefficients of each component in zigzag order; nil before the first scan of a
  /// coefficient.
  private var missing: [[Int?]]

  /// The maximum number of missing bits in a small image: of the DC coefficient, whose error shows as banding, and of
  /// the others.
  private static let maximumMissingDCBits = 1
  private static let maximumMissingACBits = 2
  /// The scale, in eighths, from which no bits may be missing.
  private static let fullPrecisionEighths = 4

  /// The row and column of each coefficient in zigzag order.
  private static let zigzag: [(row: Int, column: Int)] = {
    var positions: [(row: Int, column: Int)] = []
    for diagonal in 0..<15 {
      let rows = max(0, diagonal - 7)...min(7, diagonal)
      // Upwards on even diagonals, downwards on odd ones.
      let ordered = diagonal.isMultiple(of: 2) ? Array(rows.reversed()) : Array(rows)
      positions += ordered.map { ($0, diagonal - $0) }
    }
    return positions
  }()

  /// Creates a state without known coefficients.
  init(components: Int) { missing = Array(repeating: Array(repeating: nil, count: 64), count: components) }

  /// Records a scan.
  mutating func add(_ scan: JPEGScan) {
    for component in scan.components where component < missing.count {
      for index in scan.coefficients { missing[component][index] = scan.missingBits }
    }
  }

  /// Returns whether the recorded scans suffice for an image at a scale in eighths.
  ///
  /// At n eighths libjpeg uses the n x n lowest coefficients of a luma block, and twice as many of a chroma block,
  /// which usually has half the resolution. This method requires the n x n lowest coefficients of chroma too. For
  /// photographs, the result is within 43 dB of that of all scans, and usually better.
  func suffices(eighths: Int) -> Bool {
    let needsFullPrecision = eighths >= ScanPrecision.fullPrecisionEighths
    return missing.indices.allSatisfy { component in
      (0..<64).allSatisfy { index in
        let place = ScanPrecision.zigzag[index]
        guard place.row < eighths, place.column < eighths else { return true }
        guard let bits = missing[component][index] else { return false }
        return bits
          <= (needsFullPrecision
            ? 0 : index == 0 ? ScanPrecision.maximumMissingDCBits : ScanPrecision.maximumMissingACBits)
      }
    }
  }
}
