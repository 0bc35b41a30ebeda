import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering

/// The owner of how pictures are turned in the viewer, and of the turned bitmaps.
///
/// The bitmaps are turned, and not their texture coordinates: the renderers of SDL and of software draw them as any
/// others, with the same filters, and a turned picture costs a frame nothing. Files are never changed.
///
/// Invariants:
/// - Pictures keep their orientation until the viewer is closed.
/// - Only of viewed pictures are there turned bitmaps.
final class PictureOrientationController {
  private let thread: ArrangementThread?
  private var orientations: [PhotoID: PictureOrientation] = [:]
  private var turners: [PhotoID: PictureTurner] = [:]

  /// Creates the controller of a viewer.
  ///
  /// - Parameter thread: The thread on which bitmaps are turned, or nil to turn them at once.
  init(thread: ArrangementThread?) { self.thread = thread }

  /// Returns the orientation of a picture that the user chose last, or ``PictureOrientation/up``.
  func orientation(of item: PhotoID) -> PictureOrientation { orientations[item] ?? .up }

  /// Changes the orientation of a picture.
  func changeOrientation(of item: PhotoID, _ change: (inout PictureOrientation) -> Void) {
    var orientation = orientation(of: item)
    change(&orientation)
    orientations[item] = orientation == .up ? nil : orientation
  }

  /// Resets all pictures, because the viewer is closed.
  func viewerDidClose() { (orientations, turners) = ([:], [:]) }

  /// Whether a bitmap was turned that has not been received.
  var hasPendingResult: Bool { turners.values.contains(where: \.hasPendingResult) }

  /// Receives turned bitmaps.
  ///
  /// - Returns: Whether there are any to show.
  func collect() -> Bool {
    var hasResult = false
    for turner in turners.values where turner.collect() { hasResult = true }
    return hasResult
  }

  /// Releases the bitmaps of pictures that are not viewed any more.
  func keep(_ items: [PhotoID]) {
    if turners.keys.contains(where: { !items.contains($0) }) { turners = turners.filter { items.contains($0.key) } }
  }

  /// Returns the content of a viewed picture with its orientation, or the last one until bitmaps have been turned.
  func turned(_ content: PictureView.Content) -> PictureView.Content {
    guard let item = content.item else { return content }
    let turner = turners[item] ?? PictureTurner(thread: thread)
    turners[item] = turner
    return turner.turned(content, to: orientation(of: item))
  }
}

/// The owner of the turned bitmaps of a picture.
///
/// Pictures in the size of the window, and larger ones, are turned on another thread. Until then a picture is shown in its
/// last orientation.
private final class PictureTurner {
  private nonisolated struct Request: Hashable, Sendable {
    let source: BitmapReference
    let orientation: PictureOrientation
  }

  /// A turned picture in the size of the window.
  private struct Shown {
    let orientation: PictureOrientation
    /// The picture, or nil if it is not turned.
    let picture: Bitmap?
    /// The frame of an animation, or the picture's own pixels, or nil if none was turned.
    var detail: Bitmap?
    /// The part of a giant picture, or nil if none was turned.
    var part: PicturePartView.Part?
  }

  private let pictures: LatestTask<Request, Bitmap?>
  private let details: LatestTask<Request, Bitmap?>
  private let parts: LatestTask<Request, Bitmap?>
  /// What was shown last, or nil.
  private var shown: Shown?
  /// The last turned thumbnail, which is small.
  private var thumbnail: (request: Request, bitmap: Bitmap?)?

  /// Creates the owner of a picture's bitmaps.
  ///
  /// - Parameter thread: The thread on which bitmaps are turned, or nil to turn them at once.
  init(thread: ArrangementThread?) {
    pictures = LatestTask(thread: thread) { $0.source.bitmap.turned(to: $0.orientation) }
    details = LatestTask(thread: thread) { $0.source.bitmap.turned(to: $0.orientation) }
    parts = LatestTask(thread: thread) { $0.source.bitmap.turned(to: $0.orientation) }
  }

  /// Whether a bitmap was turned that has not been received.
  var hasPendingResult: Bool { pictures.hasPendingResult || details.hasPendingResult || parts.hasPendingResult }

  /// Receives turned bitmaps.
  ///
  /// - Returns: Whether there are any to show.
  func collect() -> Bool {
    let (hasPicture, hasDetail, hasPart) = (pictures.collect(), details.collect(), parts.collect())
    return hasPicture || hasDetail || hasPart
  }

  /// Returns a content with an orientation, or the last one until bitmaps have been turned.
  func turned(_ content: PictureView.Content, to orientation: PictureOrientation) -> PictureView.Content {
    guard let picture = content.overview ?? content.picture else {
      shown = nil
      pictures.setRequest(nil)
      return turned(content, to: orientation, picture: nil)
    }
    guard orientation != .up else {
      pictures.setRequest(nil)
      details.setRequest(nil)
      parts.setRequest(nil)
      shown = Shown(orientation: .up, picture: nil)
      return content
    }
    pictures.setRequest(Request(source: BitmapReference(bitmap: picture), orientation: orientation))
    if let bitmap = pictures.value ?? nil {
      if shown?.orientation == orientation, shown?.picture === bitmap {
        return turned(content, to: orientation, picture: bitmap)
      }
      shown = Shown(orientation: orientation, picture: bitmap)
    } else if shown?.orientation == .up {
      return content
    }
    return turned(content, to: shown?.orientation ?? orientation, picture: shown?.picture)
  }

  private func turned(
    _ content: PictureView.Content, to orientation: PictureOrientation, picture: Bitmap?
  ) -> PictureView.Content {
    guard orientation != .up else { return content }
    var turned = content
    turned.orientation = orientation
    turned.size = content.size.map(orientation.size)
    turned.thumbnail = content.thumbnail.flatMap { turnedThumbnail($0, to: orientation) }
    turned.makePreview = { size in content.makePreview(orientation.size(of: size))?.turned(to: orientation) }
    turned.overview = content.overview == nil ? nil : picture
    turned.picture = picture
    if let overview = content.overview, let detail = content.picture, detail !== overview {
      details.setRequest(Request(source: BitmapReference(bitmap: detail), orientation: orientation))
      // The last one stays until the next one is turned, so that an animation does not flicker.
      if let bitmap = details.value ?? nil { shown?.detail = bitmap }
      turned.picture = shown?.detail ?? picture
    } else {
      details.setRequest(nil)
      shown?.detail = nil
    }
    turned.part = turnedPart(of: content, to: orientation)
    return turned
  }

  private func turnedPart(
    of content: PictureView.Content, to orientation: PictureOrientation
  ) -> PicturePartView.Part? {
    guard let part = content.part, let size = content.size else {
      parts.setRequest(nil)
      shown?.part = nil
      return nil
    }
    parts.setRequest(Request(source: BitmapReference(bitmap: part.bitmap), orientation: orientation))
    if let bitmap = parts.value ?? nil {
      shown?.part = PicturePartView.Part(
        bitmap: bitmap, region: orientation.displayedRegion(of: part.region, in: size))
    }
    return shown?.part
  }

  private func turnedThumbnail(_ bitmap: Bitmap, to orientation: PictureOrientation) -> Bitmap? {
    let request = Request(source: BitmapReference(bitmap: bitmap), orientation: orientation)
    if let thumbnail, thumbnail.request == request { return thumbnail.bitmap }
    thumbnail = (request, bitmap.turned(to: orientation))
    return thumbnail?.bitmap
  }
}

// MARK: - Turning the viewed picture

extension ViewerController {
  /// Rotates the viewed picture by quarter turns, clockwise if the number is positive.
  func rotatePicture(byQuarterTurns turns: Int) { turnPicture { $0.rotate(byQuarterTurns: turns) } }

  /// Exchanges left and right of the viewed picture.
  func flipPictureHorizontally() { turnPicture { $0.flipHorizontally() } }

  /// Exchanges top and bottom of the viewed picture.
  func flipPictureVertically() { turnPicture { $0.flipVertically() } }

  private func turnPicture(_ change: (inout PictureOrientation) -> Void) {
    guard let item = openItem else { return }
    orientation.changeOrientation(of: item, change)
    showContent()
  }
}
