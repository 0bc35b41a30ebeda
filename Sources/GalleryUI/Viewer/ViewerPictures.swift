import FramePacing
import Geometry
import ImageMetadata
import ImagePipeline
import PhotoLibrary
import Rendering

/// Asks the image pipeline for pictures at the window's size: the one that is looked at, and its neighbours behind it.
final class ViewerImageLoader {
  /// What is known of a picture.
  enum State {
    /// It is there, whole or as far as it could be saved.
    case picture(Bitmap)
    /// Something of it is there, until it is.
    case preview(Bitmap)
    /// It cannot be had.
    case failure(ImageFailure)
    /// It is not there yet.
    case missing
  }

  private struct Request {
    let key: ImageKey
    let ticket: ImageTicket
  }

  private let pipeline: ImagePipeline
  private let reference: (PhotoID) -> PhotoReference?
  private let background: UInt32
  private var requests: [PhotoID: Request] = [:]
  private var pinnedKey: ImageKey?
  /// The most pixels of a picture: more than a screen has, and less than a decoding process can give.
  private static let maximumPixels = 12 << 20
  /// Larger than what a grid takes: one picture is worth more than a thumbnail.
  private static let limits = ImageLimits(
    longestSide: 65_500, maximumPixels: 400_000_000, maximumPixelsPerByte: ImageLimits.standard.maximumPixelsPerByte,
    ratioCheckThreshold: ImageLimits.standard.ratioCheckThreshold)

  init(pipeline: ImagePipeline, background: Color, photo: @escaping (PhotoID) -> PhotoReference?) {
    self.pipeline = pipeline
    self.reference = photo
    self.background = background.packed
  }

  /// Wants a picture, and those beside it once that is there; gives up all others.
  ///
  /// - Parameters:
  ///   - item: the picture.
  ///   - neighbours: those that may come next, the likeliest first.
  ///   - size: the window's size in pixels.
  func requestImages(for item: PhotoID, neighbours: [PhotoID], at size: PixelSize, now instant: FrameInstant) {
    let wanted = [item] + neighbours
    for (other, request) in requests.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where !wanted.contains(other) || request.key != key(of: other, size) {
      requests[other] = nil
      pipeline.cancel(request.ticket)
    }
    for (place, next) in wanted.enumerated() {
      // Before what is on screen in the grid, and its neighbours behind that.
      let deadline = place == 0 ? FrameInstant(nanoseconds: .min / 2 - 1) : instant + .milliseconds(Double(place))
      requestImage(for: next, at: size, deadline: deadline)
    }
    let key = key(of: item, size)
    guard key != pinnedKey else { return }
    if let pinnedKey { pipeline.unpin(pinnedKey) }
    if let key { pipeline.pin(key) }
    pinnedKey = key
  }

  /// Wants nothing any more.
  func cancelAll() {
    for (_, request) in requests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { pipeline.cancel(request.ticket) }
    requests = [:]
    if let pinnedKey { pipeline.unpin(pinnedKey) }
    pinnedKey = nil
  }

  /// What is known of a picture at a size.
  func state(of item: PhotoID, at size: PixelSize) -> State {
    guard let key = key(of: item, size) else { return .missing }
    let image = pipeline.image(for: key)
    if let image, image.representation == .full { return .picture(image.bitmap) }
    if let failure = pipeline.failure(for: key) { return image.map { .picture($0.bitmap) } ?? .failure(failure) }
    return image.map { .preview($0.bitmap) } ?? .missing
  }

  /// Takes an answer.
  ///
  /// - Returns: whose it is; nothing where nobody here asked.
  func handleArrival(_ arrival: ImageArrival) -> PhotoID? {
    guard let (item, request) = requests.first(where: { $0.value.key == arrival.key }) else { return nil }
    if arrival.isFinal, requests[item]?.ticket == request.ticket { requests[item] = nil }
    return item
  }

  private func key(of item: PhotoID, _ size: PixelSize) -> ImageKey? {
    reference(item).map {
      ImageKey(source: $0.sourceID, size: size.scaled(toMaximumArea: ViewerImageLoader.maximumPixels), fit: .fit)
    }
  }

  private func requestImage(for item: PhotoID, at size: PixelSize, deadline: FrameInstant) {
    if let request = requests[item] { return pipeline.updateDeadline(deadline, for: request.ticket) }
    guard let photo = reference(item), let key = key(of: item, size) else { return }
    if let image = pipeline.image(for: key), image.representation == .full { return }
    guard pipeline.canAttempt(key) else { return }
    let ticket = pipeline.request(
      ImageRequest(
        key: key, source: photo.source, background: background, fileBytes: photo.fileBytes,
        limits: ViewerImageLoader.limits, hasPreview: photo.hasPreview),
      deadline: deadline)
    requests[item] = Request(key: key, ticket: ticket)
  }
}
