import Geometry
import ImageMetadata
import ImagePipeline
import PhotoLibrary

/// One line of verdicts.
enum VerdictLine {
  /// A picture that could be prepared.
  static func text(_ photo: Photo, _ image: DecodedImage) -> String {
    let size = image.sourceSize ?? photo.header?.size
    return line(
      photo, "ok", size.map { String($0.width) } ?? "", size.map { String($0.height) } ?? "",
      image.isDamaged ? "damaged, shown in part" : "")
  }

  /// An item that could not.
  static func text(_ photo: Photo, failure: String) -> String {
    let size = photo.header?.size
    return line(
      photo, "error", size.map { String($0.width) } ?? "", size.map { String($0.height) } ?? "", failure)
  }

  private static func line(
    _ photo: Photo, _ verdict: String, _ width: String, _ height: String, _ reason: String
  ) -> String {
    let orientation = photo.header.map { String($0.orientation.rawValue) } ?? ""
    return [photo.path.escaped, verdict, width, height, orientation, reason].joined(separator: "\t")
  }
}
