import VitrineGeometry
import VitrinePhotoLibrary

/// The aspect ratios, width divided by height, of the photographs after orientation.
nonisolated struct PhotoAspectRatios: Sendable {
  /// The most common aspect ratio, used for photographs of unknown size.
  static let defaultAspectRatio: Float = 1.5

  private var recordedRatios = PhotoColumn<Float>(unset: PhotoAspectRatios.defaultAspectRatio)
  /// The records that compute aspect ratios, or nil if they are recorded.
  private var computingRecords: (any PhotoRecords)?

  /// Returns the aspect ratio of a photograph.
  subscript(item: PhotoID) -> Float {
    computingRecords.map { PhotoAspectRatios.aspectRatio(of: $0.size(of: item)) } ?? recordedRatios[item]
  }

  /// Records the size of a photograph, if it is known.
  ///
  /// A photograph of unknown size keeps its aspect ratio until its size is known, so that the layout does not change twice
  /// after its file has changed.
  ///
  /// - Returns: Whether the aspect ratio changed.
  mutating func recordSize(_ item: PhotoID, _ size: PixelSize?) -> Bool {
    guard let size else { return false }
    let shape = PhotoAspectRatios.aspectRatio(of: size)
    guard shape != recordedRatios[item] else { return false }
    recordedRatios[item] = shape
    return true
  }

  /// Computes aspect ratios from the given records from now on.
  mutating func setSource(_ records: any PhotoRecords) { computingRecords = records }

  private static func aspectRatio(of size: PixelSize?) -> Float {
    size.map { Float($0.width) / Float($0.height) } ?? defaultAspectRatio
  }
}
