import CollectionUI
import Observation
import Testing
import VitrineDeclarative
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Grids and lists that are described by values")
struct DeclarativeTests {
  @Observable
  final class Model {
    var numbers = [1, 2, 3, 4, 5, 6]
    var prefix = "n"
    var selected: [Int] = []
    @ObservationIgnored var evaluations = 0
  }

  private func makeHarness(_ presenter: CollectionPresenter) -> WindowHarness {
    let harness = WindowHarness(root: presenter.view)
    harness.window.addParticipant(presenter.view)
    harness.window.firstResponder = presenter.view
    harness.runUntilIdle()
    return harness
  }

  private func grid(_ model: Model) -> some CollectionContent {
    Grid(model.numbers, id: \.self, columns: .count(4), spacing: 0) { number in
      model.evaluations += 1
      return TextContentConfiguration("\(model.prefix)\(number)")
    }
  }

  private func texts(_ harness: WindowHarness, _ candidates: [String]) -> [String] {
    harness.drawnTexts(candidates, in: TextStyle(size: 15)).map(\.text)
  }

  @Test("A grid shows its items")
  func items() {
    let model = Model()
    let presenter = grid(model).makePresenter()
    let harness = makeHarness(presenter)
    #expect(presenter.view.visibleCells.count == 6)
    #expect(presenter.view.visibleCells.map(\.frame.size) == Array(repeating: Size(width: 100, height: 100), count: 6))
    #expect(texts(harness, ["n3", "n6", "n7"]) == ["n3", "n6"])
    #expect(harness.window.misuse.sentences.isEmpty)
  }

  @Test("A grid follows its items")
  func changes() async {
    let model = Model()
    let presenter = grid(model).makePresenter()
    let harness = makeHarness(presenter)
    model.numbers.removeAll { $0.isMultiple(of: 2) }
    model.numbers.append(11)
    await harness.runMainQueue()
    harness.runUntilIdle()
    #expect(texts(harness, ["n1", "n3", "n5", "n6", "n11"]) == ["n1", "n3", "n5", "n11"])
    model.numbers = []
    await harness.runMainQueue()
    harness.runUntilIdle()
    #expect(presenter.view.itemCount == 0)
  }

  @Test("A cell follows the state that its content reads, and nothing else is evaluated")
  func content() async {
    let model = Model()
    let presenter = grid(model).makePresenter()
    let harness = makeHarness(presenter)
    let first = model.evaluations
    #expect(first == 6)
    harness.run(frames: 20)
    presenter.view.setContentOffset(1, animated: true)
    harness.runUntilIdle()
    #expect(model.evaluations == first)
    for prefix in ["a", "b", "c"] {
      model.prefix = prefix
      await harness.runMainQueue()
      harness.runUntilIdle()
      #expect(texts(harness, [prefix + "3", prefix + "6"]) == [prefix + "3", prefix + "6"])
    }
    #expect(model.evaluations == first + 3 * 6)
  }

  @Test("A list has rows as high as their content, accessories, and reports selections")
  func list() {
    let model = Model()
    let list = CollectionList(model.numbers, id: \.self) { number in
      ListContentConfiguration(text: "\(number)", secondaryText: number.isMultiple(of: 2) ? "even" : "")
    }
    .accessories { $0 > 3 ? [.label("big"), .disclosureIndicator] : [] }
    .onSelect { model.selected.append($0) }
    .palette(.light)
    let presenter = list.makePresenter()
    let harness = makeHarness(presenter)
    let cells = presenter.view.visibleCells.compactMap { $0 as? ListCell }
    #expect(cells.map(\.accessories.count) == [0, 0, 0, 2, 2, 2])
    #expect(cells[0].frame.height == 40 && cells[1].frame.height > 40 && cells[2].frame.height == 40)
    #expect(presenter.view.palette == .light)
    let point = Point(x: 50, y: cells[1].frame.midY)
    harness.sendEvent(.pointerMoved(point))
    harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
    harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    harness.runUntilIdle()
    #expect(model.selected == [2])
    let commands = harness.lastFrameCommands
    #expect(commands.contains { $0.contains("#cfe0faff") }, "the selection in the palette's color")
  }

  @Test("A list has context menus and swipe actions for its elements")
  func menus() {
    let model = Model()
    var performed: [String] = []
    let list = CollectionList(model.numbers, id: \.self) { ListContentConfiguration(text: "\($0)") }
      .contextMenu { number in
        number == 1 ? nil : Menu(children: [MenuAction(title: "Open") { performed.append("Open \(number)") }])
      }
      .leadingSwipeActions { _ in nil }
      .trailingSwipeActions { number in
        SwipeActionsConfiguration(actions: [
          ContextualAction(style: .destructive, title: "Delete") { _, _, completion in
            model.numbers.removeAll { $0 == number }
            performed.append("Delete \(number)")
            completion(true)
          }
        ])
      }
    let presenter = list.makePresenter()
    let harness = makeHarness(presenter)
    func titles(_ item: Int) -> [String] {
      let frame = presenter.view.visibleCells[item].frame
      harness.sendEvent(
        .pointerDown(Point(x: 50, y: frame.midY), button: .secondary, clicks: 1, modifiers: []))
      harness.run(frames: 2)
      return harness.window.accessibility.elements(.menu).first?.children.map(\.label) ?? []
    }
    #expect(titles(0) == ["Delete"])
    harness.window.dismissMenu()
    harness.runUntilIdle()
    #expect(titles(1) == ["Open", "Delete"])
    for key: Key in [.end, .enter] {
      harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      harness.run(frames: 1)
    }
    #expect(performed == ["Delete 2"] && model.numbers == [1, 3, 4, 5, 6])
  }

  @Test("A presenter that is released leaves the view empty and observes nothing")
  func release() async {
    let model = Model()
    var presenter: CollectionPresenter? = grid(model).makePresenter()
    weak let released = presenter
    let harness = makeHarness(presenter!)
    presenter = nil
    #expect(released == nil)
    model.numbers = [1]
    model.prefix = "x"
    await harness.runMainQueue()
    harness.runUntilIdle()
    #expect(model.evaluations == 6)
  }
}

extension DeclarativeTests {
  @Observable
  final class Card {
    let id: Int
    var name: String

    init(id: Int, name: String) { (self.id, self.name) = (id, name) }
  }

  @Observable
  final class Deck {
    var cards: [Card] = []
  }

  @Test("An element that replaces another with the same identifier is observed, and updates from code add nothing")
  func replacedElements() async {
    let deck = Deck()
    deck.cards = [Card(id: 1, name: "n3"), Card(id: 2, name: "n4")]
    var readings = 0
    func cards() -> [Card] {
      readings += 1
      return deck.cards
    }
    let presenter = Grid(cards(), id: \.id, columns: .count(4), spacing: 0) { TextContentConfiguration($0.name) }
      .makePresenter()
    let harness = WindowHarness(root: presenter.view)
    harness.window.addParticipant(presenter.view)
    harness.runUntilIdle()
    func texts(_ candidates: [String]) -> [String] {
      harness.drawnTexts(candidates, in: TextStyle(size: 15)).map(\.text)
    }
    let replacement = Card(id: 1, name: "n5")
    deck.cards[0] = replacement
    await harness.runMainQueue()
    harness.runUntilIdle()
    #expect(texts(["n3", "n4", "n5"]) == ["n5", "n4"])
    replacement.name = "n6"
    await harness.runMainQueue()
    harness.runUntilIdle()
    #expect(texts(["n4", "n5", "n6"]) == ["n6", "n4"])
    for _ in 0..<5 { presenter.update() }
    readings = 0
    deck.cards.removeLast()
    await harness.runMainQueue()
    harness.runUntilIdle()
    #expect(readings == 1 && presenter.view.itemCount == 1)
  }

  @Test("A list has sections that begin at their headers, which follow changes of the items")
  func sections() throws {
    let model = Model()
    let list = CollectionList(model.numbers, id: \.self, appearance: .insetGrouped, rowHeight: 30) { number in
      TextContentConfiguration("\(number)")
    }
    .sections { $0.isMultiple(of: 4) || $0 == 1 }
    let presenter = list.makePresenter()
    _ = makeHarness(presenter)
    let view = presenter.view
    func counts() -> [Int] { (0..<view.numberOfSections).map { view.numberOfItems(inSection: $0) } }
    #expect(counts() == [3, 3])
    model.numbers = [1, 8, 2, 12, 3, 5]
    presenter.update()
    #expect(counts() == [1, 2, 3])
    model.numbers = [7, 9]
    presenter.update()
    #expect(counts() == [2])
    model.numbers = []
    presenter.update()
    #expect(view.numberOfSections == 0)
    model.numbers = [1, 2]
    presenter.update()
    #expect(counts() == [2])
  }
}
