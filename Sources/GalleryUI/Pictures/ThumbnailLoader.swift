import VitrineDataStructures
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering

/// A loader that requests the pictures of photographs from the image pipeline at the sizes of their cells.
///
/// There is at most one request per item. If the size of a cell changes, a request for the new size replaces the
/// previous one.
final class ThumbnailLoader {
  /// The state of an item's picture.
  enum State {
    /// The picture is available.
    case image(Bitmap, isDamaged: Bool)
    /// The thumbnail embedded in the file is available as a preview.
    case preview(Bitmap)
    /// The picture cannot be loaded.
    case failure(ImageFailure)
    /// The picture is not available yet.
    case missing
  }

  /// A pending request of an item.
  private struct Request {
    let key: ImageKey
    let ticket: ImageTicket
    /// The version of the file at the time of the request, to which the result belongs.
    let file: FileFingerprint?
    /// Whether a cell requested it, and not only prefetching.
    var isOfCell: Bool
  }

  private let pipeline: ImagePipeline
  private let reference: (PhotoID) -> PhotoReference?
  /// Returns the size of an item's picture in its cell, in pixels, or nil if there is no space for one.
  private let size: (PhotoID) -> PixelSize?
  /// The color behind transparent pixels, and the one with which the loader was created.
  private var background: Color
  private let initialBackground: Color
  private let previews: PhotoPreviewCache
  /// The keys of the pictures that arrived last, one per item: they are shown while their file is out of reach.
  private var arrivedKeys = LRUCache<PhotoID, ImageKey>(costLimit: 4_096)
  /// The keys of the pictures that arrived for cells out of view, and that these have not shown.
  private var unseenKeys = LRUCache<PhotoID, ImageKey>(costLimit: 1_024)
  private var itemsByKey: [ImageKey: PhotoID] = [:]
  private var requests: [PhotoID: Request] = [:]
  /// Prefetched items that were not cancelled, in the order of prefetching.
  private var announcedItems: [PhotoID] = []
  /// The items on screen, with the keys of their pinned pictures.
  private var visibleItems: [PhotoID: ImageKey?] = [:]

  /// The items on screen whose requests were cancelled, and whose cells were not configured since.
  ///
  /// Their cells are leaving in animations. If one is displayed again, it must be configured.
  private var cancelledOnScreen: Set<PhotoID> = []
  /// Items whose picture cannot be loaded.
  private(set) var failures: Set<PhotoID> = []
  /// Whether requests are paused because the content passes too fast to be seen.
  private(set) var isPaused = false
  /// The number of pending requests.
  var requestCount: Int { requests.count }
  /// The number of items whose pictures are pinned.
  var pinnedCount: Int { visibleItems.count { $0.value != nil } }

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - pipeline: The image pipeline.
  ///   - background: The color behind transparent pixels.
  ///   - previews: The cache in which tiny previews are recorded. Default: an empty one.
  ///   - reference: Returns the data of an item that the pipeline needs.
  ///   - size: Returns the size of an item's picture in its cell, in pixels, or nil if there is no space for one.
  init(
    pipeline: ImagePipeline, background: Color, previews: PhotoPreviewCache = PhotoPreviewCache(),
    reference: @escaping (PhotoID) -> PhotoReference?,
    size: @escaping (PhotoID) -> PixelSize?
  ) {
    self.pipeline = pipeline
    self.reference = reference
    self.size = size
    self.background = background
    initialBackground = background
    self.previews = previews
  }

  /// Returns the key of a photograph's picture.
  ///
  /// A picture with transparent pixels differs by the background.
  private func key(of photo: PhotoReference, size: PixelSize) -> ImageKey {
    ImageKey(
      source: photo.sourceID ^ UInt64(background.packed ^ initialBackground.packed) << 32, size: size)
  }

  /// Cancels all requests, and requests the prefetched items with another color behind transparent pixels.
  ///
  /// Items on screen are requested when their cells are configured.
  ///
  /// - Returns: The pictures that are already in memory.
  func setBackground(_ background: Color, at instant: FrameInstant) -> [Bitmap] {
    guard background != self.background else { return [] }
    self.background = background
    // In a fixed order, so that runs are reproducible.
    for item in requests.keys.sorted(by: { $0.rawValue < $1.rawValue }) { cancelRequest(of: item) }
    return requestImages(for: announcedItems.filter { visibleItems[$0] == nil }, distance: 0, at: instant)
  }

  /// Requests the prefetched items again whose pictures are not in memory any more.
  ///
  /// Items on screen are requested when their cells are configured.
  ///
  /// - Returns: The pictures that are already in memory.
  func requestAgain(at instant: FrameInstant) -> [Bitmap] {
    requestImages(
      for: announcedItems.filter { requests[$0] == nil && visibleItems[$0] == nil }, distance: 0, at: instant)
  }

  /// Cancels the requests for outdated sizes, and requests the prefetched items at their current sizes.
  ///
  /// - Returns: The pictures that are already in memory.
  func updateSizes(at instant: FrameInstant) -> [Bitmap] {
    // In a fixed order, so that runs are reproducible.
    for (item, request) in requests.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where size(item) != request.key.size {
      cancelRequest(of: item)
    }
    return requestImages(for: announcedItems.filter { requests[$0] == nil }, distance: 0, at: instant)
  }

  /// Returns the state of an item's picture, and requests the picture if it is missing.
  ///
  /// A failure that may be temporary is retried, and stays the state until the picture is available. While the file cannot
  /// be opened, the picture of another size or a stored thumbnail is shown, if there is one.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - deadline: The deadline of the request.
  func state(of item: PhotoID, deadline: FrameInstant) -> State {
    cancelledOnScreen.remove(item)
    guard let size = size(item), let photo = reference(item) else { return .missing }
    let key = key(of: photo, size: size)
    let image = pipeline.image(for: key)
    if let image, image.representation == .full {
      failures.remove(item)
      unseenKeys.remove(item)
      if visibleItems[item] != nil { pinKey(key, of: item) }
      // It may have been requested by another client; its preview is recorded nonetheless.
      if let preview = image.tinyPreview, let file = photo.fingerprint, previews[file] == nil {
        previews.recordPreview(preview, of: file, origin: image.origin)
      }
      return .image(image.bitmap, isDamaged: image.isDamaged)
    }
    let failure = pipeline.failure(for: key)
    // Another client's request may have failed.
    if failure != nil { failures.insert(item) }
    // The cache had no room for a picture that arrived and is missing. If cells out of view requested it again, pictures could
    // evict each other without end.
    let hasArrivedUnseen = visibleItems[item] == nil && unseenKeys.peekValue(for: item) == key
    if !isPaused, !hasArrivedUnseen, failure == nil || pipeline.canAttempt(key) {
      let time = failure == nil ? deadline : ThumbnailDeadline.deadline(ofRetryOnScreen: deadline)
      requestImage(for: item, photo, key, deadline: time, isOfCell: true)
    }
    let earlierKey = if case .cannotOpen? = failure { arrivedKeys.value(for: item) } else { ImageKey?.none }
    let earlier = earlierKey.flatMap { pipeline.image(for: $0) }
    if visibleItems[item] != nil { pinKey(earlier == nil ? key : earlierKey ?? key, of: item) }
    return State(preview: image?.bitmap, earlier: earlier?.bitmap, failure: failure)
  }

  // MARK: Visible items

  /// Removes and returns the items whose requests were cancelled while they were on screen, and whose cells are displayed.
  ///
  /// Their cells must be configured, which requests the pictures again.
  ///
  /// There are none while requests are paused.
  ///
  /// - Parameter isDisplayed: Returns whether an item has a displayed cell, and not one that is leaving in an animation.
  /// - Complexity: O(1) if there are none.
  func takeCancelledItems(isDisplayed: (PhotoID) -> Bool) -> [PhotoID] {
    guard !isPaused, !cancelledOnScreen.isEmpty else { return [] }
    let items = cancelledOnScreen.filter(isDisplayed)
    cancelledOnScreen.subtract(items)
    return items.sorted { $0.rawValue < $1.rawValue }
  }

  /// Pins the picture of an item that appeared on screen, the current one and the requested one, until the item
  /// disappears.
  func itemDidAppear(_ item: PhotoID) {
    guard visibleItems[item] == nil else { return }
    visibleItems[item] = .some(nil)
    unseenKeys.remove(item)
    guard let size = size(item), let photo = reference(item) else { return }
    pinKey(key(of: photo, size: size), of: item)
  }

  /// Unpins the picture of an item that left the screen.
  func itemDidDisappear(_ item: PhotoID) {
    cancelledOnScreen.remove(item)
    if let key = visibleItems.removeValue(forKey: item) ?? nil { pipeline.unpin(key) }
  }

  private func pinKey(_ key: ImageKey, of item: PhotoID) {
    let last = visibleItems[item] ?? nil
    guard last != key else { return }
    if let last { pipeline.unpin(last) }
    pipeline.pin(key)
    visibleItems[item] = key
  }

  /// Returns whether a picture of the given size contains more detail than the recorded preview.
  private func shouldRecordPreview(of file: FileFingerprint?, at size: PixelSize) -> Bool {
    guard let file else { return false }
    return previews[file]?.isInsufficient(for: size) ?? true
  }

  /// Changes the priority of an item on screen.
  func setPriority(_ priority: Int64, of item: PhotoID) {
    guard let request = requests[item] else { return }
    pipeline.updateDeadline(ThumbnailDeadline.deadline(onScreenWithPriority: priority), for: request.ticket)
  }

  /// Requests the pictures of items that will appear, in this order.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - distance: The number of items that will appear before the first of them.
  ///   - instant: The time of the frame.
  /// - Returns: The pictures that are already in memory.
  func prefetch(_ items: [PhotoID], distance: Int, at instant: FrameInstant) -> [Bitmap] {
    announcedItems += items
    for item in items { unseenKeys.remove(item) }
    return requestImages(for: items, distance: distance, at: instant)
  }

  private func requestImages(for items: [PhotoID], distance: Int, at instant: FrameInstant) -> [Bitmap] {
    var present: [Bitmap] = []
    for (rank, item) in items.enumerated() {
      guard let size = size(item), let photo = reference(item) else { continue }
      let key = key(of: photo, size: size)
      if let image = pipeline.image(for: key), image.representation == .full {
        present.append(image.bitmap)
      } else if !isPaused, pipeline.canAttempt(key) {
        let deadline = ThumbnailDeadline.deadline(prefetchAt: instant, distance: distance + rank)
        requestImage(for: item, photo, key, deadline: deadline)
      }
    }
    return present
  }

  // MARK: Pausing

  /// Pauses requests until ``resume(at:)``, and cancels those of items that are not on screen.
  func pause() {
    isPaused = true
    // In a fixed order, so that runs are reproducible.
    for item in requests.keys.sorted(by: { $0.rawValue < $1.rawValue }) where visibleItems[item] == nil {
      cancelRequest(of: item)
    }
  }

  /// Resumes requests.
  ///
  /// Prefetched items are requested now, items on screen when their cells are configured.
  ///
  /// - Returns: The pictures that are already in memory.
  func resume(at instant: FrameInstant) -> [Bitmap] {
    guard isPaused else { return [] }
    isPaused = false
    return requestAgain(at: instant)
  }

  /// Postpones the request of an item that left the screen, or cancels it while requests are paused.
  func postpone(_ item: PhotoID, at instant: FrameInstant) {
    if isPaused { return cancelRequest(of: item) }
    guard let request = requests[item] else { return }
    pipeline.updateDeadline(ThumbnailDeadline.deadline(offScreenAt: instant), for: request.ticket)
  }

  /// Cancels the requests of items that will not appear.
  func cancel(_ items: [PhotoID]) {
    let cancelled = Set(items)
    announcedItems.removeAll { cancelled.contains($0) }
    for item in items {
      unseenKeys.remove(item)
      cancelRequest(of: item)
    }
  }

  private func cancelRequest(of item: PhotoID) {
    guard let request = requests.removeValue(forKey: item) else { return }
    itemsByKey[request.key] = nil
    pipeline.cancel(request.ticket)
    if visibleItems[item] != nil { cancelledOnScreen.insert(item) }
  }

  /// Removes all items, because another library is shown.
  func removeAll() {
    for item in requests.keys.sorted(by: { $0.rawValue < $1.rawValue }) { cancelRequest(of: item) }
    for item in visibleItems.keys.sorted(by: { $0.rawValue < $1.rawValue }) { itemDidDisappear(item) }
    announcedItems = []
    arrivedKeys.removeAll()
    unseenKeys.removeAll()
    failures = []
  }

  /// Returns the picture of an item if it is in memory, without requesting it.
  func cachedPicture(of item: PhotoID) -> Bitmap? {
    guard let size = size(item), let photo = reference(item) else { return nil }
    return pipeline.image(for: key(of: photo, size: size))?.bitmap
  }

  /// Forgets the failures of files that may be readable now, and of pictures that a server may have now.
  ///
  /// Their pictures are requested when their cells are configured.
  ///
  /// - Returns: The items whose failures were forgotten.
  /// - Complexity: O(failures).
  func forgetTransientFailures() -> Set<PhotoID> {
    let transient = failures.filter { mayRecover($0) || failure(of: $0)?.isOfDownload == true }
    failures.subtract(transient)
    return transient
  }

  /// Returns whether the picture of an item failed for a reason that may be over later.
  func mayRecover(_ item: PhotoID) -> Bool {
    guard failures.contains(item), size(item) != nil, reference(item) != nil else { return false }
    return failure(of: item).map { $0.persistence == .transient } ?? true
  }

  /// Returns why the picture of an item could not be loaded at its size, or nil if that is not known.
  private func failure(of item: PhotoID) -> ImageFailure? {
    guard let size = size(item), let photo = reference(item) else { return nil }
    return pipeline.failure(for: key(of: photo, size: size))
  }

  /// Removes items that are no longer in the library.
  func removeItems(_ items: [PhotoID]) {
    cancel(items)
    failures.subtract(items)
  }

  /// Collects the pictures that have arrived.
  ///
  /// - Returns: The items with a result, their bitmaps, and the arrivals that belong to other clients.
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
      let (file, isOfCell) = (requests[item]?.file, requests[item]?.isOfCell == true)
      if arrival.isFinal {
        itemsByKey[arrival.key] = nil
        requests[item] = nil
      }
      answered.append(item)
      switch arrival.outcome {
      case .success(let image):
        arrivedKeys.insert(arrival.key, for: item, cost: 1)
        if arrival.isFinal, isOfCell, visibleItems[item] == nil { unseenKeys.insert(arrival.key, for: item, cost: 1) }
        bitmaps.append(image.bitmap)
        if let preview = image.tinyPreview, let file { previews.recordPreview(preview, of: file, origin: image.origin) }
        failures.remove(item)
      case .failure: failures.insert(item)
      }
    }
    return (answered, bitmaps, others)
  }

  private func requestImage(
    for item: PhotoID, _ photo: PhotoReference, _ key: ImageKey, deadline: FrameInstant, isOfCell: Bool = false
  ) {
    if let last = requests[item] {
      if last.key == key {
        if isOfCell { requests[item]?.isOfCell = true }
        pipeline.updateDeadline(deadline, for: last.ticket)
        return
      }
      cancelRequest(of: item)
    }
    // The picture at a web address may have changed, which the fingerprint does not show.
    let isRemote = if case .remote = photo.source { true } else { false }
    let ticket = pipeline.request(
      ImageRequest(
        key: key, source: photo.source, background: background.packed, fileBytes: photo.fileBytes,
        hasPreview: photo.hasPreview,
        wantsTinyPreview: isRemote || shouldRecordPreview(of: photo.fingerprint, at: key.size),
        fingerprint: photo.fingerprint),
      deadline: deadline)
    requests[item] = Request(key: key, ticket: ticket, file: photo.fingerprint, isOfCell: isOfCell)
    itemsByKey[key] = item
    cancelledOnScreen.remove(item)
  }
}

extension ThumbnailLoader.State {
  /// Creates the state of an item whose picture is not available at its size.
  ///
  /// - Parameters:
  ///   - preview: The embedded thumbnail, or a stored one of a file that cannot be opened, or nil.
  ///   - earlier: The picture at another size, or nil.
  ///   - failure: Why the picture could not be loaded, or nil.
  init(preview: Bitmap?, earlier: Bitmap?, failure: ImageFailure?) {
    switch failure {
    case nil: self = preview.map { .preview($0) } ?? .missing
    case .cannotOpen(let code)?:
      // The picture itself is not damaged.
      self = (earlier ?? preview).map { .image($0, isDamaged: false) } ?? .failure(.cannotOpen(code))
    // The embedded thumbnail is better than no picture, even if it remains the only one.
    case let failure?: self = preview.map { .image($0, isDamaged: true) } ?? .failure(failure)
    }
  }
}
