import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// What ``ViewerController`` needs from the screen.
protocol ViewerHost: AnyObject {
  /// The current time: that of the frame or of the last event.
  var now: FrameInstant { get }
  /// The time of the frame.
  var frameInstant: FrameInstant { get }
  /// The bounds of the screen.
  var bounds: Rect { get }
  /// The rendering resources of the window, or nil if there is no window.
  var resources: RenderResources? { get }
  /// The colors.
  var theme: Theme { get }
  /// The text that is shown for a few seconds, or nil.
  var noticeText: String? { get }
  /// Opens an address in the program that the desktop has for it, or nil if that is not possible.
  var openAddress: ((String) -> Void)? { get }
  /// Whether the window is full screen.
  var isFullScreen: Bool { get }
  /// Whether a menu or another view covers the viewer.
  var coversViewer: Bool { get }

  /// Enters or leaves full screen, if the window can.
  func toggleFullScreen()
  /// Keeps the screen on, or permits the desktop to turn it off again.
  func setScreenSaverDisabled(_ isDisabled: Bool)
  /// Hides the pointer, or shows it again.
  func setPointerHidden(_ isHidden: Bool)
  /// Closes menus, ends a search and hides the tool tip.
  func viewerWillOpen()
  /// Adds a view in front of the others.
  func addSubview(_ view: View)
  /// Moves the keyboard focus to a view.
  func moveKeyboardFocus(to view: View)
  /// Returns the frame of a photograph's picture in the grid, in the screen's coordinates, or nil if it is not visible.
  func pictureFrame(of item: PhotoID) -> Rect?
  /// Shows the menu of the picture at a point of the screen.
  func showPictureMenu(at point: Point)
  /// Requests a frame.
  func setNeedsDisplay()
}
