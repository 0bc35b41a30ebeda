import VitrineGeometry
public import VitrineRendering

/// A field for a single line of text.
///
/// The field edits its text while it is the window's first responder: it has a caret, a selection by keys and by pointer,
/// the clipboard, undo and redo, and input methods, whose composition is underlined. A line that is too long scrolls. The
/// owner draws a background and a frame around the field.
///
///     let field = TextField(style: TextStyle(size: 13), color: .white)
///     field.placeholder = "Search"
///     field.onEditingChanged = { text in search(for: text) }
///     window.firstResponder = field
///
/// | Keys | Effect |
/// |---|---|
/// | Left, Right, Home, End | move the caret, with Control by words, with Shift extending the selection |
/// | Backspace, Delete | delete the selection or a character, with Control a word |
/// | Ctrl+A, Ctrl+C, Ctrl+X, Ctrl+V | select all, copy, cut, paste |
/// | Ctrl+Z, Ctrl+Shift+Z, Ctrl+Y | undo, redo |
///
/// The caret does not blink, so that a window at rest draws nothing.
@MainActor
public final class TextField: View {
  /// The default maximum number of characters.
  public static let defaultMaximumCount = 500

  /// The text, without the marked text of an input method.
  ///
  /// Setting it moves the caret to its end and discards the history. It does not call ``onEditingChanged``. Line breaks and
  /// tabs become spaces, other control characters are removed, and characters beyond the maximum are dropped.
  public var text: String {
    get { state.text }
    set {
      guard newValue != state.text || !state.marked.text.isEmpty else { return }
      state = TextEditingState(newValue, maximumCount: state.maximumCount)
      contentDidChange()
    }
  }
  /// The text that is displayed while the field is empty.
  public var placeholder = "" {
    didSet { if placeholder != oldValue { contentDidChange() } }
  }
  /// The typeface, weight and size.
  public var style: TextStyle {
    didSet { if style != oldValue { contentDidChange() } }
  }
  /// The text color.
  public var textColor: Color {
    didSet { if textColor != oldValue { contentDidChange() } }
  }
  /// The color of the placeholder.
  public var placeholderColor: Color {
    didSet { if placeholderColor != oldValue { contentDidChange() } }
  }
  /// The color of the caret.
  ///
  /// Its translucent form fills the selection.
  public var tintColor: Color {
    didSet { if tintColor != oldValue { setNeedsDisplay() } }
  }

  /// A closure that is called with the text after the user changed it.
  public var onEditingChanged: ((String) -> Void)?
  /// A closure that is called when the user presses Enter.
  ///
  /// If it is nil, the superview receives the key.
  public var onReturn: (() -> Void)?
  /// A closure that is called when the user presses Escape.
  ///
  /// If it is nil, the superview receives the key.
  public var onCancel: (() -> Void)?
  /// A closure that is called when the field becomes the first responder (true) or ceases to be it (false).
  public var onEditingStateChanged: ((Bool) -> Void)?

  private var state: TextEditingState
  private let label: Label
  private var isSelecting = false
  /// The distance by which the line is scrolled to the left, in pixels.
  private var scrollOffset = 0
  /// The extents of the displayed characters, for the resources' generation.
  private var measured: (geometry: LineGeometry, generation: Int)?

  /// Creates an empty field.
  ///
  /// - Parameters:
  ///   - style: The typeface, weight and size.
  ///   - color: The text color. Half of its opacity is that of the placeholder.
  ///   - tintColor: The color of the caret and the selection. Default: the text color.
  ///   - maximumCount: The maximum number of characters.
  public init(
    style: TextStyle, color: Color, tintColor: Color? = nil, maximumCount: Int = TextField.defaultMaximumCount
  ) {
    self.style = style
    textColor = color
    placeholderColor = color.opacity(0.5 * Double(color.alpha) / 255)
    self.tintColor = tintColor ?? color
    state = TextEditingState(maximumCount: max(0, maximumCount))
    label = Label(style: style, color: color, alignment: .leading)
    label.keepsLineUntilReplaced = true
    super.init()
    addSubview(label)
  }

  /// Whether the field is the window's first responder.
  public var isFirstResponder: Bool { window?.firstResponder === self }

  /// The positions in the text between which it is selected, in characters; empty at the caret if nothing is selected.
  public var selectedRange: Range<Int> { state.selection.range }

  /// Makes the field the first responder of its window.
  public func becomeFirstResponder() { window?.firstResponder = self }

  /// Selects the whole text.
  public func selectAll() { perform(.selectAll) }

  /// An element with the text as its value.
  public override var accessibility: AccessibilityElement? {
    var element = AccessibilityElement(role: .textField, label: placeholder, frame: frameInWindow)
    (element.value, element.isFocused) = (state.text, isFirstResponder)
    return element
  }

  public override var treatsTouchAsPointer: Bool { true }

  // MARK: - Responder

  override func didBecomeFirstResponder() {
    updateTextInput()
    setNeedsDisplay()
    onEditingStateChanged?(true)
  }

  override func didResignFirstResponder() {
    perform(.unmarkText)
    isSelecting = false
    window?.resources.display.setTextInputArea(nil)
    setNeedsDisplay()
    onEditingStateChanged?(false)
  }

  /// Notifies the input method of the caret's place, near which it displays its candidates.
  private func updateTextInput() {
    guard isFirstResponder, let resources = window?.resources else { return }
    let caret = Rect(x: caretX(resources), y: 0, width: 1, height: bounds.height)
    resources.display.setTextInputArea(caret.offset(by: frameInWindow.origin))
  }

  // MARK: - Layout

  public override func layoutSubviews() { updateLabel() }

  private func contentDidChange() {
    measured = nil
    label.style = style
    updateLabel()
    setNeedsDisplay()
  }

  /// Returns the extents of the displayed characters.
  private func geometry(_ resources: RenderResources) -> LineGeometry {
    if let measured, measured.generation == resources.generation { return measured.geometry }
    let text = String(state.displayedCharacters)
    let geometry = resources.text.geometry(of: text, style: style, scale: resources.scale)
    measured = (geometry, resources.generation)
    return geometry
  }

  /// The distance from the left edge of the field to the start of the line, in pixels.
  private func lineStart(_ geometry: LineGeometry, _ resources: RenderResources) -> Int {
    let room = visibleWidth(resources) - geometry.width
    return geometry.isRightToLeft && room > 0 ? room : -scrollOffset
  }

  /// The width of the field without that of a caret at its edge, in pixels.
  private func visibleWidth(_ resources: RenderResources) -> Int {
    max(1, Int(resources.scale.pixel(bounds.width)) - caretWidth(resources))
  }

  private func caretWidth(_ resources: RenderResources) -> Int { max(1, Int(resources.scale.pixel(1.5))) }

  private func caretX(_ resources: RenderResources) -> Double {
    let geometry = geometry(resources)
    let column = geometry.caretColumn(at: state.displayedCaret) + lineStart(geometry, resources)
    return resources.scale.length(ofPixels: Int32(column))
  }

  /// Scrolls the line so that the caret is visible, and moves the label.
  private func updateLabel() {
    let isEmpty = state.displayedCharacters.isEmpty
    label.text = isEmpty ? placeholder : String(state.displayedCharacters)
    label.textColor = isEmpty ? placeholderColor : textColor
    guard let resources = window?.resources, bounds.width > 0 else { return }
    guard !isEmpty else {
      scrollOffset = 0
      // Beside the caret, not under it.
      label.frame = bounds.inset(by: Insets(left: 3, right: 3))
      return
    }
    let geometry = geometry(resources)
    let visible = visibleWidth(resources)
    let caret = geometry.caretColumn(at: state.displayedCaret)
    let offset = min(max(scrollOffset, caret - visible), caret)
    scrollOffset = max(0, min(offset, geometry.width - visible))
    // A little wider than the line, which would be truncated otherwise.
    label.frame = Rect(
      x: resources.scale.length(ofPixels: Int32(lineStart(geometry, resources))), y: 0,
      width: resources.scale.length(ofPixels: Int32(geometry.width)) + 8, height: bounds.height)
    updateTextInput()
  }

  // MARK: - Drawing

  public override func draw(in context: DrawContext) {
    guard isFirstResponder, !state.displayedCharacters.isEmpty else { return }
    let geometry = geometry(context.resources)
    let start = lineStart(geometry, context.resources)
    let (top, height) = lineExtent(context)
    context.clipped(to: bounds) { context in
      if !state.selection.range.isEmpty {
        for columns in geometry.columns(of: state.selection.range) {
          context.fill(rect(of: columns, start, top, height, context), tintColor.opacity(0.35))
        }
      }
      for columns in geometry.columns(of: state.markedRange) {
        var line = rect(of: columns, start, top, height, context)
        line = Rect(x: line.minX, y: line.maxY - 1, width: line.width, height: 1)
        context.fill(line, textColor)
      }
    }
  }

  public override func renderSubviews(in context: DrawContext) {
    context.clipped(to: bounds) { super.renderSubviews(in: $0) }
    guard isFirstResponder else { return }
    let (top, height) = lineExtent(context)
    let width = context.scale.length(ofPixels: Int32(caretWidth(context.resources)))
    context.fill(Rect(x: caretX(context.resources), y: top, width: width, height: height), tintColor)
  }

  /// Returns the vertical extent of the line.
  private func lineExtent(_ context: DrawContext) -> (top: Double, height: Double) {
    let metrics = context.resources.text.metrics(style, scale: context.scale)
    let height = context.scale.length(ofPixels: Int32(metrics.ascent + metrics.descent))
    return (context.scale.snapped((bounds.height - height) / 2), height)
  }

  private func rect(
    of columns: Range<Int>, _ start: Int, _ top: Double, _ height: Double, _ context: DrawContext
  ) -> Rect {
    Rect(
      x: context.scale.length(ofPixels: Int32(start + columns.lowerBound)), y: top,
      width: context.scale.length(ofPixels: Int32(columns.count)), height: height)
  }

  // MARK: - Input

  /// Changes the state by an event and performs the effects.
  private func perform(_ event: TextEditingState.Event) {
    let before = state
    let effects = state.handle(event)
    if let copied = effects.copiedText { _ = window?.resources.display.setClipboardText(Array(copied.utf8)) }
    if state != before { contentDidChange() }
    if effects.textChanged { onEditingChanged?(state.text) }
  }

  /// Returns the position nearest to a point in the window.
  private func position(at point: Point) -> Int {
    guard let resources = window?.resources else { return 0 }
    let geometry = geometry(resources)
    let column = Int(resources.scale.pixel(convertFromWindow(point).x)) - lineStart(geometry, resources)
    return geometry.position(at: column)
  }

  public override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .text(let text):
      perform(.insert(text, isTyped: true))
      return true
    case .markedText(let text, let caret):
      perform(.setMarkedText(text, caret: caret))
      return true
    case .keyDown(let key, let modifiers, _): return handleKey(key, modifiers)
    case .pointerDown(let point, .primary, let clicks, let modifiers):
      becomeFirstResponder()
      perform(.unmarkText)
      let position = position(at: point)
      isSelecting = clicks == 1
      switch clicks {
      case 1: perform(.place(position, extending: modifiers.contains(.shift)))
      case 2: perform(.selectWord(position))
      default: perform(.selectAll)
      }
      return true
    case .pointerMoved(let point) where isSelecting:
      perform(.place(position(at: point), extending: true))
      return true
    case .pointerUp(_, .primary, _):
      isSelecting = false
      return true
    case .cancelled: isSelecting = false
    default: break
    }
    return false
  }

  private func handleKey(_ key: Key, _ modifiers: KeyModifiers) -> Bool {
    guard !modifiers.contains(.alt) else { return false }
    let extending = modifiers.contains(.shift)
    let control = modifiers.contains(.control)
    switch key {
    case .left: moveCaret(by: -1, byWords: control, extending: extending)
    case .right: moveCaret(by: 1, byWords: control, extending: extending)
    case .home: perform(.move(.start, extending: extending))
    case .end: perform(.move(.end, extending: extending))
    case .backspace: perform(.delete(control ? .word(-1) : .characters(-1)))
    case .delete: perform(.delete(control ? .word(1) : .characters(1)))
    case .enter:
      perform(.unmarkText)
      guard let onReturn else { return false }
      onReturn()
    case .escape:
      guard let onCancel else { return false }
      onCancel()
    case .character(let character) where control: return performShortcut(character, extending: extending)
    // The text follows, and comes to the view that handles the key: no superview may use it.
    case .character where !control, .space where !control: break
    default: return false
    }
    return true
  }

  /// Moves the caret to the right, or to the left if the direction is negative, as far as the base direction tells.
  private func moveCaret(by direction: Int, byWords: Bool, extending: Bool) {
    let isRightToLeft = window.map { geometry($0.resources).isRightToLeft } ?? false
    let step = isRightToLeft ? -direction : direction
    perform(.move(byWords ? .word(step) : .characters(step), extending: extending))
  }

  private func performShortcut(_ character: Character, extending: Bool) -> Bool {
    switch (character, extending) {
    case ("a", false): perform(.selectAll)
    case ("c", false): perform(.copy)
    case ("x", false): perform(.cut)
    case ("v", _): paste()
    case ("z", false): perform(.undo)
    case ("z", true), ("y", false): perform(.redo)
    default: return false
    }
    return true
  }

  /// Inserts the text of the clipboard.
  ///
  /// An empty clipboard replaces nothing.
  private func paste() {
    let pasted = window.map { String(decoding: $0.resources.display.clipboardText, as: UTF8.self) } ?? ""
    if !pasted.isEmpty { perform(.insert(pasted, isTyped: false)) }
  }
}
