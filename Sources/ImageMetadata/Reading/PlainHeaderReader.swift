/// Reads the sizes of formats that keep them at a fixed place: BMP and QOI.
struct FixedOffsetHeaderReader {
  let file: FetchedBytes

  func read(into header: inout ImageHeader) throws(HeaderReadError) {
    switch header.format {
    case .qoi:
      let width = try file.number(at: 4, bytes: 4, .bigEndian)
      let height = try file.number(at: 8, bytes: 4, .bigEndian)
      header.setStoredSize(width: width, height: height)
    case .bmp:
      // The oldest header has two bytes a side; the later ones have four, and a negative height for rows from the top.
      let isOldest = try file.number(at: 14, bytes: 4, .littleEndian) == 12
      let bytes = isOldest ? 2 : 4
      let width = try file.number(at: 18, bytes: bytes, .littleEndian)
      let height = try file.number(at: 18 + bytes, bytes: bytes, .littleEndian)
      header.setStoredSize(width: width, height: height >= 1 << 31 ? (1 << 32) - height : height)
    default:
      break
    }
  }
}
