import Geometry

/// Reads the extent of a picture sequence that has no item beside it: that of its first track.
struct MovieReader {
  let file: FetchedBytes

  func read(_ movie: Box, into header: inout ImageHeader) throws(HeaderGap) {
    try Box.forEach(in: movie.content, of: file) { track throws(HeaderGap) in
      guard track.name == Box.name("trak") else { return false }
      try Box.forEach(in: track.content, of: file) { box throws(HeaderGap) in
        guard box.name == Box.name("tkhd"), box.content.count >= 84 else { return false }
        // The last two numbers, with sixteen bits behind the point.
        let end = box.content.upperBound
        let width = try file.number(at: end - 8, bytes: 4, .bigEndian) >> 16
        let height = try file.number(at: end - 4, bytes: 4, .bigEndian) >> 16
        header.declare(width: width, height: height)
        return true
      }
      return header.storedSize != nil
    }
  }
}
