import Geometry
import Hosting
import PhotoLibrary

/// The files that a recording lists, and where they lay; relative paths begin from where the recorded program was.
struct RecordedListing {
  let files: [ListedFile]
  let roots: [PhotoPath]
  let wantedPath: PhotoPath?

  /// Takes them from a recording; nothing where it lists none.
  init?(_ replay: Replay) {
    let header = replay.recording.header
    guard header.listsFiles else { return nil }
    func path(_ bytes: [UInt8]) -> PhotoPath { RecordedListing.path(bytes, in: replay) }
    files = replay.recording.files.compactMap { file in
      PercentEncoding.bytes(of: file.path).map { bytes in
        ListedFile(
          path: path(bytes), byteCount: file.bytes, modificationNanoseconds: file.modified,
          size: file.width.flatMap { width in file.height.flatMap { PixelSize(width: width, height: $0) } },
          captureTime: file.taken)
      }
    }
    roots = replay.operands.map(path)
    wantedPath = header.wanted.flatMap(PercentEncoding.bytes(of:)).map(path)
  }

  /// A path as it was meant where it was recorded.
  static func path(_ bytes: [UInt8], in replay: Replay) -> PhotoPath {
    let path = PhotoPath(bytes)
    let folder = replay.recording.header.workingFolder.flatMap(PercentEncoding.bytes(of:)).map { PhotoPath($0) }
    // As it was given where that leads to the same place, as it is shown so.
    guard let folder, folder != PhotoPath(".").absolute else { return path }
    return path.absolute(from: folder)
  }

  /// What a run without a listing was given: paths as they were meant there, addresses as they are.
  static func operands(of replay: Replay) throws(ManifestLocationError) -> [[UInt8]] {
    try replay.operands.map { operand throws(ManifestLocationError) in
      if case .web? = try ManifestLocation.parse(operand) { return operand }
      return path(operand, in: replay).bytes
    }
  }
}
