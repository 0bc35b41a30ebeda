public import Geometry
public import ImagePipeline

/// Pictures without files, of which everything follows from their number, from 0 up.
public protocol PictureAlbum: Sendable {
  /// What a picture is called.
  func title(at number: Int) -> String

  /// A picture's extent in pixels.
  func size(at number: Int) -> PixelSize

  /// When a picture was taken, in seconds since 1970 by the camera's own clock.
  ///
  /// Numbers go from month to month, the latest first, and within a month forward.
  func captureTime(at number: Int) -> Int64

  /// What a picture looks like, small; asked by the thread that draws.
  func tinyPreview(at number: Int) -> TinyPreview?
}

extension PictureAlbum {
  /// Unknown until the picture was painted.
  public func tinyPreview(at number: Int) -> TinyPreview? { nil }
}
