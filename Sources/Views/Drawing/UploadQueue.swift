public import FramePacing
import Geometry
public import Rendering

/// Bitmaps that wait to become textures: those that views show, nearest to the middle first, then those ahead.
public final class UploadQueue {
  /// Time added to every upload: for demonstrations and tests.
  public var modelledCost: FrameDuration = .zero
  /// The most bytes a frame while content moves; at least one bitmap goes in every frame, so that progress is certain.
  public var bytesPerFrame = 1 << 20
  /// The most bytes a frame while nothing moves: a screen of pictures that are all there is not to come in portions.
  public var bytesPerFrameAtRest = 8 << 20
  /// What each upload is noted in, for a trace; nothing where none is wanted.
  public var uploadLog: UploadLog?

  /// A view that waits, and how far it is from the middle as of the last frame: sorting asks often.
  private struct WaitingView {
    let view: ImageView
    var distance = 0.0
  }

  private let textures: TextureCache
  private var visibleViews: [WaitingView] = []
  private var prefetchedBitmaps: [Bitmap] = []

  init(textures: TextureCache) { self.textures = textures }

  /// Whether nothing waits.
  public var isEmpty: Bool { visibleViews.isEmpty && prefetchedBitmaps.isEmpty }

  /// How many wait.
  public var count: Int { visibleViews.count + prefetchedBitmaps.count }

  /// A view shows a bitmap that is no texture yet.
  func enqueue(_ view: ImageView) {
    guard !view.isQueuedForUpload else { return }
    view.isQueuedForUpload = true
    visibleViews.append(WaitingView(view: view))
  }

  /// A bitmap will be shown soon.
  public func enqueuePrefetch(_ bitmap: Bitmap) {
    guard textures.texture(for: bitmap) == nil else { return }
    prefetchedBitmaps.append(bitmap)
    // What was asked for long ago is behind by now.
    if prefetchedBitmaps.count > 256 { prefetchedBitmaps.removeFirst(128) }
  }

  /// What would be shown soon is not uploaded ahead.
  func removePrefetches() { prefetchedBitmaps.removeAll() }

  // MARK: Ahead

  /// Whether a view or one within it shows a bitmap that is no texture yet.
  ///
  /// - Complexity: O(views that wait).
  public func isAwaited(within view: View) -> Bool { visibleViews.contains { $0.view.isDescendant(of: view) } }

  /// Uploads one bitmap that a view or one within it shows, ahead of its being seen.
  ///
  /// - Returns: whether there was one.
  /// - Complexity: O(views that wait), and the upload.
  public func uploadNext(within view: View, _ clock: any FrameClock) -> Bool {
    guard let place = visibleViews.firstIndex(where: { $0.view.isDescendant(of: view) }) else { return false }
    let next = visibleViews.remove(at: place).view
    next.isQueuedForUpload = false
    if let bitmap = next.image, textures.texture(for: bitmap) == nil {
      uploadBitmap(bitmap, clock)
    }
    next.textureDidArrive()
    return true
  }

  // MARK: In a frame

  /// Uploads until time or bytes are used up.
  ///
  /// - Parameters:
  ///   - budget: how much time there is.
  ///   - center: what is nearest to it comes first.
  ///   - seen: what is seen while content moves; views beside it wait, as they are work ahead. Nothing at rest, when there
  ///     is time for all.
  /// - Returns: the number of textures made and their bytes.
  func uploadWaiting(_ budget: FrameBudget, center: Point, seen: Rect? = nil) -> (count: Int, bytes: Int) {
    guard !isEmpty else { return (0, 0) }
    let most = seen == nil ? bytesPerFrameAtRest : bytesPerFrame
    let first = (count: textures.uploadCount, bytes: textures.uploadedBytes)
    if visibleViews.count > 1 {
      for place in visibleViews.indices { visibleViews[place].distance = visibleViews[place].view.distance(to: center) }
      visibleViews.sort { $0.distance < $1.distance }
    }
    var used = 0
    var index = 0
    var left = 0
    while index < visibleViews.count, allowsUpload(textures.uploadedBytes - first.bytes, of: most, count: used, budget)
    {
      let view = visibleViews[index].view
      index += 1
      if let seen, view.window != nil, !view.frameInWindow.intersects(seen) {
        visibleViews[left] = WaitingView(view: view)
        left += 1
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
    visibleViews.removeSubrange(left..<index)
    if visibleViews.isEmpty {
      index = 0
      while index < prefetchedBitmaps.count,
        allowsUpload(textures.uploadedBytes - first.bytes, of: most, count: used, budget)
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

  /// Makes the texture of a bitmap that has none.
  private func uploadBitmap(_ bitmap: Bitmap, _ clock: any FrameClock) {
    let began = uploadLog == nil ? .zero : clock.now()
    clock.spend(modelledCost)
    guard textures.upload(bitmap) != nil, let uploadLog else { return }
    uploadLog.recordUpload(of: bitmap, from: began, to: clock.now())
  }

  private func allowsUpload(_ bytes: Int, of most: Int, count: Int, _ budget: FrameBudget) -> Bool {
    count == 0 || (bytes < most && budget.allows(modelledCost))
  }
}
