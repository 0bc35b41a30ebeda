import CollectionUI
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineRendering

/// The owner of the slide show in the viewer.
///
/// Invariants:
/// - The slide show runs only while the viewer is open. Escape and keys that show another picture end it.
/// - It is in full screen, if the window can be, and Escape leaves full screen that it entered.
/// - It pauses while a menu is open.
final class SlideShowController {
  private unowned let viewer: ViewerController
  private var slideShow = SlideShow()
  /// The index of the picture that was due and requested again, or nil.
  private var awaitedIndex: Int?
  /// Whether the last slide show entered full screen, and leaves it at its end.
  private var entersFullScreen = false

  /// Creates the controller of a viewer.
  init(viewer: ViewerController) { self.viewer = viewer }

  /// Whether the slide show runs.
  var isRunning: Bool { slideShow.isRunning }

  /// The index of the next picture, or nil if none is known.
  var nextIndex: Int? { slideShow.nextIndex }

  /// The time at which the next picture is due, or nil.
  var nextFrame: FrameInstant? { viewer.host.coversViewer ? nil : slideShow.nextFrame }

  /// The time for which a picture is shown.
  var interval: SlideShow.Interval {
    get { slideShow.interval }
    set {
      slideShow.interval = newValue
      viewer.host.setNeedsDisplay()
    }
  }

  /// Whether the pictures are shown in random order.
  var isShuffled: Bool {
    get { slideShow.isShuffled }
    set {
      slideShow.setShuffled(newValue)
      // The next picture is another one.
      viewer.showContent()
    }
  }

  /// Starts the slide show with the viewed picture, or ends it.
  func toggle() {
    guard !isRunning else {
      stop()
      if entersFullScreen { viewer.fullScreen.leaveIfEntered() }
      return
    }
    viewer.endComparison()
    guard let position = viewer.position else { return }
    let now = viewer.host.now
    slideShow.start(at: position.index, of: position.count, seed: UInt64(bitPattern: now.nanoseconds), at: now)
    viewer.host.setScreenSaverDisabled(true)
    entersFullScreen = !viewer.host.isFullScreen
    viewer.fullScreen.enter()
    viewer.showContent()
  }

  /// Ends the slide show.
  func stop() {
    guard isRunning else { return }
    slideShow.stop()
    awaitedIndex = nil
    viewer.host.setScreenSaverDisabled(false)
    viewer.host.setNeedsDisplay()
  }

  /// Updates the position after a change of the library.
  func positionDidChange() {
    if let position = viewer.position { slideShow.setPosition(position.index, of: position.count) }
  }

  /// Shows the next picture if it is due and decoded.
  func update(at instant: FrameInstant) {
    guard isRunning, !viewer.host.coversViewer else { return }
    let skipped = slideShow.nextIndex
    if let index = slideShow.advance(at: instant, readiness: viewer.readiness) {
      awaitedIndex = nil
      viewer.showItem(at: index)
    } else if slideShow.nextIndex != skipped || slideShow.isWaiting && awaitedIndex != skipped {
      // Another picture is decoded instead of a broken one, or one again that may have been removed from memory.
      awaitedIndex = slideShow.isWaiting ? slideShow.nextIndex : nil
      viewer.showContent()
    }
  }
}

// MARK: - The slide show of the screen

extension GalleryScreen {
  /// Starts a slide show with the viewed or else the focused photograph, or ends it.
  func toggleSlideShow() {
    if !viewer.isOpen {
      let count = dataSource.displayedSnapshot().numberOfItems
      guard count > 0, let item = dataSource.itemIdentifier(atFlatIndex: min(grid.selection.lead ?? 0, count - 1))
      else {
        return
      }
      viewer.open(item)
    }
    viewer.slideShow.toggle()
  }
}
