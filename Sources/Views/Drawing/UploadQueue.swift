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
  public var journal: UploadJournal?

  /// A view that waits, and how far it is from the middle as of the last frame: sorting asks often.
  private struct Waiting {
    let view: ImageView
    var distance = 0.0
  }

  private let textures: TextureResidency
  private var shown: [Waiting] = []
  private var ahead: [Bitmap] = []

  init(textures: TextureResidency) { self.textures = textures }

  /// Whether nothing waits.
  public var isEmpty: Bool { shown.isEmpty && ahead.isEmpty }

  /// How many wait.
  public var count: Int { shown.count + ahead.count }

  /// A view shows a bitmap that is no texture yet.
  func enqueue(_ view: ImageView) {
    guard !view.isQueuedForUpload else { return }
    view.isQueuedForUpload = true
    shown.append(Waiting(view: view))
  }

  /// A bitmap will be shown soon.
  public func enqueueAhead(_ bitmap: Bitmap) {
    guard textures.texture(for: bitmap) == nil else { return }
    ahead.append(bitmap)
    // What was asked for long ago is behind by now.
    if ahead.count > 256 { ahead.removeFirst(128) }
  }

  /// What would be shown soon is not uploaded ahead.
  func dropAhead() { ahead.removeAll() }

  // MARK: Ahead

  /// Whether a view or one within it shows a bitmap that is no texture yet.
  ///
  /// - Complexity: O(views that wait).
  public func isAwaited(within view: View) -> Bool { shown.contains { $0.view.isWithin(view) } }

  /// Uploads one bitmap that a view or one within it shows, ahead of its being seen.
  ///
  /// - Returns: whether there was one.
  /// - Complexity: O(views that wait), and the upload.
  public func uploadNext(within view: View, _ clock: any FrameClock) -> Bool {
    guard let place = shown.firstIndex(where: { $0.view.isWithin(view) }) else { return false }
    let next = shown.remove(at: place).view
    next.isQueuedForUpload = false
    if let bitmap = next.image, textures.texture(for: bitmap) == nil {
      upload(bitmap, clock)
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
  func upload(_ budget: FrameBudget, center: Point, seen: Rect? = nil) -> (count: Int, bytes: Int) {
    guard !isEmpty else { return (0, 0) }
    let most = seen == nil ? bytesPerFrameAtRest : bytesPerFrame
    let first = (count: textures.uploadCount, bytes: textures.uploadedBytes)
    if shown.count > 1 {
      for place in shown.indices { shown[place].distance = shown[place].view.distance(to: center) }
      shown.sort { $0.distance < $1.distance }
    }
    var used = 0
    var index = 0
    var left = 0
    while index < shown.count, allows(textures.uploadedBytes - first.bytes, of: most, count: used, budget) {
      let view = shown[index].view
      index += 1
      if let seen, view.window != nil, !view.frameInWindow.intersects(seen) {
        shown[left] = Waiting(view: view)
        left += 1
        continue
      }
      view.isQueuedForUpload = false
      guard let bitmap = view.image, view.window != nil, textures.texture(for: bitmap) == nil else {
        view.textureDidArrive()
        continue
      }
      upload(bitmap, budget.clock)
      view.textureDidArrive()
      used += 1
    }
    shown.removeSubrange(left..<index)
    if shown.isEmpty {
      index = 0
      while index < ahead.count, allows(textures.uploadedBytes - first.bytes, of: most, count: used, budget) {
        if textures.texture(for: ahead[index]) == nil {
          upload(ahead[index], budget.clock)
          used += 1
        }
        index += 1
      }
      ahead.removeFirst(index)
    }
    return (textures.uploadCount - first.count, textures.uploadedBytes - first.bytes)
  }

  /// Makes the texture of a bitmap that has none.
  private func upload(_ bitmap: Bitmap, _ clock: any FrameClock) {
    let began = journal == nil ? .zero : clock.now()
    clock.spend(modelledCost)
    guard textures.upload(bitmap) != nil, let journal else { return }
    journal.note(bitmap, from: began, to: clock.now())
  }

  private func allows(_ bytes: Int, of most: Int, count: Int, _ budget: FrameBudget) -> Bool {
    count == 0 || (bytes < most && budget.allows(modelledCost))
  }
}
