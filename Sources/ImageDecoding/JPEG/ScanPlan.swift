/// Which scans of a JPEG file are read for a picture of some eighths of its size, and what is kept of them.
struct ScanPlan: Hashable {
  /// Scans that are read, at most.
  let scanCount: Int
  /// Of how many rows and columns of a block's coefficients memory is kept; 8 is all.
  let keptSide: Int

  /// The coefficients on a side of a block.
  private static let blockSide = 8

  /// Plans the reading.
  ///
  /// Colours at half the size need twice the coefficients of luminance. What later scans refine must be kept whole, as
  /// they say nothing of coefficients that are nought.
  ///
  /// - Parameters:
  ///   - scans: the file's, in their order; none where it is not progressive, and all it has are read.
  ///   - components: how many the frame has.
  ///   - eighths: the scale.
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
    let keepsAll = scans.prefix(needed).contains(where: \.needsEarlierScans)
    keptSide = keepsAll ? ScanPlan.blockSide : min(ScanPlan.blockSide, 2 * eighths)
  }

  /// The bytes that are kept, where all would be so many.
  func keptBytes(ofAll bytes: Int) -> Int { bytes / 64 * keptSide * keptSide }
}
