/// What a scan of a progressive JPEG brings, as its header says (ITU-T T.81, B.2.3 and G.1).
struct JPEGScan: Hashable {
  /// The components, as places in the frame's header.
  let components: [Int]
  /// The coefficients, as places in the zigzag.
  let coefficients: ClosedRange<Int>
  /// Whether the scan adds a bit to what earlier scans brought.
  let isRefinement: Bool
  /// The lowest bits that it leaves out.
  let missingBits: Int

  /// Whether it can only be read where all earlier coefficients are known.
  var needsEarlierScans: Bool { isRefinement && coefficients.upperBound > 0 }

  /// Reads a scan's header; nothing where it is not as the standard says, or too short.
  ///
  /// - Parameters:
  ///   - bytes: what follows the header's length.
  ///   - identifiers: those of the frame's components, in their order.
  init?(_ bytes: ArraySlice<UInt8>, identifiers: [UInt8]) {
    let content = Array(bytes)
    guard let count = content.first.map(Int.init), (1...4).contains(count), content.count >= 4 + 2 * count else {
      return nil
    }
    let places = (0..<count).compactMap { identifiers.firstIndex(of: content[1 + 2 * $0]) }
    let (start, end) = (Int(content[1 + 2 * count]), Int(content[2 + 2 * count]))
    guard places.count == count, start <= end, end < 64 else { return nil }
    components = places
    coefficients = start...end
    isRefinement = content[3 + 2 * count] >> 4 != 0
    missingBits = Int(content[3 + 2 * count] & 15)
  }
}
