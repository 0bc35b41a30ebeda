/// What is known of a progressive JPEG's coefficients after some of its scans (ITU-T T.81, annex G).
struct ScanPrecision: Hashable {
  /// For each component the 64 coefficients in zigzag order: the bits that have not come yet, or nothing where none has.
  private var missing: [[Int?]]

  /// Bits that a coefficient may lack in a small picture: the mean, where they show as banding, and the others.
  private static let mostOfMean = 1
  private static let mostOfOthers = 2
  /// From so many eighths on, a picture is looked at closely and nothing may be missing.
  private static let closeLook = 4

  /// Where the zigzag's coefficients stand in a block: row and column.
  private static let places: [(row: Int, column: Int)] = {
    var places: [(row: Int, column: Int)] = []
    for diagonal in 0..<15 {
      let rows = max(0, diagonal - 7)...min(7, diagonal)
      // Upwards on even diagonals, downwards on odd ones.
      let ordered = diagonal.isMultiple(of: 2) ? Array(rows.reversed()) : Array(rows)
      places += ordered.map { ($0, diagonal - $0) }
    }
    return places
  }()

  /// Nothing is known yet of so many components.
  init(components: Int) { missing = Array(repeating: Array(repeating: nil, count: 64), count: components) }

  /// A scan has come.
  mutating func add(_ scan: JPEGScan) {
    for component in scan.components where component < missing.count {
      for index in scan.coefficients { missing[component][index] = scan.missingBits }
    }
  }

  /// Whether the scans that have come give a picture of so many eighths of the file's size.
  ///
  /// At n eighths libjpeg looks at the n x n lowest coefficients of a block of luminance, and of colours, which are stored
  /// at half the size as a rule, at twice as many. The n x n lowest are asked for there too: of photographs that is within
  /// 43 dB of what all scans give, and better as a rule.
  func suffices(eighths: Int) -> Bool {
    let isClose = eighths >= ScanPrecision.closeLook
    return missing.indices.allSatisfy { component in
      (0..<64).allSatisfy { index in
        let place = ScanPrecision.places[index]
        guard place.row < eighths, place.column < eighths else { return true }
        guard let bits = missing[component][index] else { return false }
        return bits <= (isClose ? 0 : index == 0 ? ScanPrecision.mostOfMean : ScanPrecision.mostOfOthers)
      }
    }
  }
}
