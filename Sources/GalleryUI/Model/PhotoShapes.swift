import Geometry
import PhotoLibrary

/// The width of each photograph for its height, as it is looked at.
nonisolated struct PhotoShapes: Sendable {
  /// What most photographs have: the shape of those of which nobody knows it yet.
  static let unknown: Float = 1.5

  private var noted = PhotoColumn<Float>(unset: PhotoShapes.unknown)
  /// Who computes shapes; nothing where they are noted as they become known.
  private var computed: (any PhotoRecords)?

  /// The shape of a photograph.
  subscript(item: PhotoID) -> Float { computed.map { PhotoShapes.shape(of: $0.size(of: item)) } ?? noted[item] }

  /// Notes the shape of a photograph, as far as it is known.
  ///
  /// - Returns: whether it is another one.
  mutating func note(_ item: PhotoID, _ size: PixelSize?) -> Bool {
    let shape = PhotoShapes.shape(of: size)
    guard shape != noted[item] else { return false }
    noted[item] = shape
    return true
  }

  /// Has shapes computed by records, as they are now.
  mutating func compute(by records: any PhotoRecords) { computed = records }

  private static func shape(of size: PixelSize?) -> Float {
    size.map { Float($0.width) / Float($0.height) } ?? unknown
  }
}
