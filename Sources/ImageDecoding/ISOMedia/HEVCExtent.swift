/// How much a HEVC stream decodes to, as its sequence parameter set says (ITU-T H.265, section 7.3.2.2).
struct HEVCExtent: Hashable {
  let width: Int
  let height: Int
  /// 0 without colours, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  let chroma: Int
  /// Bits of a sample, the deepest plane's.
  let bits: Int

  private static let sequenceParameters = 33
  /// The standard's levels end far below.
  private static let longestSide = 1 << 20
  /// A parameter set is some dozens of bytes long.
  private static let mostBytes = 1024
  /// Encoders write three or four.
  private static let mostUnits = 64

  /// The largest of the parameter sets in a decoder's configuration; nothing where there is none, where one cannot be read,
  /// and where there are more units than encoders write.
  ///
  /// What a unit is, it says itself, as the decoder reads it; what its array says is not read by anybody.
  ///
  /// - Parameter configuration: the content of a `hvcC` box (ISO/IEC 14496-15, section 8.3.3.1).
  init?(configuration: UnsafeRawBufferPointer) {
    let file = FileReader(configuration)
    var largest: HEVCExtent?
    var place = 23
    var units = 0
    for _ in 0..<Int(file.byte(22) ?? 0) {
      guard let count = file.big(place + 1, bytes: 2) else { break }
      place += 3
      for _ in 0..<count {
        guard let length = file.big(place, bytes: 2), let unit = file.slice(place + 2, length) else { break }
        place += 2 + length
        units += 1
        guard units <= HEVCExtent.mostUnits else { return nil }
        guard let head = unit.first, Int(head >> 1 & 63) == HEVCExtent.sequenceParameters else { continue }
        guard let extent = HEVCExtent(unit: unit) else { return nil }
        if extent.bytes > largest?.bytes ?? 0 { largest = extent }
      }
    }
    guard let largest else { return nil }
    self = largest
  }

  /// Reads a parameter set; nothing where it is too short.
  private init?(unit: UnsafeRawBufferPointer) {
    var bits = HEVCBits(unit.prefix(HEVCExtent.mostBytes))
    // The unit's header and the numbers of the set it refers to.
    bits.pass(16 + 4)
    let layers = bits.number(3)
    bits.pass(1)
    // The profile and the level, and those of each layer.
    bits.pass(88 + 8)
    let flags = (0..<layers).map { _ in (bits.number(1), bits.number(1)) }
    if layers > 0 { bits.pass(2 * (8 - layers)) }
    for flag in flags { bits.pass(88 * flag.0 + 8 * flag.1) }
    _ = bits.exponential()
    chroma = bits.exponential()
    if chroma == 3 { bits.pass(1) }
    width = bits.exponential()
    height = bits.exponential()
    if bits.number(1) == 1 { for _ in 0..<4 { _ = bits.exponential() } }
    self.bits = 8 + max(bits.exponential(), bits.exponential())
    let isSmall = width <= HEVCExtent.longestSide && height <= HEVCExtent.longestSide && self.bits <= 16
    guard !bits.isAtEnd, width > 0, height > 0, chroma <= 3, isSmall else { return nil }
  }

  /// The bytes of all planes.
  var bytes: Int { width * height * [2, 3, 4, 6][chroma] * (bits > 8 ? 2 : 1) / 2 }
}
