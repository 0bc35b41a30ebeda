import Glibc

/// A reader of untrusted bytes that a fuzzer of the package `Fuzzing` calls.
///
/// The calls are here and not in that package, so that the tests make them too, with the kept inputs.
public enum FuzzedReader: String, CaseIterable, Sendable {
  /// The frames of animations.
  case animations = "Animations"
  /// The records of the decoding protocol.
  case answers = "Answers"
  /// The boxes of HEIC and AVIF files.
  case boxes = "Boxes"
  /// The stored records of folders.
  case catalogue = "Catalogue"
  /// The codes of JPEG files.
  case codes = "Codes"
  /// EXIF data.
  case exif = "Exif"
  /// The headers of image files.
  case headers = "Headers"
  /// Lists of pictures on the web.
  case manifest = "Manifest"
  /// Thumbnails that programs share.
  case shared = "Shared"
  /// The file of stored previews.
  case storage = "Storage"
  /// TIFF files.
  case tiff = "Tiff"

  /// Reads an input.
  ///
  /// Stops the program if the reader breaks one of its rules. An input that is refused is none.
  public func read(_ bytes: UnsafeRawBufferPointer) {
    let read =
      switch self {
      case .animations: decodeAnimation
      case .answers: readRecord
      case .boxes: readBoxes
      case .catalogue: readFolder
      case .codes: compareSkippedCodes
      case .exif: readExif
      case .headers: readHeader
      case .manifest: readManifest
      case .shared: readThumbnail
      case .storage: readStorage
      case .tiff: decodeTIFF
      }
    bytes.withMemoryRebound(to: UInt8.self) { read($0.baseAddress, $0.count) }
  }

  /// The folder of the files that ``storage`` reads.
  ///
  /// scripts/fuzz sets the variable. It and the tests delete the folder.
  public static var storageFolder: String {
    getenv("VITRINE_FUZZ_FOLDER").map { String(cString: $0) } ?? "/tmp/vitrine-fuzz.\(getpid())"
  }
}
