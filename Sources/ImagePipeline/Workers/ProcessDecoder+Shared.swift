import DecodingProtocol
import Geometry
import ImageMetadata

extension ProcessDecoder {
  /// Makes the picture of a thumbnail that another program has made of the file, or tells that an earlier run has found
  /// that there is none to be had.
  ///
  /// Where something small will do, a thumbnail that is too small is enlarged.
  ///
  /// - Returns: nothing where there is nothing of use.
  func decodeSharedThumbnail(
    _ file: borrowing PictureFile, of path: [UInt8], _ shared: SharedThumbnails, _ request: ImageRequest
  ) -> ImageOutcome? {
    let original = file.version.identity
    guard let name = shared.name(of: path) else { return nil }
    let found = shared.thumbnail(name, original, for: request, acceptsSmaller: request.representation == .embedded)
    if let found, health.refusal(of: found.identity) == nil, let outcome = decodeThumbnail(found, file, request) {
      return outcome
    }
    guard request.representation == .full, let failure = shared.failure(name, file.version) else { return nil }
    return .failure(.refused(failure.status))
  }

  private func decodeThumbnail(
    _ found: SharedThumbnails.Match, _ file: borrowing PictureFile, _ request: ImageRequest
  ) -> ImageOutcome? {
    var whole = request
    // All of the thumbnail, not a smaller one that it might carry.
    whole.representation = .full
    let outcome = withExtendedLifetime(found) { decode(found.file.number, found.identity, whole) }
    switch outcome {
    case .success(let image):
      guard !image.isDamaged else { return nil }
      return .success(
        found.isSufficient ? image.markedStored(of: sourceSize(file, found.metadata)) : image.markedPlaceholder)
    case .failure(.interrupted): return outcome
    // The thumbnail's fault is not the file's.
    case .failure: return nil
    }
  }

  /// The original's size, as its own header tells it; nothing where the thumbnail does not show all of that.
  private func sourceSize(_ file: borrowing PictureFile, _ facts: SharedThumbnailMetadata) -> PixelSize? {
    guard let size = file.header?.size, facts.showsAll(of: size) else { return nil }
    return size
  }
}
