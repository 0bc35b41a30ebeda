package import Geometry

/// What a thumbnail that programs share says of itself and of its original: the size, and texts of PNG.
///
/// A pure function of the file's first bytes, which takes any bytes. Only what stands before the pixels is read, and no
/// text is inflated.
package struct SharedThumbnailMetadata: Hashable, Sendable {
  /// The thumbnail's size.
  package let size: PixelSize
  /// The URI of the original (`Thumb::URI`).
  package private(set) var uri: String?
  /// When the original was changed, in seconds since 1970 (`Thumb::MTime`).
  package private(set) var modifiedSeconds: Int?
  /// The original's bytes (`Thumb::Size`), which not all programs tell.
  package private(set) var byteCount: Int?

  /// Why there is no thumbnail (``SharedFailure``), in a file of our own that says that there is none.
  package private(set) var failure: SharedThumbnailFailure?

  /// When anything of the file was last changed for which there is none, as that file tells it.
  private(set) var changed: String?

  /// The bytes that the facts are looked for in.
  package static let maximumBytes = 1 << 14
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads a file's first bytes.
  ///
  /// - Returns: nothing where it is no PNG.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: SharedThumbnailMetadata.signature),
      let head = SharedThumbnailMetadata.chunk(at: 8, in: bytes),
      head.name == "IHDR", head.content.count == 13,
      let width = SharedThumbnailMetadata.number(at: head.content.startIndex, in: bytes),
      let height = SharedThumbnailMetadata.number(at: head.content.startIndex + 4, in: bytes),
      let size = PixelSize(width: width, height: height)
    else { return nil }
    self.size = size
    var place = head.content.endIndex + 4
    while let chunk = SharedThumbnailMetadata.chunk(at: place, in: bytes), chunk.name != "IDAT" {
      if chunk.name == "tEXt" { parseText(bytes[chunk.content]) }
      place = chunk.content.endIndex + 4
    }
  }

  /// Whether this is a thumbnail of an original as it is now.
  package func matches(_ uri: String, modifiedSeconds: Int, byteCount: Int) -> Bool {
    self.uri == uri && self.modifiedSeconds == modifiedSeconds && (self.byteCount ?? byteCount) == byteCount
  }

  /// Whether this is a thumbnail of an original as it is now.
  func matches(_ uri: String, _ original: FileIdentity) -> Bool {
    matches(uri, modifiedSeconds: original.modifiedSeconds, byteCount: original.byteCount)
  }

  /// Why there is no thumbnail of a file, where this says so and the file is what it was then in every way.
  func failure(of uri: String, _ original: PictureFile.Version) -> SharedThumbnailFailure? {
    matches(uri, original.identity) && changed == SharedThumbnailFailure.changeTime(original) ? failure : nil
  }

  /// Whether the thumbnail shows all of a picture of a size, and neither a part of it nor a side that was not turned.
  package func showsAll(of picture: PixelSize) -> Bool {
    let longer = max(picture.width, picture.height)
    // As far as whole pixels tell.
    return abs(size.width * picture.height - size.height * picture.width) <= longer
  }

  private mutating func parseText(_ text: ArraySlice<UInt8>) {
    guard let end = text.firstIndex(of: 0) else { return }
    let value = String(decoding: text[(end + 1)...], as: UTF8.self)
    // Of two of a name the first counts, so that what is read first says nothing else than the whole.
    switch String(decoding: text[..<end], as: UTF8.self) {
    case "Thumb::URI": uri = uri ?? value
    // Some programs tell fractions of a second.
    case "Thumb::MTime":
      modifiedSeconds = modifiedSeconds ?? value.split(separator: ".", maxSplits: 1).first.flatMap { Int($0) }
    case "Thumb::Size": byteCount = byteCount ?? Int(value)
    case SharedThumbnailFailure.keyword: failure = failure ?? SharedThumbnailFailure(rawValue: value)
    case SharedThumbnailFailure.changeKeyword: changed = changed ?? value
    default: break
    }
  }

  /// A chunk whose name begins four bytes after a place; nothing where it does not end within the bytes.
  private static func chunk(at place: Int, in bytes: [UInt8]) -> (name: String, content: Range<Int>)? {
    guard let count = number(at: place, in: bytes), place + 8 + count <= bytes.count else { return nil }
    return (String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self), (place + 8)..<(place + 8 + count))
  }

  /// Four bytes, the highest first.
  private static func number(at place: Int, in bytes: [UInt8]) -> Int? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
