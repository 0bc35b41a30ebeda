public import VitrineRendering
public import VitrineViews

/// The root of a program's window, which contains the content and handles the keys that every program has.
///
/// A ``RunObserver`` that shows something over the content makes a subclass.
@MainActor
open class HostRootView: View {
  /// The view of the program, which fills the window.
  public final let content: View
  /// The action that toggles full screen.
  public final var onToggleFullScreen: () -> Void = {}
  /// Returns whether the window is full screen.
  public final var isFullScreen: () -> Bool = { false }
  /// The action that quits the program.
  public final var onQuit: () -> Void = {}

  /// Shows the next level of what a subclass shows over the content; does nothing by default.
  open func showNextOverlay() {}

  /// Creates a root view of a content view.
  public init(_ content: View) {
    self.content = content
    super.init()
    isUserInteractionEnabled = false
    addSubview(content)
  }

  open override func layoutSubviews() {
    content.frame = bounds
    // The scale may change while the size remains.
    content.setNeedsLayout()
  }

  open override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .keyDown(.function(11), _, isRepeat: false): onToggleFullScreen()
    case .keyDown(.character("q"), .control, _), .keyDown(.character("w"), .control, _): onQuit()
    default: return false
    }
    return true
  }
}
