import Geometry
import Hosting
import PhotoLibrary

/// The files that a recording lists, and where they lay; relative paths begin from where the recorded program was.
struct RecordedPlaces {
  let files: [ListedFile]
  let places: [PhotoPath]
  let wanted: PhotoPath?

  /// Takes them from a recording; nothing where it lists none.
  init?(_ replay: Replay) {
    let header = replay.recording.header
    guard header.listsFiles else { return nil }
    let folder = header.workingFolder.flatMap(ByteText.bytes(of:)).map { PhotoPath($0) }
    func path(_ bytes: [UInt8]) -> PhotoPath {
      let path = PhotoPath(bytes)
      // As it was given where that leads to the same place, as it is shown so.
      guard let folder, folder != PhotoPath(".").absolute else { return path }
      return path.absolute(from: folder)
    }
    files = replay.recording.files.compactMap { file in
      ByteText.bytes(of: file.path).map { bytes in
        ListedFile(
          path: path(bytes), byteCount: file.bytes, modificationNanoseconds: file.modified,
          size: file.width.flatMap { width in file.height.flatMap { PixelSize(width: width, height: $0) } },
          captureTime: file.taken)
      }
    }
    places = replay.operands.map(path)
    wanted = header.wanted.flatMap(ByteText.bytes(of:)).map(path)
  }
}
