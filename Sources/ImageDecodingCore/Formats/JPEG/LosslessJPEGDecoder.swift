import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering

/// A decoder for lossless JPEG (ITU-T T.81, annex H), as in medical images and raw files.
///
/// Supports samples of 2 to 16 bits, grey or of three colours in one scan, with Huffman codes. Each sample is coded as
/// its difference from a prediction. libjpeg-turbo in Debian 12 does not support this process.
struct LosslessJPEGDecoder {
  private let file: FileReader
  private let interruption: DecodingInterruption

  /// A component of the frame.
  private struct Component {
    var identifier: UInt8
    var table = 0
  }

  private var precision = 0
  private var size: PixelSize?
  private var components: [Component] = []
  /// The number of codes of each length and their symbols.
  ///
  /// Lookup tables are built only for those that the scan uses.
  private var codes: [(counts: [UInt8], symbols: [UInt8])?] = [nil, nil, nil, nil]
  private var restartInterval = 0
  private var predictor = 0
  private var pointTransform = 0
  private var scanStart = 0
  private var hasJFIFMarker = false
  /// The colour transform of the Adobe marker: 0 for RGB, 1 for YCbCr; nil without a marker.
  private var adobeTransform: UInt8?

  /// Parses the file's segments up to the first scan.
  ///
  /// - Throws: ``DecodingError/unsupported(_:detail:)`` for unsupported kinds, ``DecodingError/damaged(detail:)``.
  init(_ bytes: UnsafeRawBufferPointer, interruption: DecodingInterruption) throws(DecodingError) {
    file = FileReader(bytes)
    self.interruption = interruption
    var place = 2
    while scanStart == 0 {
      // Bytes between two segments are skipped, as in libjpeg.
      while let byte = file.byte(place), let next = file.byte(place + 1), byte != 0xFF || next == 0 || next == 0xFF {
        place += 1
      }
      guard let marker = file.byte(place + 1) else { throw .damaged(detail: "the file ends before its pixels") }
      place += 2
      try interruption.check()
      guard marker != 0x01, !(0xD0...0xD8).contains(marker) else { continue }
      guard marker != 0xD9, let length = file.bigEndian(place, bytes: 2), length >= 2, file.slice(place, length) != nil
      else {
        throw .damaged(detail: "the file ends before its pixels")
      }
      let content = place + 2..<place + length
      switch marker {
      case 0xC3: try readFrame(content)
      case 0xC4: try readTables(content)
      case 0xDD: restartInterval = file.bigEndian(content.lowerBound, bytes: 2) ?? 0
      case 0xDA: try readScan(content)
      case 0xE0: hasJFIFMarker = hasJFIFMarker || starts(content, with: "JFIF\0")
      case 0xEE where starts(content, with: "Adobe"): adobeTransform = file.byte(content.lowerBound + 11)
      default: break
      }
      place += length
    }
  }

  private func starts(_ content: Range<Int>, with name: String) -> Bool {
    content.count >= name.utf8.count
      && file.slice(content.lowerBound, name.utf8.count).map { $0.elementsEqual(name.utf8) } == true
  }

  /// Whether three samples are YCbCr, by the rules of libjpeg-turbo 3: lossless files are RGB unless a marker indicates
  /// otherwise.
  private var isLumaAndChroma: Bool {
    components.count == 3 && (hasJFIFMarker || adobeTransform.map { $0 != 0 } ?? false)
  }

  // MARK: - Segments

  private mutating func readFrame(_ content: Range<Int>) throws(DecodingError) {
    let start = content.lowerBound
    guard content.count >= 6, let bits = file.byte(start), let height = file.bigEndian(start + 1, bytes: 2),
      let width = file.bigEndian(start + 3, bytes: 2), let count = file.byte(start + 5),
      content.count >= 6 + 3 * Int(count)
    else { throw .damaged(detail: "a frame that is cut off") }
    precision = Int(bits)
    size = PixelSize(width: width, height: height)
    guard (2...16).contains(precision), count == 1 || count == 3 else {
      throw .unsupported(.jpeg, detail: "lossless, with \(count) kinds of samples of \(bits) bits")
    }
    components = try (0..<Int(count)).map { index throws(DecodingError) in
      let sampling = file.byte(start + 7 + 3 * index)
      guard count == 1 || sampling == 0x11 else { throw .unsupported(.jpeg, detail: "lossless, with fewer colours") }
      return Component(identifier: file.byte(start + 6 + 3 * index) ?? 0)
    }
  }

  private mutating func readTables(_ content: Range<Int>) throws(DecodingError) {
    var place = content.lowerBound
    while place + 17 <= content.upperBound, let head = file.byte(place), let counts = file.slice(place + 1, 16) {
      let count = counts.reduce(0) { $0 + Int($1) }
      guard head < 4, place + 17 + count <= content.upperBound, let symbols = file.slice(place + 17, count) else {
        throw .damaged(detail: "a table that is none")
      }
      codes[Int(head)] = (Array(counts), Array(symbols))
      place += 17 + count
    }
  }

  private mutating func readScan(_ content: Range<Int>) throws(DecodingError) {
    let start = content.lowerBound
    guard let count = file.byte(start).map({ Int($0) }), content.count >= 4 + 2 * count, !components.isEmpty else {
      throw .damaged(detail: "a scan without a frame")
    }
    guard count == components.count else { throw .unsupported(.jpeg, detail: "lossless, in several scans") }
    for index in 0..<count {
      guard let place = components.firstIndex(where: { $0.identifier == file.byte(start + 1 + 2 * index) }),
        let table = file.byte(start + 2 + 2 * index)
      else { throw .damaged(detail: "a scan of other samples") }
      components[place].table = Int(table >> 4) & 3
    }
    predictor = Int(file.byte(start + 1 + 2 * count) ?? 0)
    pointTransform = Int((file.byte(start + 3 + 2 * count) ?? 0) & 15)
    guard (1...7).contains(predictor), pointTransform < precision else { throw .damaged(detail: "no such prediction") }
    scanStart = content.upperBound
  }

  // MARK: - Rows

  /// Decodes the rows that the result needs.
  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    guard let size, size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    let scanTables = components.compactMap { component in
      codes[component.table].flatMap { HuffmanTable(counts: $0.counts, symbols: $0.symbols) }
    }
    let count = components.count
    guard scanTables.count == count else { throw .damaged(detail: "a table that is not there") }
    // Restart markers are supported only at the ends of rows.
    guard restartInterval % size.width == 0 else { throw .unsupported(.jpeg, detail: "lossless, with odd restarts") }
    let restartRows = restartInterval / size.width
    var rows = try RowReducer(size, for: placement, backdrop: Backdrop(.black), interruption: interruption)
    let row = try ScratchMemory<UInt8>(count: size.width * 4)
    // The current row and the one above, sample by sample.
    let samples = try ScratchMemory<UInt16>(count: 2 * size.width * count)
    var (current, above) = (samples.elements, samples.elements + size.width * count)
    var bits = EntropyBits(file.bytes, from: scanStart)
    for y in 0..<size.height where !rows.isFull {
      let isFirst = y == 0 || restartRows > 0 && y % restartRows == 0
      if isFirst, y > 0 { bits.skipRestart() }
      for x in 0..<size.width {
        for component in 0..<count {
          let index = x * count + component
          guard let difference = scanTables[component].difference(&bits) else { return try finish(rows, y) }
          let predicted = predict(current + index, above + index, step: count, x, isFirst: isFirst)
          current[index] = UInt16(truncatingIfNeeded: predicted &+ difference)
        }
      }
      if rows.needsNextRow { writeRow(current, count: size.width, in: row.elements) }
      try rows.append(row.elements, hasAlpha: false)
      swap(&current, &above)
    }
    return try rows.finish(isDamaged: false)
  }

  private func finish(_ rows: consuming RowReducer, _ y: Int) throws(DecodingError) -> ReducedPicture {
    guard y > 0 else { throw .damaged(detail: "the file ends before its pixels") }
    return try rows.finish(isDamaged: true)
  }

  /// Returns the prediction of a sample from its neighbours (table H.1).
  private func predict(
    _ place: UnsafePointer<UInt16>, _ above: UnsafePointer<UInt16>, step: Int, _ x: Int, isFirst: Bool
  ) -> Int {
    if isFirst { return x == 0 ? 1 << (precision - pointTransform - 1) : Int(place[-step]) }
    let up = Int(above[0])
    if x == 0 { return up }
    let (left, corner) = (Int(place[-step]), Int(above[-step]))
    return switch predictor {
    case 1: left
    case 2: up
    case 3: corner
    case 4: left + up - corner
    case 5: left + (up - corner) >> 1
    case 6: up + (left - corner) >> 1
    default: (left + up) >> 1
    }
  }

  private func writeRow(_ samples: UnsafePointer<UInt16>, count: Int, in row: UnsafeMutablePointer<UInt8>) {
    let most = (1 << precision) - 1
    let step = components.count
    if isLumaAndChroma { return writeLumaAndChroma(samples, count: count, most: Float(most), in: row) }
    for x in 0..<count {
      for channel in 0..<3 {
        let sample = min(most, Int(samples[x * step + (step == 3 ? channel : 0)]) << pointTransform)
        row[4 * x + channel] = UInt8(truncatingIfNeeded: (sample * 255 + most / 2) / most)
      }
      row[4 * x + 3] = 255
    }
  }

  /// Converts YCbCr as defined by JFIF (ITU-T T.871, 7).
  private func writeLumaAndChroma(
    _ samples: UnsafePointer<UInt16>, count: Int, most: Float, in row: UnsafeMutablePointer<UInt8>
  ) {
    let middle = Float(1 << (precision - 1))
    func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, (value * 255 / most).rounded()))) }
    for x in 0..<count {
      let luma = Float(Int(samples[3 * x]) << pointTransform)
      let blue = Float(Int(samples[3 * x + 1]) << pointTransform) - middle
      let red = Float(Int(samples[3 * x + 2]) << pointTransform) - middle
      row[4 * x] = byte(luma + 1.402 * red)
      row[4 * x + 1] = byte(luma - 0.344136 * blue - 0.714136 * red)
      row[4 * x + 2] = byte(luma + 1.772 * blue)
      row[4 * x + 3] = 255
    }
  }

  // MARK: - Entropy coding

  /// A Huffman code (annex C), decoded with a lookup of sixteen bits.
  private struct HuffmanTable {
    /// The code's length in the high byte and its symbol in the low one; 0 if there is no such code.
    private let entries: [UInt16]

    /// Creates a table, or returns nil if there are more codes than sixteen bits can represent.
    init?(counts: [UInt8], symbols: [UInt8]) {
      var entries = [UInt16](repeating: 0, count: 1 << 16)
      var (code, index) = (0, 0)
      for length in 1...16 {
        for _ in 0..<Int(counts[length - 1]) {
          let first = code << (16 - length)
          let end = first + 1 << (16 - length)
          guard end <= entries.count, index < symbols.count else { return nil }
          let entry = UInt16(length) << 8 | UInt16(symbols[index])
          for place in first..<end { entries[place] = entry }
          (code, index) = (code + 1, index + 1)
        }
        code <<= 1
      }
      self.entries = entries
    }

    /// Reads the next difference, or returns nil at the end of the file or if there is no such code.
    func difference(_ bits: inout EntropyBits) -> Int? {
      let entry = entries[bits.peek(16)]
      guard entry != 0, bits.consume(Int(entry >> 8)) else { return nil }
      let size = Int(entry & 0xFF)
      guard size > 0 else { return 0 }
      if size == 16 { return 32_768 }
      guard size < 16 else { return nil }
      let number = bits.peek(size)
      guard bits.consume(size) else { return nil }
      return number < 1 << (size - 1) ? number - (1 << size) + 1 : number
    }
  }

  /// The bits of a scan, from the highest.
  ///
  /// Bits past its end are zero.
  private struct EntropyBits {
    private let bytes: UnsafeRawBufferPointer
    private var place: Int
    private var buffer: UInt64 = 0
    private var count = 0
    /// The number of bits in the buffer that are padding past the end of the data.
    private var paddingBits = 0

    init(_ bytes: UnsafeRawBufferPointer, from place: Int) {
      self.bytes = bytes
      self.place = place
    }

    /// Returns the next bits, up to 16, without consuming them.
    mutating func peek(_ wanted: Int) -> Int {
      while count < wanted {
        var byte: UInt8 = 0
        if place < bytes.count, bytes[place] != 0xFF {
          byte = bytes[place]
          place += 1
        } else if place + 1 < bytes.count, bytes[place + 1] == 0 {
          byte = 0xFF
          place += 2
        } else {
          // A marker, or the end of the file.
          paddingBits += 8
        }
        buffer = buffer << 8 | UInt64(byte)
        count += 8
      }
      return Int(truncatingIfNeeded: buffer >> UInt64(count - wanted)) & ((1 << wanted) - 1)
    }

    /// Consumes bits that were peeked at.
    ///
    /// - Returns: False if some of them are past the end of the data.
    mutating func consume(_ passed: Int) -> Bool {
      count -= passed
      return count >= paddingBits
    }

    /// Moves past the next restart marker.
    mutating func skipRestart() {
      (buffer, count, paddingBits) = (0, 0, 0)
      while place + 1 < bytes.count, !(bytes[place] == 0xFF && (0xD0...0xD7).contains(bytes[place + 1])) { place += 1 }
      place += 2
    }
  }
}
