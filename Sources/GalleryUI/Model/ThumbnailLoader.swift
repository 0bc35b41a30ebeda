import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering

/// Asks the image pipeline for the photographs' pictures at the sizes of their cells, and says which items got an answer.
///
/// One request an item at most: another size of the cell is another picture, and gives up the last one.
final class ThumbnailLoader {
  /// What is known of an item's picture now.
  enum State {
    /// It is there.
    case image(Bitmap, isDamaged: Bool)
    /// The small picture that its file carries is there, and stands in for it.
    case preview(Bitmap)
    /// It cannot be had.
    case failure(ImageFailure)
    /// It is not there yet.
    case missing
  }

  /// What was asked for an item.
  private struct Request {
    let key: ImageKey
    let ticket: ImageTicket
    /// The file as it was when it was asked for, which is what the answer shows.
    let file: FileFingerprint?
  }

  private let pipeline: ImagePipeline
  private let reference: (PhotoID) -> PhotoReference?
  /// The size of an item's picture in its cell, in pixels; nothing while there is no room for one.
  private let size: (PhotoID) -> PixelSize?
  private let background: UInt32
  private let previews: PhotoPreviewCache
  private var itemsByKey: [ImageKey: PhotoID] = [:]
  private var requests: [PhotoID: Request] = [:]
  /// Items that were announced and not given up, in the order in which they were.
  private var announcedItems: [PhotoID] = []
  /// Items on screen, and the pictures of theirs that stay in memory.
  private var visibleItems: [PhotoID: ImageKey?] = [:]

  /// Items whose picture cannot be had.
  private(set) var failures: Set<PhotoID> = []
  /// Whether no picture is asked for, as what is seen passes by faster than anybody looks.
  private(set) var isPaused = false

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - pipeline: what it asks.
  ///   - background: the colour behind transparent pixels.
  ///   - previews: what is told how pictures look; nobody unless told.
  ///   - photo: what the pipeline needs to know of an item.
  ///   - size: the size of an item's picture in its cell, in pixels; nothing while there is no room for one.
  init(
    pipeline: ImagePipeline, background: Color, previews: PhotoPreviewCache = PhotoPreviewCache(),
    photo: @escaping (PhotoID) -> PhotoReference?,
    size: @escaping (PhotoID) -> PixelSize?
  ) {
    self.pipeline = pipeline
    self.reference = photo
    self.size = size
    self.background = background.packed
    self.previews = previews
  }

  /// Cells may have other sizes: what was asked for at another one is given up, and what was announced is asked for at its
  /// size now.
  ///
  /// - Returns: pictures that are in memory already.
  func updateSizes(at instant: FrameInstant) -> [Bitmap] {
    // In one order, as runs are to repeat.
    for (item, request) in requests.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where size(item) != request.key.size {
      cancelRequest(of: item)
    }
    return requestImages(for: announcedItems.filter { requests[$0] == nil }, distance: 0, at: instant)
  }

  /// What is known of the picture of an item; asks for it where it is missing.
  ///
  /// A failure that may pass is asked for again and stays what is known until the picture is there.
  ///
  /// - Parameter deadline: when it should be there.
  func state(of item: PhotoID, deadline: FrameInstant) -> State {
    guard let size = size(item), let photo = reference(item) else { return .missing }
    let key = ImageKey(source: photo.sourceID, size: size)
    if visibleItems[item] != nil { pinKey(key, of: item) }
    let image = pipeline.image(for: key)
    if let image, image.representation == .full {
      // It may have come for nobody: what is seen is remembered all the same.
      if let preview = image.tinyPreview, let file = photo.fingerprint, previews[file] == nil {
        previews.recordPreview(preview, of: file)
      }
      return .image(image.bitmap, isDamaged: image.isDamaged)
    }
    let failure = pipeline.failure(for: key)
    if !isPaused, failure == nil || pipeline.canAttempt(key) {
      requestImage(for: item, photo, key, deadline: deadline)
    }
    // What the file has of itself is better than nothing, also where that is all that can be had.
    if let image { return failure == nil ? .preview(image.bitmap) : .image(image.bitmap, isDamaged: true) }
    return failure.map(State.failure) ?? .missing
  }

  // MARK: On screen

  /// An item comes on screen: its picture, the one that is there and the one that will be, stays in memory until it leaves.
  func itemDidAppear(_ item: PhotoID) {
    guard visibleItems[item] == nil else { return }
    visibleItems[item] = .some(nil)
    guard let size = size(item), let photo = reference(item) else { return }
    pinKey(ImageKey(source: photo.sourceID, size: size), of: item)
  }

  /// An item leaves the screen.
  func itemDidDisappear(_ item: PhotoID) {
    if let key = visibleItems.removeValue(forKey: item) ?? nil { pipeline.unpin(key) }
  }

  private func pinKey(_ key: ImageKey, of item: PhotoID) {
    let last = visibleItems[item] ?? nil
    guard last != key else { return }
    if let last { pipeline.unpin(last) }
    pipeline.pin(key)
    visibleItems[item] = key
  }

  /// Whether a picture at a size tells more of how a file looks than is remembered.
  private func shouldRecordPreview(of file: FileFingerprint?, at size: PixelSize) -> Bool {
    guard let file else { return false }
    return previews[file]?.isInsufficient(for: size) ?? true
  }

  /// An item on screen has another place in the order in which pictures there are wanted.
  func setPriority(_ place: Int64, of item: PhotoID) {
    guard let request = requests[item] else { return }
    pipeline.updateDeadline(ThumbnailDeadline.deadline(onScreenAt: place), for: request.ticket)
  }

  /// Asks for the pictures of items that will be seen, in this order.
  ///
  /// - Parameters:
  ///   - ahead: the items.
  ///   - distance: how many others will be seen before the first of them.
  ///   - instant: the frame's moment.
  /// - Returns: pictures that are in memory already.
  func prefetch(_ ahead: [PhotoID], distance: Int, at instant: FrameInstant) -> [Bitmap] {
    announcedItems += ahead
    return requestImages(for: ahead, distance: distance, at: instant)
  }

  private func requestImages(for items: [PhotoID], distance: Int, at instant: FrameInstant) -> [Bitmap] {
    var present: [Bitmap] = []
    for (rank, item) in items.enumerated() {
      guard let size = size(item), let photo = reference(item) else { continue }
      let key = ImageKey(source: photo.sourceID, size: size)
      if let image = pipeline.image(for: key), image.representation == .full {
        present.append(image.bitmap)
      } else if !isPaused, pipeline.canAttempt(key) {
        let deadline = ThumbnailDeadline.deadline(aheadAt: instant, distance: distance + rank)
        requestImage(for: item, photo, key, deadline: deadline)
      }
    }
    return present
  }

  // MARK: Pausing

  /// Asks for no picture until ``resume(at:)``, and gives up all that are not on screen.
  func pause() {
    isPaused = true
    // In one order, as runs are to repeat.
    for item in requests.keys.sorted(by: { $0.rawValue < $1.rawValue }) where visibleItems[item] == nil {
      cancelRequest(of: item)
    }
  }

  /// Asks for pictures again: for those that were announced now, for what is on screen when its cells are configured.
  ///
  /// - Returns: pictures that are in memory already.
  func resume(at instant: FrameInstant) -> [Bitmap] {
    guard isPaused else { return [] }
    isPaused = false
    return requestImages(
      for: announcedItems.filter { requests[$0] == nil && visibleItems[$0] == nil }, distance: 0, at: instant)
  }

  /// Lets an item that left the screen wait for those that are there; while paused nobody waits for it.
  func postpone(_ item: PhotoID, at instant: FrameInstant) {
    if isPaused { return cancelRequest(of: item) }
    guard let request = requests[item] else { return }
    pipeline.updateDeadline(ThumbnailDeadline.deadline(behindAt: instant), for: request.ticket)
  }

  /// Gives up the pictures of items that will not be seen.
  func cancel(_ gone: [PhotoID]) {
    let isGone = Set(gone)
    announcedItems.removeAll { isGone.contains($0) }
    for item in gone { cancelRequest(of: item) }
  }

  private func cancelRequest(of item: PhotoID) {
    guard let request = requests.removeValue(forKey: item) else { return }
    itemsByKey[request.key] = nil
    pipeline.cancel(request.ticket)
  }

  /// Another library is shown: nothing of the last one is wanted or known.
  func removeAll() {
    for item in requests.keys.sorted(by: { $0.rawValue < $1.rawValue }) { cancelRequest(of: item) }
    for item in visibleItems.keys.sorted(by: { $0.rawValue < $1.rawValue }) { itemDidDisappear(item) }
    announcedItems = []
    failures = []
  }

  /// The picture of an item that its cell shows, or showed, if it is still in memory; asks for nothing.
  func cachedPicture(of item: PhotoID) -> Bitmap? {
    guard let size = size(item), let photo = reference(item) else { return nil }
    return pipeline.image(for: ImageKey(source: photo.sourceID, size: size))?.bitmap
  }

  /// Items are no longer in the library: nothing of them is wanted or counted.
  func removeItems(_ gone: [PhotoID]) {
    cancel(gone)
    failures.subtract(gone)
  }

  /// Takes what has arrived: the items that have an answer now, the pictures among the answers, and what others asked for.
  func collect(
    at instant: FrameInstant, atMost bytes: Int
  ) -> (items: [PhotoID], bitmaps: [Bitmap], others: [ImageArrival]) {
    var answered: [PhotoID] = []
    var bitmaps: [Bitmap] = []
    var others: [ImageArrival] = []
    for arrival in pipeline.collect(at: instant, atMost: bytes) {
      guard let item = itemsByKey[arrival.key] else {
        others.append(arrival)
        continue
      }
      let file = requests[item]?.file
      if arrival.isFinal {
        itemsByKey[arrival.key] = nil
        requests[item] = nil
      }
      answered.append(item)
      switch arrival.outcome {
      case .success(let image):
        bitmaps.append(image.bitmap)
        if let preview = image.tinyPreview, let file { previews.recordPreview(preview, of: file) }
        failures.remove(item)
      case .failure: failures.insert(item)
      }
    }
    return (answered, bitmaps, others)
  }

  private func requestImage(for item: PhotoID, _ photo: PhotoReference, _ key: ImageKey, deadline: FrameInstant) {
    if let last = requests[item] {
      if last.key == key {
        pipeline.updateDeadline(deadline, for: last.ticket)
        return
      }
      cancelRequest(of: item)
    }
    // What is at an address may be another picture than last time, which nothing here tells.
    let isRemote = if case .remote = photo.source { true } else { false }
    let ticket = pipeline.request(
      ImageRequest(
        key: key, source: photo.source, background: background, fileBytes: photo.fileBytes,
        hasPreview: photo.hasPreview,
        wantsTinyPreview: isRemote || shouldRecordPreview(of: photo.fingerprint, at: key.size)),
      deadline: deadline)
    requests[item] = Request(key: key, ticket: ticket, file: photo.fingerprint)
    itemsByKey[key] = item
  }
}
