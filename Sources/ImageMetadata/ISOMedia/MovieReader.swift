import Geometry

/// Reads the extent of a picture sequence that has no item beside it: that of its first track.
struct MovieHeaderReader {
  let file: FetchedBytes

  func read(_ movie: ISOMediaBox, into header: inout ImageHeader) throws(HeaderReadError) {
    try ISOMediaBox.forEach(in: movie.content, of: file) { track throws(HeaderReadError) in
      guard track.type == ISOMediaBox.fourCC("trak") else { return false }
      try ISOMediaBox.forEach(in: track.content, of: file) { box throws(HeaderReadError) in
        guard box.type == ISOMediaBox.fourCC("tkhd"), box.content.count >= 84 else { return false }
        // The last two numbers, with sixteen bits behind the point.
        let end = box.content.upperBound
        let width = try file.number(at: end - 8, bytes: 4, .bigEndian) >> 16
        let height = try file.number(at: end - 4, bytes: 4, .bigEndian) >> 16
        header.setStoredSize(width: width, height: height)
        return true
      }
      return header.storedSize != nil
    }
  }
}
