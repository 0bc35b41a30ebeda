package import VitrineFileReading
package import VitrineImageMetadata
import VitrineReadingProtocol

/// What the file of a photograph states about it, read on request for one photograph.
package struct PhotographFile: Hashable, Sendable {
  /// The length in bytes.
  package var byteCount: Int64
  /// The header, or nil if the file is not a picture.
  package var header: ImageHeader?
  /// The settings of the camera, or nil if the file states none.
  package var settings: CaptureSettings?

  /// Creates the description of a file.
  package init(byteCount: Int64, header: ImageHeader? = nil, settings: CaptureSettings? = nil) {
    self.byteCount = byteCount
    self.header = header
    self.settings = settings
  }

  /// Has a file read.
  ///
  /// It must not be called on the thread that draws, because a disk may take long or not answer at all.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - reader: The reader of files of other programs.
  /// - Throws: ``FileError`` if the file cannot be opened, and `FileReadingError` if it cannot be read.
  package init(readingFrom path: PhotoPath, by reader: FileReader) throws {
    let file = try SystemCalls.openFile(path)
    let status = try SystemCalls.status(of: file)
    byteCount = status.identity.byteCount
    guard status.type == .file, byteCount > 0 else { return }
    guard let contents = try reader.read(.photograph, of: file.number, byteCount: byteCount) else { return }
    (header, settings) = (contents.header, contents.settings)
  }
}
