import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A field for a line of text, with an icon in front and a button that clears it.
///
/// The caret does not blink, so that a window at rest draws nothing.
final class TextField: Control {
  private static let inset = 8.0
  private static let iconSide = 18.0
  private static let style = Theme.detailStyle

  /// The text that is shown while the field is empty.
  let placeholder: String
  /// The text, the caret and the selection.
  private(set) var input = TextInput()
  /// Called when the user changed the text.
  var onChange: (String) -> Void = { _ in }
  /// Called when Enter or the down arrow is pressed.
  var onSubmit: () -> Void = {}
  /// Called when Escape is pressed in an empty field.
  var onCancel: () -> Void = {}
  /// Copies a text to the clipboard.
  var onCopy: (String) -> Void = { _ in }
  /// Returns the text of the clipboard.
  var onPaste: () -> String = { "" }

  private let iconView: IconView
  private let label: Label
  private let clearButton: BarButton
  /// The index of the first character that is shown.
  private var firstShown = 0
  private var isSelecting = false

  /// Creates a field.
  init(placeholder: String, icon: SharedIcon, theme: Theme) {
    self.placeholder = placeholder
    iconView = IconView(icon: icon, tint: theme.secondaryText)
    label = Label(style: TextField.style, color: theme.secondaryText)
    clearButton = BarButton(icon: SharedIcon(.close), toolTip: "Clear the search", theme: theme)
    super.init(theme: theme)
    addSubview(iconView)
    addSubview(label)
    addSubview(clearButton)
    clearButton.isHidden = true
    clearButton.action = { [weak self] in self?.replaceText(with: "") }
    updateLabel()
  }

  /// The text.
  ///
  /// Setting it does not call ``onChange``.
  var text: String {
    get { input.text }
    set {
      guard newValue != input.text else { return }
      input = TextInput(newValue)
      inputDidChange()
    }
  }

  /// Replaces the text as the user would.
  func replaceText(with text: String) {
    self.text = text
    onChange(text)
  }

  /// Selects the whole text.
  func selectAll() {
    input.selectAll()
    inputDidChange()
  }

  override var accessibility: AccessibilityElement? {
    var element = AccessibilityElement(role: .textField, label: placeholder, frame: frameInWindow)
    (element.value, element.isFocused) = (input.text, isFocused)
    return element
  }

  override var treatsTouchAsPointer: Bool { true }

  // MARK: - Appearance

  override func themeDidChange() {
    super.themeDidChange()
    iconView.tint = theme.secondaryText
    clearButton.theme = theme
    updateLabel()
  }

  override func stateDidChange() {
    super.stateDidChange()
    updateLabel()
  }

  private func inputDidChange() {
    clearButton.isHidden = input.characters.isEmpty
    updateLabel()
    setNeedsDisplay()
  }

  /// The area of the text.
  private var textArea: Rect {
    let start = TextField.inset + TextField.iconSide + 4
    let end = clearButton.isHidden ? TextField.inset : bounds.height
    return Rect(x: start, y: 0, width: max(0, bounds.width - start - end), height: bounds.height)
  }

  private func width(_ range: Range<Int>) -> Double {
    guard let resources = window?.resources, !range.isEmpty else { return 0 }
    return resources.scale.length(
      ofPixels: Int32(
        resources.text.width(of: String(input.characters[range]), style: TextField.style, scale: resources.scale)))
  }

  /// Shows as much of the text as fits around the caret.
  private func updateLabel() {
    let isEmpty = input.characters.isEmpty
    firstShown = max(0, min(firstShown, input.caret - 1, input.characters.count))
    // After a deletion, what fits again is shown again.
    while firstShown > 0, input.characters.count - firstShown < Int(textArea.width / 2),
      width((firstShown - 1)..<input.characters.count) <= textArea.width - 2
    {
      firstShown -= 1
    }
    // A letter is at least two points wide, which bounds what is measured.
    while firstShown < input.caret,
      input.caret - firstShown > Int(textArea.width / 2) || width(firstShown..<input.caret) > textArea.width - 2
    {
      firstShown += 1
    }
    let end = min(input.characters.count, firstShown + Int(textArea.width / 2) + 1)
    label.text = isEmpty ? placeholder : String(input.characters[min(firstShown, end)..<end])
    label.textColor = isEmpty ? theme.secondaryText : theme.primaryText
    label.frame = textArea
  }

  override func layoutSubviews() {
    let side = TextField.iconSide
    iconView.frame = Rect(x: TextField.inset, y: ((bounds.height - side) / 2).rounded(), width: side, height: side)
    clearButton.frame = Rect(x: bounds.width - bounds.height, y: 0, width: bounds.height, height: bounds.height)
    updateLabel()
  }

  override func draw(in context: DrawContext) {
    let radius = Metrics.smallCornerRadius + 2
    if isFocused { FocusRing.draw(around: bounds, radius: radius, theme, in: context) }
    let inner = isFocused ? bounds.inset(by: Insets(uniform: Metrics.focusWidth)) : bounds
    context.fillRounded(inner, radius: radius, theme.hoverOverlay)
    guard isFocused else { return }
    let area = textArea
    func x(_ position: Int) -> Double {
      min(area.maxX, area.minX + width(firstShown..<max(firstShown, position)))
    }
    let height = 18.0
    let top = ((bounds.height - height) / 2).rounded()
    if !input.selection.isEmpty {
      let (start, end) = (x(input.selection.lowerBound), x(input.selection.upperBound))
      context.fill(Rect(x: start, y: top, width: end - start, height: height), theme.accent.opacity(0.35))
    }
    context.fill(Rect(x: x(input.caret), y: top, width: 1.5, height: height), theme.accent)
  }

  // MARK: - Input

  /// Returns the position of the character boundary nearest to a point of the field.
  private func position(at x: Double) -> Int {
    let distance = x - textArea.minX
    var position = firstShown
    while position < input.characters.count {
      let (start, end) = (width(firstShown..<position), width(firstShown..<position + 1))
      if distance < (start + end) / 2 || start > textArea.width { break }
      position += 1
    }
    return position
  }

  private func edit(_ change: (inout TextInput) -> Void) {
    let before = input.characters
    change(&input)
    inputDidChange()
    if input.characters != before { onChange(input.text) }
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .text(let text):
      edit { $0.insert(text) }
      return true
    case .keyDown(let key, let modifiers, _): return handleKey(key, modifiers)
    case .pointerDown(let point, .primary, let clicks, let modifiers):
      action()
      let position = position(at: convertFromWindow(point).x)
      isSelecting = true
      edit {
        if clicks > 2 {
          $0.selectAll()
        } else if clicks == 2 {
          $0.selectWord(at: position)
        } else {
          $0.moveCaret(to: position, extending: modifiers.contains(.shift))
        }
      }
      return true
    case .pointerMoved(let point) where isSelecting:
      let position = position(at: convertFromWindow(point).x)
      edit { $0.moveCaret(to: position, extending: true) }
      return true
    case .pointerUp(_, .primary, _):
      isSelecting = false
      return true
    case .cancelled:
      isSelecting = false
      return super.handle(event)
    default: return super.handle(event)
    }
  }

  private func handleKey(_ key: Key, _ modifiers: KeyModifiers) -> Bool {
    let extending = modifiers.contains(.shift)
    let control = modifiers.contains(.control)
    switch key {
    case .left: edit { $0.move(control ? .word(-1) : .characters(-1), extending: extending) }
    case .right: edit { $0.move(control ? .word(1) : .characters(1), extending: extending) }
    case .home: edit { $0.move(.start, extending: extending) }
    case .end: edit { $0.move(.end, extending: extending) }
    case .backspace: edit { $0.delete(control ? .word(-1) : .characters(-1)) }
    case .delete: edit { $0.delete(control ? .word(1) : .characters(1)) }
    case .enter, .down: onSubmit()
    case .escape:
      if input.characters.isEmpty { onCancel() } else { replaceText(with: "") }
    case .character("a") where modifiers == .control: edit { $0.selectAll() }
    case .character("c") where modifiers == .control: copy()
    case .character("x") where modifiers == .control:
      copy()
      if !input.selection.isEmpty { edit { $0.insert("") } }
    case .character("v") where modifiers == .control:
      // An empty clipboard, or one that the system cannot pass on, replaces nothing.
      let pasted = onPaste()
      if !pasted.isEmpty { edit { $0.insert(pasted) } }
    // The text follows.
    case .space, .character: return false
    default: return false
    }
    return true
  }

  private func copy() { if !input.selection.isEmpty { onCopy(input.selectedText) } }
}
