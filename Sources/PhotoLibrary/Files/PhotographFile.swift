package import VitrineImageMetadata

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

  /// Reads a file, usually with two reads of 4 KiB.
  ///
  /// It must not be called on the thread that draws, because a disk may take long or not answer at all.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``FileError`` if the file cannot be read.
  package init(readingFrom path: PhotoPath) throws(FileError) {
    let file = try SystemCalls.openFile(path)
    let status = try SystemCalls.status(of: file)
    let length = Int(clamping: status.identity.byteCount)
    byteCount = status.identity.byteCount
    guard status.type == .file else { return }
    func read(_ offset: Int, _ count: Int) throws(FileError) -> [UInt8] {
      try SystemCalls.read(file, from: offset, count: count)
    }
    header = try ImageHeader.read(fileBytes: length, read: read)
    guard let header else { return }
    settings = try CaptureSettings.read(of: header, fileBytes: length, read: read)
  }
}
