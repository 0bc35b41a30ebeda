import Geometry
import ImageMetadata
import Rendering

/// Decodes lossless JPEG (ITU-T T.81, annex H), as medical pictures and raw files have it.
///
/// Samples of 2 to 16 bits, grey or of three colours in one scan, in Huffman's codes; each is told by how far it is from what
/// its neighbours make of it. Debian 12's libjpeg-turbo knows no such process.
struct LosslessJPEGDecoder {
  private let file: FileReader
  private let interruption: DecodingInterruption

  /// One kind of sample.
  private struct Component {
    var identifier: UInt8
    var table = 0
  }

  private var precision = 0
  private var size: PixelSize?
  private var components: [Component] = []
  /// How many codes of each length there are, and their symbols; tables are made of those alone that the scan uses.
  private var codes: [(counts: [UInt8], symbols: [UInt8])?] = [nil, nil, nil, nil]
  private var restartInterval = 0
  private var predictor = 0
  private var pointTransform = 0
  private var scanStart = 0
  private var hasJFIFMarker = false
  /// What an Adobe marker says of the colours: 0 for red, green and blue, 1 for luma and chroma; nil without one.
  private var adobeTransform: UInt8?

  /// Reads the file's segments up to its first scan.
  ///
  /// - Throws: ``DecodingError/unsupported(_:detail:)`` for kinds that are not decoded, ``DecodingError/damaged(detail:)``.
  init(_ bytes: UnsafeRawBufferPointer, interruption: DecodingInterruption) throws(DecodingError) {
    file = FileReader(bytes)
    self.interruption = interruption
    var place = 2
    while scanStart == 0 {
      // Bytes between two segments are gone over, as libjpeg does.
      while let byte = file.byte(place), let next = file.byte(place + 1), byte != 0xFF || next == 0 || next == 0xFF {
        place += 1
      }
      guard let marker = file.byte(place + 1) else { throw .damaged(detail: "the file ends before its pixels") }
      place += 2
      try interruption.check()
      guard marker != 0x01, !(0xD0...0xD8).contains(marker) else { continue }
      guard marker != 0xD9, let length = file.big(place, bytes: 2), length >= 2, file.slice(place, length) != nil else {
        throw .damaged(detail: "the file ends before its pixels")
      }
      let content = place + 2..<place + length
      switch marker {
      case 0xC3: try readFrame(content)
      case 0xC4: try readTables(content)
      case 0xDD: restartInterval = file.big(content.lowerBound, bytes: 2) ?? 0
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

  /// Whether three samples are luma and two of chroma, by the rules of libjpeg-turbo 3: lossless files are of red, green and
  /// blue unless a marker says otherwise.
  private var isLumaAndChroma: Bool {
    components.count == 3 && (hasJFIFMarker || adobeTransform.map { $0 != 0 } ?? false)
  }

  private mutating func readFrame(_ content: Range<Int>) throws(DecodingError) {
    let start = content.lowerBound
    guard content.count >= 6, let bits = file.byte(start), let height = file.big(start + 1, bytes: 2),
      let width = file.big(start + 3, bytes: 2), let count = file.byte(start + 5), content.count >= 6 + 3 * Int(count)
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

  /// Decodes the rows that the result looks at.
  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    guard let size, size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    let scanTables = components.compactMap { component in
      codes[component.table].flatMap { HuffmanTable(counts: $0.counts, symbols: $0.symbols) }
    }
    let count = components.count
    guard scanTables.count == count else { throw .damaged(detail: "a table that is not there") }
    // Its rows have the restart markers at their ends, or there are none.
    guard restartInterval % size.width == 0 else { throw .unsupported(.jpeg, detail: "lossless, with odd restarts") }
    let restartRows = restartInterval / size.width
    var rows = try RowReducer(size, for: placement, backdrop: Backdrop(.black), interruption: interruption)
    let row = try ScratchMemory<UInt8>(count: size.width * 4)
    // A row and the one above, sample by sample.
    let samples = try ScratchMemory<UInt16>(count: 2 * size.width * count)
    var (current, above) = (samples.elements, samples.elements + size.width * count)
    var bits = EntropyBits(file.bytes, from: scanStart)
    for y in 0..<size.height where !rows.isFull {
      let isFirst = y == 0 || restartRows > 0 && y % restartRows == 0
      if isFirst, y > 0 { bits.passRestart() }
      for x in 0..<size.width {
        for component in 0..<count {
          let index = x * count + component
          guard let difference = scanTables[component].difference(&bits) else { return try finish(rows, y) }
          let predicted = predict(current + index, above + index, step: count, x, isFirst: isFirst)
          current[index] = UInt16(truncatingIfNeeded: predicted &+ difference)
        }
      }
      if rows.wantsNextRow { show(current, count: size.width, in: row.elements) }
      try rows.append(row.elements, hasAlpha: false)
      swap(&current, &above)
    }
    return rows.finish(isDamaged: false)
  }

  private func finish(_ rows: consuming RowReducer, _ y: Int) throws(DecodingError) -> ReducedPicture {
    guard y > 0 else { throw .damaged(detail: "the file ends before its pixels") }
    return rows.finish(isDamaged: true)
  }

  /// What the neighbours make of a sample (table H.1).
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

  private func show(_ samples: UnsafePointer<UInt16>, count: Int, in row: UnsafeMutablePointer<UInt8>) {
    let most = (1 << precision) - 1
    let step = components.count
    if isLumaAndChroma { return showLumaAndChroma(samples, count: count, most: Float(most), in: row) }
    for x in 0..<count {
      for channel in 0..<3 {
        let sample = min(most, Int(samples[x * step + (step == 3 ? channel : 0)]) << pointTransform)
        row[4 * x + channel] = UInt8(truncatingIfNeeded: (sample * 255 + most / 2) / most)
      }
      row[4 * x + 3] = 255
    }
  }

  /// The colours of luma and chroma as JFIF has them (ITU-T T.871, 7).
  private func showLumaAndChroma(
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

  /// Codes and what they stand for (annex C), looked up by sixteen bits at once.
  private struct HuffmanTable {
    /// The code's length in the high byte, its symbol in the low one; 0 for what is no code.
    private let entries: [UInt16]

    /// Makes a table; nil where more codes are said to be than there is room for.
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

    /// The next difference; nil where the file ends or there is no such code.
    func difference(_ bits: inout EntropyBits) -> Int? {
      let entry = entries[bits.peek(16)]
      guard entry != 0, bits.pass(Int(entry >> 8)) else { return nil }
      let size = Int(entry & 0xFF)
      guard size > 0 else { return 0 }
      if size == 16 { return 32_768 }
      guard size < 16 else { return nil }
      let number = bits.peek(size)
      guard bits.pass(size) else { return nil }
      return number < 1 << (size - 1) ? number - (1 << size) + 1 : number
    }
  }

  /// The bits of a scan, from the highest; behind its end they are nought.
  private struct EntropyBits {
    private let bytes: UnsafeRawBufferPointer
    private var place: Int
    private var buffer: UInt64 = 0
    private var count = 0
    /// Bits in the buffer that no byte of the file stands for.
    private var madeUp = 0

    init(_ bytes: UnsafeRawBufferPointer, from place: Int) {
      self.bytes = bytes
      self.place = place
    }

    /// The next bits, up to 16, which stay.
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
          // A marker, or the file's end.
          madeUp += 8
        }
        buffer = buffer << 8 | UInt64(byte)
        count += 8
      }
      return Int(truncatingIfNeeded: buffer >> UInt64(count - wanted)) & ((1 << wanted) - 1)
    }

    /// Leaves bits behind that were peeked at; false where some of them are not in the file.
    mutating func pass(_ passed: Int) -> Bool {
      count -= passed
      return count >= madeUp
    }

    /// Goes behind the next restart marker.
    mutating func passRestart() {
      (buffer, count, madeUp) = (0, 0, 0)
      while place + 1 < bytes.count, !(bytes[place] == 0xFF && (0xD0...0xD7).contains(bytes[place + 1])) { place += 1 }
      place += 2
    }
  }
}
