/// A prefix code of deflate: canonical, no symbol longer than 15 bits (RFC 1951, 3.2.2).
struct HuffmanCode: Sendable {
  /// The longest a symbol may be, in bits.
  static let longest = 15

  /// The bits of each symbol; 0 for one that does not occur.
  let lengths: [UInt8]
  /// What is written for each symbol, the first bit lowest.
  let codes: [UInt16]

  /// The best code for symbols that occur so often, of which at least two do.
  /// - Complexity: O(n log n), n being the number of symbols.
  init(frequencies: [Int]) {
    var counts = frequencies
    var lengths = HuffmanCode.depths(counts)
    // A rare symbol may be too deep: nearer counts make a flatter tree, and equal ones one of 9 bits at most.
    while lengths.contains(where: { $0 > HuffmanCode.longest }) {
      counts = counts.map { ($0 + 1) / 2 }
      lengths = HuffmanCode.depths(counts)
    }
    self.lengths = lengths
    codes = HuffmanCode.codes(lengths)
  }

  /// How deep each symbol stands in Huffman's tree, whose two lightest nodes are joined until one is left.
  private static func depths(_ counts: [Int]) -> [UInt8] {
    let symbols = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$0], $0) < (counts[$1], $1) }
    var depths = [UInt8](repeating: 0, count: counts.count)
    guard symbols.count > 1 else { return depths }
    // Joined nodes come out in the order of their weights, so two lines that are sorted are enough.
    var weights = symbols.map { counts[$0] }
    var parents = [Int](repeating: 0, count: symbols.count * 2 - 1)
    var (leaf, joined) = (0, symbols.count)
    for node in symbols.count..<parents.count {
      var weight = 0
      for _ in 0..<2 {
        let takesLeaf = leaf < symbols.count && (joined == node || weights[leaf] <= weights[joined])
        let child = takesLeaf ? leaf : joined
        if takesLeaf { leaf += 1 } else { joined += 1 }
        parents[child] = node
        weight += weights[child]
      }
      weights.append(weight)
    }
    var levels = [UInt8](repeating: 0, count: parents.count)
    for node in (0..<(parents.count - 1)).reversed() { levels[node] = levels[parents[node]] + 1 }
    for (place, symbol) in symbols.enumerated() { depths[symbol] = levels[place] }
    return depths
  }

  /// The codes that follow from the lengths alone: shorter ones first, of equal ones in the symbols' order.
  private static func codes(_ lengths: [UInt8]) -> [UInt16] {
    var codes = [UInt16](repeating: 0, count: lengths.count)
    var next = 0
    for length in 1...longest {
      for symbol in lengths.indices where Int(lengths[symbol]) == length {
        codes[symbol] = reversed(next, bits: length)
        next += 1
      }
      next <<= 1
    }
    return codes
  }

  /// Bits in the other order, as deflate writes codes.
  static func reversed(_ code: Int, bits: Int) -> UInt16 {
    var result = 0
    for bit in 0..<bits where code >> bit & 1 == 1 { result |= 1 << (bits - 1 - bit) }
    return UInt16(truncatingIfNeeded: result)
  }
}
