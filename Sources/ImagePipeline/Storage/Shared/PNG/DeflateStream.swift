/// Bytes made shorter as zlib's format wants them (RFC 1950, RFC 1951), block after block.
///
/// What is looked for is runs of one byte, and each block has a code of its own for what is left: of rows that PNG's filters
/// have been over nothing else is worth its time.
struct DeflateStream {
  /// Codes 256 and above: a block's end, and lengths of runs.
  private static let symbolCount = 286
  private static let endOfBlock = 256
  private static let shortestRun = 3
  private static let longestRun = 258

  /// What was written, without bits that do not fill a byte yet.
  private(set) var bytes: [UInt8] = [0x78, 0x01]
  private var bitBuffer: UInt64 = 0
  private var bufferedBitCount = 0
  private var (low, high): (UInt32, UInt32) = (1, 0)

  /// Writes a block.
  ///
  /// - Parameters:
  ///   - data: what it holds; at least a byte.
  ///   - isLast: whether none follows; then ``bytes`` are whole.
  /// - Complexity: O(count).
  mutating func addBlock(_ data: UnsafeRawBufferPointer, isLast: Bool) {
    updateChecksum(data)
    let tokens = DeflateStream.tokens(data)
    let runs = RunLengths.all
    var frequencies = [Int](repeating: 0, count: DeflateStream.symbolCount)
    frequencies[DeflateStream.endOfBlock] = 1
    for token in tokens { frequencies[token < 256 ? Int(token) : runs[Int(token) - 256].symbol] += 1 }
    let code = HuffmanCode(frequencies: frequencies)
    write(isLast ? 1 : 0, bits: 1)
    write(2, bits: 2)
    writeCodeLengths(code)
    bytes.reserveCapacity(bytes.count + data.count)
    for token in tokens {
      guard token >= 256 else {
        write(Int(code.codes[Int(token)]), bits: Int(code.lengths[Int(token)]))
        continue
      }
      let run = runs[Int(token) - 256]
      write(Int(code.codes[run.symbol]), bits: Int(code.lengths[run.symbol]))
      // The distance is always 1, whose code is the only one: a bit.
      write(run.extraBits, bits: run.extraBitCount + 1)
    }
    write(Int(code.codes[DeflateStream.endOfBlock]), bits: Int(code.lengths[DeflateStream.endOfBlock]))
    if isLast { finish() }
  }

  /// Bytes, and 256 and the length less ``shortestRun`` where the byte before goes on.
  private static func tokens(_ data: UnsafeRawBufferPointer) -> [UInt16] {
    [UInt16](unsafeUninitializedCapacity: data.count) { tokens, count in
      var place = 0
      while place < data.count {
        let byte = data[place]
        tokens[count] = UInt16(byte)
        count += 1
        place += 1
        var run = 0
        let most = min(longestRun, data.count - place)
        while run < most, data[place + run] == byte { run += 1 }
        guard run >= shortestRun else { continue }
        tokens[count] = UInt16(256 + run - shortestRun)
        count += 1
        place += run
      }
    }
  }

  /// The block's code: its symbols' lengths, each in four bits, and one distance of one bit.
  private mutating func writeCodeLengths(_ code: HuffmanCode) {
    write(DeflateStream.symbolCount - 257, bits: 5)
    write(0, bits: 5)
    write(15, bits: 4)
    // Of the code for lengths: 16, 17 and 18, which are for repetitions, do not occur, and all others take four bits.
    for place in 0..<19 { write(place < 3 ? 0 : 4, bits: 3) }
    for length in code.lengths { write(Int(HuffmanCode.reversed(Int(length), bits: 4)), bits: 4) }
    write(Int(HuffmanCode.reversed(1, bits: 4)), bits: 4)
  }

  /// Takes bytes into the checksum of all (Adler-32).
  private mutating func updateChecksum(_ data: UnsafeRawBufferPointer) {
    var place = 0
    while place < data.count {
      // As many as cannot overflow.
      let end = min(place + 5_552, data.count)
      while place < end {
        low &+= UInt32(data[place])
        high &+= low
        place += 1
      }
      low %= 65_521
      high %= 65_521
    }
  }

  private mutating func finish() {
    if bufferedBitCount > 0 { write(0, bits: 8 - bufferedBitCount) }
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: (high << 16 | low) >> shift)) }
  }

  @inline(__always)
  private mutating func write(_ value: Int, bits: Int) {
    bitBuffer |= UInt64(truncatingIfNeeded: value) << UInt64(bufferedBitCount)
    bufferedBitCount += bits
    while bufferedBitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bitBuffer))
      bitBuffer >>= 8
      bufferedBitCount -= 8
    }
  }
}

/// How deflate writes the length of a run: a symbol, and bits of its own behind it.
private struct RunLengths {
  var symbol: Int
  var extraBits: Int
  var extraBitCount: Int

  /// Those of 3 to 258 bytes.
  static let all: [RunLengths] = (3...258).map { length in
    guard length < 258 else { return RunLengths(symbol: 285, extraBits: 0, extraBitCount: 0) }
    guard length > 10 else { return RunLengths(symbol: 254 + length, extraBits: 0, extraBitCount: 0) }
    // Four symbols for each number of bits, twice as many lengths with each.
    let restBits = (length - 3).bitWidth - (length - 3).leadingZeroBitCount - 3
    let quarter = (length - 3) >> restBits
    return RunLengths(
      symbol: 257 + restBits * 4 + quarter, extraBits: (length - 3) & (1 << restBits - 1), extraBitCount: restBits)
  }
}
