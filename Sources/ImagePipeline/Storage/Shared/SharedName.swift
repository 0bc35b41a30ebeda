/// How programs name the thumbnails of a file to each other.
struct SharedThumbnailName: Hashable, Sendable {
  /// The file's path, from the root and without what leads nowhere.
  let path: [UInt8]
  /// The file's URI.
  let uri: String
  /// The name of each of its thumbnails, in the folder of its size.
  let fileName: String

  /// Names a file's thumbnails.
  ///
  /// - Parameters:
  ///   - original: the file's path.
  ///   - workingFolder: what relative paths begin at.
  /// - Returns: nothing for a path that leads upwards, which depends on links.
  init?(of original: [UInt8], workingFolder: [UInt8]) {
    let slash = UInt8(ascii: "/")
    let parts = (original.first == slash ? original : workingFolder + [slash] + original).split(separator: slash)
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
    path = [slash] + parts.filter { !$0.elementsEqual(".".utf8) }.joined(separator: [slash])
    guard let uri = DesktopNames.uri(ofPath: path), let digest = DesktopNames.digest(uri) else { return nil }
    self.uri = uri
    fileName = digest + ".png"
  }

  /// The path of the folder that the file is in, and its name there.
  var folderAndFile: (folder: [UInt8], file: [UInt8]) {
    let slash = UInt8(ascii: "/")
    let end = path.lastIndex(of: slash) ?? path.startIndex
    return (Array(path[...end]), Array(path[(end + 1)...]))
  }
}
