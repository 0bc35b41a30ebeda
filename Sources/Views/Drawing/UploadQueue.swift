public import FramePacing
import Geometry
public import Rendering

/// Bitmaps that wait to become textures: those that views show, nearest to the middle first, then those ahead.
public final class UploadQueue {
  /// Time added to every upload: for demonstrations and tests.
  public var modelledCost: FrameDuration = .zero
  /// The most bytes a frame; at least one bitmap goes in every frame, so that progress is certain.
  public var bytesPerFrame = 1 << 20

  private let textures: TextureResidency
  private var shown: [ImageView] = []
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
    shown.append(view)
  }

  /// A bitmap will be shown soon.
  public func enqueueAhead(_ bitmap: Bitmap) {
    guard textures.texture(for: bitmap) == nil else { return }
    ahead.append(bitmap)
    // What was asked for long ago is behind by now.
    if ahead.count > 256 { ahead.removeFirst(128) }
  }

  /// Uploads until time or bytes are used up.
  ///
  /// - Returns: the number of textures made and their bytes.
  func upload(_ budget: FrameBudget, center: Point) -> (count: Int, bytes: Int) {
    guard !isEmpty else { return (0, 0) }
    let first = (count: textures.uploadCount, bytes: textures.uploadedBytes)
    if shown.count > 1 { shown.sort { $0.distance(to: center) < $1.distance(to: center) } }
    var used = 0
    var index = 0
    while index < shown.count, allows(textures.uploadedBytes - first.bytes, count: used, budget) {
      let view = shown[index]
      index += 1
      view.isQueuedForUpload = false
      guard let bitmap = view.image, view.window != nil, textures.texture(for: bitmap) == nil else {
        view.textureDidArrive()
        continue
      }
      budget.clock.spend(modelledCost)
      textures.upload(bitmap)
      view.textureDidArrive()
      used += 1
    }
    shown.removeFirst(index)
    if shown.isEmpty {
      index = 0
      while index < ahead.count, allows(textures.uploadedBytes - first.bytes, count: used, budget) {
        if textures.texture(for: ahead[index]) == nil {
          budget.clock.spend(modelledCost)
          textures.upload(ahead[index])
          used += 1
        }
        index += 1
      }
      ahead.removeFirst(index)
    }
    return (textures.uploadCount - first.count, textures.uploadedBytes - first.bytes)
  }

  private func allows(_ bytes: Int, count: Int, _ budget: FrameBudget) -> Bool {
    count == 0 || (bytes < bytesPerFrame && budget.allows(modelledCost))
  }
}
