import CollectionUI
import VitrineDiagnostics

/// A message of a chat.
struct Message {
  var isOwn: Bool
  var text: String
}

/// A bubble as high as its text, at the left for received messages and at the right for own ones.
final class BubbleCell: CollectionViewCell {
  private static let style = TextStyle(size: 15)
  private static let lineHeight = 20.0
  private static let padding = 12.0
  private static let margin = 16.0
  private let paragraph = Paragraph(
    style: BubbleCell.style, color: .white, lineHeight: BubbleCell.lineHeight, numberOfLines: 40, alignment: .leading)
  private var isOwn = false

  required init() {
    super.init()
    addSubview(paragraph)
  }

  func show(_ message: Message) {
    isOwn = message.isOwn
    paragraph.text = message.text
    setNeedsLayout()
  }

  /// The width of a bubble's text in a cell of a width.
  private func textWidth(in width: Double) -> Double {
    max(40, min(480, width * 0.7) - 2 * BubbleCell.padding)
  }

  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var attributes = attributes
    paragraph.sizeToFit(width: textWidth(in: attributes.frame.width))
    attributes.frame.size.height = paragraph.frame.height + 2 * BubbleCell.padding + 6
    return attributes
  }

  private var bubble = Rect.zero

  /// The width of the longest line, in a window.
  private var lineWidth: Double {
    guard let resources = window?.resources else { return 0 }
    return paragraph.subviews.compactMap { ($0 as? Label)?.measuredWidth(in: resources) }.max() ?? 0
  }

  override func layoutSubviews() {
    paragraph.textColor = palette.label
    paragraph.sizeToFit(width: textWidth(in: bounds.width))
    let width = lineWidth.rounded(.up) + 2 * BubbleCell.padding
    let x = isOwn ? bounds.width - BubbleCell.margin - width : BubbleCell.margin
    bubble = Rect(x: x, y: 3, width: width, height: bounds.height - 6)
    paragraph.frame.origin = Point(x: bubble.minX + BubbleCell.padding, y: bubble.minY + BubbleCell.padding)
    setNeedsDisplay()
  }

  override func draw(in context: DrawContext) {
    context.fill(
      Path(roundedRect: bubble, cornerRadius: 16), isOwn ? palette.selection : palette.secondaryBackground)
  }
}

/// The screen of a chat: messages, and a field to write one.
///
/// The answer to a message arrives word by word, in a task of the main actor.
final class ChatScreen: View {
  let list: CollectionView
  private let field: TextField
  private let source: DiffableDataSource<Int, Int>
  private let store: MessageStore
  private static let barHeight = 56.0

  /// The messages, by number.
  private final class MessageStore {
    var messages: [Message] = []
  }

  override init(frame: Rect = .zero) {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(60))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    let list = CollectionView(layout: CompositionalLayout(section: CollectionLayoutSection(group: group)))
    let store = MessageStore()
    let registration = CellRegistration<BubbleCell, Int> { cell, _, number in cell.show(store.messages[number]) }
    source = DiffableDataSource(collectionView: list) { view, path, number in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: number)
    }
    (self.list, self.store) = (list, store)
    let palette = list.palette
    field = TextField(style: TextStyle(size: 15), color: palette.label, tintColor: palette.tint)
    super.init(frame: frame)
    backgroundColor = palette.background
    list.backgroundColor = palette.background
    list.contentInset = Insets(top: 12, left: 0, bottom: 8, right: 0)
    field.placeholder = "Message"
    field.onReturn = { [weak self] in self?.send() }
    list.delegate = self
    addSubview(list)
    addSubview(field)
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    source.apply(snapshot)
    for (index, text) in ChatScreen.beginning.enumerated() { append(Message(isOwn: index % 2 == 1, text: text)) }
  }

  private static let beginning = [
    "Hello! Every bubble here is as high as its text: the layout estimates heights, and cells are measured when they come on screen.",
    "Does the list stay where it is while answers arrive?",
    "It does. Write something, and the answer will arrive word by word while you scroll.",
    "And if I resize the window?",
    "Then texts are broken into lines again, and the first visible bubble stays where it is.",
    "How many messages can there be?",
    "A million, if you like to read. Only the visible bubbles have views.",
  ]

  override func layoutSubviews() {
    let height = ChatScreen.barHeight
    list.frame = Rect(x: 0, y: 0, width: bounds.width, height: max(0, bounds.height - height))
    field.frame = Rect(x: 28, y: bounds.height - height + 14, width: max(0, bounds.width - 56), height: 28)
  }

  override func draw(in context: DrawContext) {
    let bar = Rect(x: 16, y: bounds.height - ChatScreen.barHeight + 8, width: max(0, bounds.width - 32), height: 40)
    context.fill(Path(roundedRect: bar, cornerRadius: 20), list.palette.secondaryBackground)
  }

  /// Focuses the field.
  func beginWriting() { field.becomeFirstResponder() }

  private func send() {
    guard !field.text.isEmpty else { return }
    let text = field.text
    field.text = ""
    append(Message(isOwn: true, text: text))
    Task { await answer(text) }
  }

  private func append(_ message: Message) {
    store.messages.append(message)
    var snapshot = source.snapshot()
    snapshot.appendItems([store.messages.count - 1])
    source.apply(snapshot)
    list.scrollToItem(at: IndexPath(item: store.messages.count - 1, section: 0), at: .bottom, animated: true)
  }

  private func quote(_ number: Int) { field.text = "“\(store.messages[number].text)” " }

  private func sendAgain(_ number: Int) { append(Message(isOwn: true, text: store.messages[number].text)) }

  private func delete(_ number: Int) {
    var snapshot = source.snapshot()
    snapshot.deleteItems([number])
    source.apply(snapshot)
  }

  /// Writes an answer word by word.
  private func answer(_ text: String) async {
    append(Message(isOwn: false, text: "…"))
    let number = store.messages.count - 1
    let words =
      "You wrote: \(text). The list measures this bubble again whenever a word arrives, and moves nothing else."
    var answer = ""
    for word in words.split(separator: " ") {
      try? await Task.sleep(for: .milliseconds(60))
      answer += answer.isEmpty ? String(word) : " " + word
      store.messages[number].text = answer
      source.reconfigureItems([number])
    }
  }
}

/// The menu and the swipe actions of messages.
extension ChatScreen: CollectionViewDelegate {
  func collectionView(_ view: CollectionView, contextMenuForItemsAt indexPaths: IndexPathRuns, point: Point) -> Menu? {
    guard let number = indexPaths.first.flatMap(source.itemIdentifier(for:)) else { return nil }
    return Menu(children: [
      MenuAction(title: "Send again", shortcut: "Return") { [weak self] in self?.sendAgain(number) },
      Menu(
        title: "Answer with",
        children: ["Yes", "No", "Later"].map { word in
          MenuAction(title: word) { [weak self] in self?.append(Message(isOwn: true, text: word)) }
        }),
    ])
  }

  func collectionView(
    _ view: CollectionView, leadingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration? {
    guard let number = source.itemIdentifier(for: indexPath) else { return nil }
    let quote = ContextualAction(style: .normal, title: "Quote") { [weak self] _, _, completion in
      self?.quote(number)
      completion(true)
    }
    quote.backgroundColor = Color(hex: 0x2860B8)
    return SwipeActionsConfiguration(actions: [quote])
  }

  func collectionView(
    _ view: CollectionView, trailingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration? {
    guard let number = source.itemIdentifier(for: indexPath) else { return nil }
    let delete = ContextualAction(style: .destructive, title: "Delete") { [weak self] _, _, completion in
      self?.delete(number)
      completion(true)
    }
    return SwipeActionsConfiguration(actions: [delete])
  }
}

/// A chat with itself.
@main
struct ChatExample {
  static func main() {
    WindowProgram<DiagnosticOptions>("vitrine-chat", summary: "Shows a chat with answers that arrive word by word.")
      .main {
        options, context in
        let diagnostics = RunDiagnostics(options)
        let host = try context.openHost(options.hosting, title: "Chat", observer: diagnostics)
        defer { host.close() }
        let screen = ChatScreen()
        diagnostics.figures = RunFigures(of: screen.list)
        return try host.run(root: screen, scrollView: screen.list) { window, _ in
          window.addParticipant(screen.list)
          screen.beginWriting()
        }
      }
  }
}
