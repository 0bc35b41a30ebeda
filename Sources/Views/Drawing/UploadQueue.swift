public import VitrineFramePacing
import VitrineGeometry
public import VitrineRendering

/// A queue of bitmaps to upload as textures: those of views, nearest to the center first, then prefetched ones.
@MainActor
public final class UploadQueue {
  /// A cost added to every upload, for demonstrations and tests.
  public var modelledCost: FrameDuration = .zero
  /// The maximum number of bytes per frame while content moves; every frame uploads at least one bitmap.
  public var bytesPerFrame = 1 << 20
  /// The maximum number of bytes per frame at rest, so that a screen of finished images does not appear in parts.
  public var bytesPerFrameAtRest = 8 << 20
  /// The log of uploads for a trace, or nil.
  public var uploadLog: UploadLog?

  /// A waiting view with its distance from the center in the last frame, stored for sorting.
  private struct WaitingView {
    let view: ImageView
    var distance = 0.0
  }

  private let textures: TextureCache
  @exclusivity(unchecked) private var visibleViews: [WaitingView] = []
  @exclusivity(unchecked) private var prefetchedBitmaps: [Bitmap] = []

  init(textures: TextureCache) { self.textures = textures }

  /// Whether the queue is empty.
  public var isEmpty: Bool { visibleViews.isEmpty && prefetchedBitmaps.isEmpty }

  /// The number of waiting bitmaps.
  public var count: Int { visibleViews.count + prefetchedBitmaps.count }

  /// Adds a view that displays a bitmap without a texture.
  func enqueue(_ view: ImageView) {
    guard !view.isQueuedForUpload else { return }
    view.isQueuedForUpload = true
    visibleViews.append(WaitingView(view: view))
  }

  /// Adds a bitmap that will be displayed soon.
  public func enqueuePrefetch(_ bitmap: Bitmap) {
    guard textures.texture(for: bitmap) == nil else { return }
    prefetchedBitmaps.append(bitmap)
    // Old prefetches are outdated.
    if prefetchedBitmaps.count > 256 { prefetchedBitmaps.removeFirst(128) }
  }

  /// Removes all prefetched bitmaps.
  func removePrefetches() { prefetchedBitmaps.removeAll() }

  // MARK: - Preparation

  /// Returns whether a view or its descendant displays a bitmap without a texture.
  ///
  /// - Complexity: O(n) for n waiting views.
  public func isAwaited(within view: View) -> Bool { visibleViews.contains { $0.view.isDescendant(of: view) } }

  /// Uploads one bitmap of a view or its descendant before it is visible.
  ///
  /// - Returns: Whether there was one.
  /// - Complexity: O(n) for n waiting views, plus the upload.
  public func uploadNext(within view: View, _ clock: any FrameClock) -> Bool {
    guard let index = visibleViews.firstIndex(where: { $0.view.isDescendant(of: view) }) else { return false }
    let next = visibleViews.remove(at: index).view
    next.isQueuedForUpload = false
    if let bitmap = next.image, textures.texture(for: bitmap) == nil {
      uploadBitmap(bitmap, clock)
    }
    next.textureDidArrive()
    return true
  }

  // MARK: - Frames

  /// Uploads bitmaps until the time or the byte limit is exhausted.
  ///
  /// - Parameters:
  ///   - budget: The time budget.
  ///   - center: The point near which bitmaps are uploaded first.
  ///   - visibleRect: The visible rectangle while content moves; views outside it remain waiting. Nil at rest, when there is
  ///     time for all.
  /// - Returns: The number of uploaded textures and their bytes.
  func uploadWaiting(_ budget: FrameBudget, center: Point, visibleRect: Rect? = nil) -> (count: Int, bytes: Int) {
    guard !isEmpty else { return (0, 0) }
    let byteLimit = visibleRect == nil ? bytesPerFrameAtRest : bytesPerFrame
    let first = (count: textures.uploadCount, bytes: textures.uploadedBytes)
    if visibleViews.count > 1 {
      for index in visibleViews.indices { visibleViews[index].distance = visibleViews[index].view.distance(to: center) }
      visibleViews.sort { $0.distance < $1.distance }
    }
    var used = 0
    var index = 0
    var retainedCount = 0
    while index < visibleViews.count,
      allowsUpload(textures.uploadedBytes - first.bytes, of: byteLimit, count: used, budget)
    {
      let view = visibleViews[index].view
      index += 1
      if let visibleRect, view.window != nil, !view.frameInWindow.intersects(visibleRect) {
        visibleViews[retainedCount] = WaitingView(view: view)
        retainedCount += 1
        continue
      }
      view.isQueuedForUpload = false
      guard let bitmap = view.image, view.window != nil, textures.texture(for: bitmap) == nil else {
        view.textureDidArrive()
        continue
      }
      uploadBitmap(bitmap, budget.clock)
      view.textureDidArrive()
      used += 1
    }
    visibleViews.removeSubrange(retainedCount..<index)
    if visibleViews.isEmpty {
      index = 0
      while index < prefetchedBitmaps.count,
        allowsUpload(textures.uploadedBytes - first.bytes, of: byteLimit, count: used, budget)
      {
        if textures.texture(for: prefetchedBitmaps[index]) == nil {
          uploadBitmap(prefetchedBitmaps[index], budget.clock)
          used += 1
        }
        index += 1
      }
      prefetchedBitmaps.removeFirst(index)
    }
    return (textures.uploadCount - first.count, textures.uploadedBytes - first.bytes)
  }

  /// Creates the texture of a bitmap that has none.
  private func uploadBitmap(_ bitmap: Bitmap, _ clock: any FrameClock) {
    let start = uploadLog == nil ? .zero : clock.now()
    clock.spend(modelledCost)
    guard textures.upload(bitmap) != nil, let uploadLog else { return }
    uploadLog.recordUpload(of: bitmap, from: start, to: clock.now())
  }

  private func allowsUpload(_ bytes: Int, of byteLimit: Int, count: Int, _ budget: FrameBudget) -> Bool {
    count == 0 || (bytes < byteLimit && budget.allows(modelledCost))
  }
}
