import VitrineGeometry
import VitrinePhotoLibrary

/// The common magnification and place of pictures that are shown side by side, and how each one differs from them.
///
/// A value that knows nothing of views. The pictures' places are relative to their size, so that pictures of the same
/// subject in different sizes show the same part of it.
///
/// Invariants:
/// - While the pictures are linked, each one is at the common place, changed by its difference, as far as its edges allow.
/// - A picture without a difference is at the common place. When all pictures are whole, there are no differences.
nonisolated struct PictureLink: Sendable {
  /// How a picture differs from the common place.
  private struct Difference: Hashable {
    var factor = 1.0
    var center = Point.zero
  }

  /// Whether a change of one picture changes all.
  private(set) var isLinked = true
  private var common = PictureZoom.Place()
  private var differences: [PhotoID: Difference] = [:]

  /// Creates a link of whole pictures.
  init() {}

  /// Returns the place of a picture.
  func place(of item: PhotoID) -> PictureZoom.Place {
    let difference = differences[item] ?? Difference()
    return PictureZoom.Place(
      factor: common.factor * difference.factor, center: common.center + difference.center, excess: common.excess)
  }

  /// Records that the user, or a motion that the user began, changed the place of a picture.
  ///
  /// The common place becomes that of the picture, so that no error accumulates.
  ///
  /// - Parameters:
  ///   - item: The picture.
  ///   - start: The place before.
  ///   - end: The place now.
  ///   - alone: Whether only this picture is moved, to align it with the others.
  mutating func record(
    _ item: PhotoID, from start: PictureZoom.Place, to end: PictureZoom.Place, alone: Bool = false
  ) {
    guard isLinked, start != end else { return }
    guard end.factor > 1.000_001 else {
      differences = [:]
      common = end
      return
    }
    if alone { differences[item] = difference(of: end) } else { adopt(end, of: item) }
  }

  /// Adopts the place of a picture whose view was resized.
  mutating func adopt(_ place: PictureZoom.Place, of item: PhotoID) {
    guard isLinked else { return }
    let difference = differences[item] ?? Difference()
    common = PictureZoom.Place(
      factor: place.factor / difference.factor, center: place.center - difference.center, excess: place.excess)
  }

  /// Keeps the common place although a picture was turned, whose place is another one now.
  mutating func turn(_ item: PhotoID, to place: PictureZoom.Place) {
    if isLinked { differences[item] = difference(of: place) }
  }

  private func difference(of place: PictureZoom.Place) -> Difference {
    Difference(factor: place.factor / common.factor, center: place.center - common.center)
  }

  /// Ends the link, so that each picture is moved on its own.
  mutating func unlink() { isLinked = false }

  /// Links pictures again, which stay where they are.
  ///
  /// - Parameters:
  ///   - places: The pictures' places.
  ///   - item: The picture whose place becomes the common one.
  mutating func link(_ places: [PhotoID: PictureZoom.Place], to item: PhotoID) {
    isLinked = true
    common = places[item] ?? PictureZoom.Place()
    differences = places.mapValues(difference)
  }

  /// Forgets the differences of pictures that are not shown any more.
  mutating func keep(_ items: [PhotoID]) { differences = differences.filter { items.contains($0.key) } }
}
