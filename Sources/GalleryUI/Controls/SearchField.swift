import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A text field on a bar, with an icon in front and a button that clears it.
final class SearchField: Control {
  private static let inset = 8.0
  private static let iconSide = 18.0

  /// Called when the user changed the text.
  var onChange: (String) -> Void = { _ in }
  /// Called when Enter or the down arrow is pressed.
  var onSubmit: () -> Void = {}
  /// Called when Escape is pressed in an empty field.
  var onCancel: () -> Void = {}

  /// The field that edits the text.
  let textField: TextField
  private let iconView: IconView
  private let clearButton: BarButton

  /// Creates a field.
  init(placeholder: String, icon: SharedIcon, theme: Theme) {
    textField = TextField(style: Theme.detailStyle, color: theme.primaryText)
    textField.placeholder = placeholder
    iconView = IconView(icon: icon, tint: theme.secondaryText)
    clearButton = BarButton(icon: SharedIcon(.close), toolTip: "Clear the search", theme: theme)
    super.init(theme: theme)
    addSubview(iconView)
    addSubview(textField)
    addSubview(clearButton)
    clearButton.isHidden = true
    clearButton.action = { [weak self] in self?.replaceText(with: "") }
    textField.onEditingChanged = { [weak self] text in
      self?.textDidChange()
      self?.onChange(text)
    }
    textField.onReturn = { [weak self] in self?.onSubmit() }
    textField.onCancel = { [weak self] in
      guard let self else { return }
      if text.isEmpty { onCancel() } else { replaceText(with: "") }
    }
    textField.onEditingStateChanged = { [weak self] isEditing in
      if isEditing, self?.isFocused == false { self?.action() }
    }
    updateColors()
  }

  /// The text.
  ///
  /// Setting it does not call ``onChange``.
  var text: String {
    get { textField.text }
    set {
      textField.text = newValue
      textDidChange()
    }
  }

  /// Replaces the text as the user would.
  func replaceText(with text: String) {
    self.text = text
    onChange(self.text)
  }

  /// Selects the whole text.
  func selectAll() { textField.selectAll() }

  override var responder: View { textField }

  override var accessibility: AccessibilityElement? {
    var element = AccessibilityElement(role: .textField, label: textField.placeholder, frame: frameInWindow)
    (element.value, element.isFocused) = (text, isFocused)
    return element
  }

  // MARK: - Appearance

  override func themeDidChange() {
    super.themeDidChange()
    updateColors()
  }

  private func updateColors() {
    iconView.tint = theme.secondaryText
    clearButton.theme = theme
    textField.textColor = theme.primaryText
    textField.placeholderColor = theme.secondaryText
    textField.tintColor = theme.accent
  }

  private func textDidChange() {
    guard clearButton.isHidden != text.isEmpty else { return }
    clearButton.isHidden = text.isEmpty
    setNeedsLayout()
  }

  override func layoutSubviews() {
    let side = SearchField.iconSide
    iconView.frame = Rect(x: SearchField.inset, y: ((bounds.height - side) / 2).rounded(), width: side, height: side)
    clearButton.frame = Rect(x: bounds.width - bounds.height, y: 0, width: bounds.height, height: bounds.height)
    let start = SearchField.inset + side + 4
    let end = clearButton.isHidden ? SearchField.inset : bounds.height
    textField.frame = Rect(x: start, y: 0, width: max(0, bounds.width - start - end), height: bounds.height)
  }

  override func draw(in context: DrawContext) {
    let radius = Metrics.smallCornerRadius + 2
    if isFocused { FocusRing.draw(around: bounds, radius: radius, theme, in: context) }
    let inner = isFocused ? bounds.inset(by: Insets(uniform: Metrics.focusWidth)) : bounds
    context.fillRounded(inner, radius: radius, theme.hoverOverlay)
  }

  // MARK: - Input

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(_, .primary, _, _):
      action()
      return true
    case .keyDown(.down, let modifiers, _) where modifiers.isEmpty:
      onSubmit()
      return true
    // Space and Enter press other controls.
    case .keyDown: return false
    default: return super.handle(event)
    }
  }
}
