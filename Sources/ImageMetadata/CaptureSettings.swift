/// The settings of the camera with which a photograph was taken, as far as the file states them.
package struct CaptureSettings: Hashable, Sendable {
  /// The exposure time in seconds, or nil.
  package var exposureTime: Double?
  /// The f-number of the aperture, or nil.
  package var aperture: Double?
  /// The sensitivity, an ISO speed, or nil.
  package var sensitivity: Int?
  /// The focal length in millimetres, or nil.
  package var focalLength: Double?
  /// The focal length of a lens for 35 mm film with the same angle of view, in millimetres, or nil.
  package var focalLengthIn35mmFilm: Int?
  /// The model of the lens, or nil.
  package var lens: String?

  /// The maximum number of reads, after which the settings count as absent.
  private static let maximumReads = 8

  /// Creates settings, none of which is known.
  package init() {}

  /// Reads the settings from the EXIF data of a file.
  ///
  /// They are not a part of ``ImageHeader``, because only a few photographs are asked for them, and scanning a library
  /// should not cost more.
  ///
  /// - Parameters:
  ///   - header: The header of the file.
  ///   - fileBytes: The length of the file in bytes.
  ///   - read: A closure that reads `count` bytes at `offset`, or fewer at the end of the file.
  /// - Returns: The settings, or nil if the file has no EXIF data.
  /// - Throws: The closure's error.
  package static func read<Failure: Error>(
    of header: ImageHeader, fileBytes: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> CaptureSettings? {
    guard let range = header.exifData else { return nil }
    var file = FetchedBytes(fileBytes: max(0, fileBytes))
    for _ in 0..<maximumReads {
      let missing: (offset: Int, count: Int)
      do {
        return try ExifReader(file: file, start: range.lowerBound, end: range.upperBound)?.readCaptureSettings()
      } catch HeaderReadError.missingBytes(let offset, let count) {
        missing = (offset, count)
      } catch {
        return nil
      }
      // The directories usually follow each other.
      let end = min(file.fileBytes, missing.offset + max(missing.count, ImageHeaderParser.bytesPerRead))
      file.insertPiece(try read(missing.offset, end - missing.offset), for: missing.offset..<end)
    }
    return nil
  }
}
