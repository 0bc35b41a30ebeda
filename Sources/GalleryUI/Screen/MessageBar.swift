import VitrineGeometry
import VitrineRendering
import VitrineViews

/// Something that the user should know about the library, with what can be done.
nonisolated struct LibraryMessage: Hashable, Sendable {
  /// What the button does.
  enum Action: Hashable, Sendable {
    /// Reads the folders again.
    case readAgain
    /// Stops reading the folders.
    case stopReading
  }

  /// What happened, in a line.
  let text: String
  /// What can be done, or nil if nothing can.
  let action: Action?

  /// The title of the button, or nil if there is none.
  var actionTitle: String? {
    switch action {
    case .readAgain: "Try again"
    case .stopReading: "Stop"
    case nil: nil
    }
  }
}

/// The bar below the header bar with a message about the library: a text, a button for what can be done, and one that
/// closes the bar.
final class MessageBar: View, ThemedView {
  /// The height of the bar, in points.
  static let height = 40.0
  private static let buttonHeight = 28.0

  /// The colors.
  var theme: Theme {
    didSet { themeDidChange() }
  }
  /// Performs the action of the message.
  var onAction: (LibraryMessage.Action) -> Void = { _ in }
  /// Called when the message is closed.
  var onClose: () -> Void = {}
  /// The button of the action.
  let actionButton: BarButton
  /// The button that closes the message.
  let closeButton: BarButton
  private let label: Label
  private var message: LibraryMessage?

  /// Creates a hidden bar.
  init(theme: Theme) {
    self.theme = theme
    label = Label(style: Theme.detailStyle, color: theme.primaryText)
    label.lineBreakMode = .byTruncatingMiddle
    actionButton = BarButton(title: " ", toolTip: "", theme: theme)
    closeButton = BarButton(icon: SharedIcon(.close), toolTip: "Close", theme: theme)
    super.init()
    isHidden = true
    actionButton.isOn = true
    for view in [label, actionButton, closeButton] { addSubview(view) }
    actionButton.action = { [weak self] in
      if let self, let action = message?.action { onAction(action) }
    }
    closeButton.action = { [weak self] in self?.onClose() }
    themeDidChange()
  }

  private func themeDidChange() {
    backgroundColor = theme.bar
    label.textColor = theme.primaryText
    setNeedsDisplay()
  }

  /// The controls that can be pressed now.
  var controls: [Control] { isHidden ? [] : [actionButton, closeButton].filter { !$0.isHidden } }

  /// The text that is shown, or nil if the bar is hidden.
  var text: String? { isHidden ? nil : label.text }

  /// Shows a message, or hides the bar.
  ///
  /// - Returns: Whether the bar was shown or hidden.
  func show(_ message: LibraryMessage?) -> Bool {
    guard message != self.message else { return false }
    self.message = message
    if let message {
      label.text = message.text
      actionButton.title = message.actionTitle ?? " "
      actionButton.isHidden = message.actionTitle == nil
    }
    setNeedsLayout()
    guard isHidden != (message == nil) else { return false }
    isHidden = message == nil
    return true
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let top = ((bounds.height - MessageBar.buttonHeight) / 2).rounded()
    var end = bounds.width - Metrics.margin / 2
    for button in [closeButton, actionButton] where !button.isHidden {
      let width = min(max(0, end), button.preferredWidth(in: resources))
      button.frame = Rect(x: end - width, y: top, width: width, height: MessageBar.buttonHeight)
      end -= width + 8
    }
    label.frame = Rect(x: Metrics.margin, y: 0, width: max(0, end - Metrics.margin), height: bounds.height)
  }

  override func draw(in context: DrawContext) {
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(Rect(x: 0, y: 0, width: 3, height: bounds.height), theme.accent)
    context.fill(Rect(x: 0, y: bounds.height - hairline, width: bounds.width, height: hairline), theme.separator)
  }
}
