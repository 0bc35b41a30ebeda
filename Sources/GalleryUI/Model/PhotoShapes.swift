import Geometry
import PhotoLibrary

/// The width of each photograph for its height, as it is looked at.
nonisolated struct PhotoAspectRatios: Sendable {
  /// What most photographs have: the shape of those of which nobody knows it yet.
  static let defaultAspectRatio: Float = 1.5

  private var recordedRatios = PhotoColumn<Float>(unset: PhotoAspectRatios.defaultAspectRatio)
  /// Who computes shapes; nothing where they are noted as they become known.
  private var computingRecords: (any PhotoRecords)?

  /// The shape of a photograph.
  subscript(item: PhotoID) -> Float {
    computingRecords.map { PhotoAspectRatios.aspectRatio(of: $0.size(of: item)) } ?? recordedRatios[item]
  }

  /// Notes the shape of a photograph, as far as it is known.
  ///
  /// - Returns: whether it is another one.
  mutating func recordSize(_ item: PhotoID, _ size: PixelSize?) -> Bool {
    let shape = PhotoAspectRatios.aspectRatio(of: size)
    guard shape != recordedRatios[item] else { return false }
    recordedRatios[item] = shape
    return true
  }

  /// Has shapes computed by records, as they are now.
  mutating func setSource(by records: any PhotoRecords) { computingRecords = records }

  private static func aspectRatio(of size: PixelSize?) -> Float {
    size.map { Float($0.width) / Float($0.height) } ?? defaultAspectRatio
  }
}
