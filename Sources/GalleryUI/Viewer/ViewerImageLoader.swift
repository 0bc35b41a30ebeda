import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering

/// A loader that requests pictures at the size in which they are shown: the viewed ones first, and then the neighbors.
///
/// Of enlarged pictures, it also requests the pictures' own pixels, or as many as the pipeline can deliver.
final class ViewerImageLoader {
  /// The state of a picture.
  enum State {
    /// The picture is available, complete or as far as it could be decoded.
    case picture(Bitmap, isDamaged: Bool)
    /// A preview is available until the picture is.
    case preview(Bitmap)
    /// The picture cannot be loaded.
    case failure(ImageFailure)
    /// The picture is not available yet.
    case missing
  }

  private struct Request {
    let key: ImageKey
    let ticket: ImageTicket
    /// Whether a preview is enough.
    var stopsAtPreview = false
  }

  /// The pixels of an enlarged picture.
  struct Detail {
    /// The pixels.
    var bitmap: Bitmap
    /// The part of the picture, in its pixels, or nil for all of it.
    var region: PixelRect?
  }

  private let pipeline: ImagePipeline
  private let reference: (PhotoID) -> PhotoReference?
  private let background: UInt32
  private let secondBackground: UInt32
  private var requests: [PhotoID: Request] = [:]
  private var pinnedKeys: [ImageKey] = []

  /// What was requested of an enlarged picture.
  private struct DetailRequest {
    /// The pixels, or nil if those of the whole picture are enough.
    var wanted: PictureDetail?
    /// The request for them, or nil if there is none.
    var request: Request?
  }

  private var details: [PhotoID: DetailRequest] = [:]
  /// The maximum number of pixels of a picture: more than a screen has, and less than a decoding process can deliver.
  private static let maximumPixels = 12 << 20
  /// The maximum number of decoded pixels of an enlarged picture, which are in memory while it is shown.
  private static let maximumDetailPixels = 24 << 20
  /// Higher limits than for thumbnails, because a single picture is worth more memory.
  private static let limits = ImageLimits(
    longestSide: 65_500, maximumPixels: 400_000_000, maximumPixelsPerByte: ImageLimits.standard.maximumPixelsPerByte,
    ratioCheckThreshold: ImageLimits.standard.ratioCheckThreshold, maximumFileBytes: 512 << 20)

  init(
    pipeline: ImagePipeline, background: Color, secondBackground: Color,
    reference: @escaping (PhotoID) -> PhotoReference?
  ) {
    self.pipeline = pipeline
    self.reference = reference
    self.background = background.packed
    self.secondBackground = secondBackground.packed
  }

  /// Requests pictures and their neighbors, and cancels all other requests.
  ///
  /// - Parameters:
  ///   - items: The viewed pictures, the active one first.
  ///   - neighbours: The pictures that may be next, the most likely one first.
  ///   - size: Returns the size in which a picture is shown as a whole, in pixels, also turned.
  ///   - isPassing: Whether the pictures are passed quickly, so that the preview of a picture that has one is enough.
  ///   - instant: The current time.
  func requestImages(
    for items: [PhotoID], neighbours: [PhotoID], at size: (PhotoID) -> PixelSize, isPassing: Bool,
    now instant: FrameInstant
  ) {
    let all = items + neighbours
    for (other, request) in requests.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where !all.contains(other) || request.key != key(of: other, size(other)) {
      requests[other] = nil
      pipeline.cancel(request.ticket)
    }
    for (index, next) in all.enumerated() {
      // The viewed pictures come before those on screen in the grid; their neighbors come after them.
      let deadline =
        index < items.count
        ? FrameInstant(nanoseconds: .min / 2 - Int64(items.count - index)) : instant + .milliseconds(Double(index))
      requestImage(for: next, at: size(next), deadline: deadline, stopsAtPreview: isPassing)
    }
    for item in details.keys.sorted(by: { $0.rawValue < $1.rawValue }) where !items.contains(item) {
      cancelDetail(of: item)
    }
    let keys = items.compactMap { key(of: $0, size($0)) }
    guard keys != pinnedKeys else { return }
    for key in pinnedKeys where !keys.contains(key) { pipeline.unpin(key) }
    for key in keys where !pinnedKeys.contains(key) { pipeline.pin(key) }
    pinnedKeys = keys
  }

  /// Returns the maximum number of decoded pixels of an enlarged picture.
  ///
  /// - Parameter count: The number of pictures that are shown.
  func maximumDetailPixels(for count: Int) -> Int {
    min(ViewerImageLoader.maximumDetailPixels, pipeline.maximumPixels) / max(1, count)
  }

  /// Whether pixels of an enlarged picture were requested, or found to be unnecessary, since it was whole.
  func hasDetailRequest(for item: PhotoID) -> Bool { details[item] != nil }

  /// Returns what was requested of an enlarged picture last, or nil if those of the whole picture are enough.
  func wantedDetail(of item: PhotoID) -> PictureDetail? { details[item]?.wanted }

  /// Requests the pixels of an enlarged picture, and cancels the last such request if it is another one.
  ///
  /// - Parameters:
  ///   - detail: The pixels, or nil if those of the whole picture are enough.
  ///   - item: A viewed picture.
  func requestDetail(_ detail: PictureDetail?, for item: PhotoID) {
    let wanted = detail.flatMap { key(of: item, $0) }
    if wanted != details[item]?.request?.key { cancelDetail(of: item) }
    details[item, default: DetailRequest()].wanted = detail
    guard details[item]?.request == nil, let wanted, let photo = reference(item), pipeline.canAttempt(wanted) else {
      return
    }
    // It stays in memory while it is shown.
    pipeline.pin(wanted)
    let ticket = pipeline.request(
      ImageRequest(
        key: wanted, source: photo.source, background: background, secondBackground: secondBackground,
        fileBytes: photo.fileBytes,
        limits: ViewerImageLoader.limits, region: detail?.region, hasPreview: false),
      deadline: FrameInstant(nanoseconds: .min / 2))
    details[item]?.request = Request(key: wanted, ticket: ticket)
  }

  /// Returns the pixels of an enlarged picture, or nil if they are not available.
  func detail(of item: PhotoID) -> Detail? {
    guard let detail = details[item], let request = detail.request, let image = pipeline.image(for: request.key),
      image.representation == .full
    else { return nil }
    return Detail(bitmap: image.bitmap, region: detail.wanted?.region)
  }

  /// Returns the request for the frames of a picture, or nil if it is no animation, by the name of its file.
  ///
  /// - Parameters:
  ///   - item: The picture.
  ///   - size: The size of the window in pixels, or of the picture.
  func animationRequest(for item: PhotoID, at size: PixelSize) -> ImageRequest? {
    guard let photo = reference(item), AnimationController.mayBeAnimated(photo.source), let key = key(of: item, size)
    else { return nil }
    return ImageRequest(
      key: key, source: photo.source, background: background, secondBackground: secondBackground,
      fileBytes: photo.fileBytes,
      limits: ViewerImageLoader.limits)
  }

  /// Cancels the request of a picture's own pixels, and releases them.
  func cancelDetail(of item: PhotoID) {
    guard let request = details.removeValue(forKey: item)?.request else { return }
    pipeline.unpin(request.key)
    pipeline.cancel(request.ticket)
  }

  /// Cancels all requests.
  func cancelAll() {
    for item in details.keys.sorted(by: { $0.rawValue < $1.rawValue }) { cancelDetail(of: item) }
    for (_, request) in requests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { pipeline.cancel(request.ticket) }
    requests = [:]
    for key in pinnedKeys { pipeline.unpin(key) }
    pinnedKeys = []
  }

  /// Returns whether a picture or its own pixels are being decoded, or wait for it.
  func isDecoding(_ item: PhotoID, at size: PixelSize) -> Bool {
    [key(of: item, size), details[item]?.request?.key].compactMap(\.self).contains { pipeline.isPending($0) }
  }

  /// Returns the state of a picture at the given size.
  func state(of item: PhotoID, at size: PixelSize) -> State {
    guard let key = key(of: item, size) else { return .missing }
    let image = pipeline.image(for: key)
    if let image, image.representation == .full {
      return .picture(image.bitmap, isDamaged: image.isDamaged)
    }
    if let failure = pipeline.failure(for: key) {
      return image.map { .picture($0.bitmap, isDamaged: true) } ?? .failure(failure)
    }
    return image.map { .preview($0.bitmap) } ?? .missing
  }

  /// Handles an arrival.
  ///
  /// - Returns: The item to which it belongs, or nil if this loader did not request it.
  func handleArrival(_ arrival: ImageArrival) -> PhotoID? {
    if let (item, _) = details.first(where: { $0.value.request?.key == arrival.key }) { return item }
    guard let (item, request) = requests.first(where: { $0.value.key == arrival.key }) else { return nil }
    if arrival.isFinal, requests[item]?.ticket == request.ticket { requests[item] = nil }
    return item
  }

  private func key(of item: PhotoID, _ size: PixelSize, atMost pixels: Int = maximumPixels) -> ImageKey? {
    reference(item).map { ImageKey(source: $0.sourceID, size: size.scaled(toMaximumArea: pixels), fit: .fit) }
  }

  /// Returns the key of a picture's pixels; each of its parts has another source.
  private func key(of item: PhotoID, _ detail: PictureDetail) -> ImageKey? {
    reference(item).map { photo in
      let words = detail.region.map { [$0.x, $0.y, $0.width, $0.height].map { UInt64(UInt32(bitPattern: $0)) } }
      let source = words.map { FileFingerprint(words: [photo.sourceID] + $0).low } ?? photo.sourceID
      return ImageKey(source: source, size: detail.size, fit: .fit)
    }
  }

  private func requestImage(
    for item: PhotoID, at size: PixelSize, deadline: FrameInstant, stopsAtPreview: Bool
  ) {
    let last = requests[item]
    if let last, last.stopsAtPreview == stopsAtPreview { return pipeline.updateDeadline(deadline, for: last.ticket) }
    guard let photo = reference(item), let key = key(of: item, size) else { return }
    // What is being made of a picture that is passed now is stopped. A preview that is continued is not made again.
    if stopsAtPreview, let last { pipeline.cancel(last.ticket) }
    defer { if !stopsAtPreview, let last { pipeline.cancel(last.ticket) } }
    requests[item] = nil
    if let image = pipeline.image(for: key), image.representation == .full || stopsAtPreview { return }
    guard pipeline.canAttempt(key) else { return }
    var request = ImageRequest(
      key: key, source: photo.source, background: background, secondBackground: secondBackground,
      fileBytes: photo.fileBytes, limits: ViewerImageLoader.limits, hasPreview: photo.hasPreview)
    request.stopsAtPreview = stopsAtPreview
    let ticket = pipeline.request(request, deadline: deadline)
    requests[item] = Request(key: key, ticket: ticket, stopsAtPreview: stopsAtPreview)
  }
}
