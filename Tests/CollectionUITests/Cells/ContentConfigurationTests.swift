import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Content, backgrounds and accessories of cells")
struct ContentConfigurationTests {
  /// A list of numbers in cells of one class.
  @MainActor
  private final class List<Cell: CollectionViewCell> {
    let view = CollectionView(layout: CompositionalLayout.list(using: .init(appearance: .plain)))
    let source: DiffableDataSource<Int, Int>
    let harness: WindowHarness

    init(_ count: Int, palette: InterfacePalette = .dark, configure: @escaping (Cell, Int) -> Void) {
      view.registerListSeparators()
      view.palette = palette
      let registration = CellRegistration<Cell, Int> { cell, _, number in configure(cell, number) }
      source = DiffableDataSource(collectionView: view) { view, path, number in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: number)
      }
      harness = WindowHarness(root: view)
      harness.window.addParticipant(view)
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(0..<count))
      source.apply(snapshot)
      harness.runUntilIdle()
    }

    var cells: [Cell] { view.visibleCells.compactMap { $0 as? Cell } }

    func texts(_ candidates: [String], size: Double = 15) -> [DrawnText] {
      harness.drawnTexts(candidates, in: TextStyle(size: size))
    }

    func move(to point: Point) {
      harness.sendEvent(.pointerMoved(point))
      harness.runUntilIdle()
    }
  }

  @Test("A cell is as high as its content, and shows it in the palette's colors")
  func listContent() {
    let list = List<ListCell>(3) { cell, number in
      var content = cell.defaultContentConfiguration()
      content.text = "title \(number)"
      content.secondaryText = number == 1 ? "second line" : ""
      cell.contentConfiguration = content
    }
    // A margin of 8 above and below, 18 points for the text, 2 between the lines and 15 for the second one.
    #expect(
      list.cells.map(\.frame) == [
        Rect(x: 0, y: 0, width: 400, height: 40), Rect(x: 0, y: 40, width: 400, height: 51),
        Rect(x: 0, y: 91, width: 400, height: 40),
      ])
    let texts = list.texts(["title 0", "title 1", "title 2"])
    #expect(texts.map(\.color) == Array(repeating: InterfacePalette.dark.label, count: 3))
    #expect(texts.map(\.frame.x) == [16, 16, 16])
    #expect(list.texts(["second line"], size: 13).map(\.color) == [InterfacePalette.dark.secondaryLabel])
    list.view.palette = .light
    list.harness.runUntilIdle()
    #expect(list.texts(["title 0"]).map(\.color) == [InterfacePalette.light.label])
  }

  @Test("Cells that are made for a light view never show dark colors")
  func lightPalette() {
    let list = List<ListCell>(2, palette: .light) { cell, number in
      cell.contentConfiguration = ListContentConfiguration(text: "title \(number)")
      cell.accessories = [.label("9")]
    }
    #expect(
      list.texts(["title 0", "title 1"]).map(\.color) == [InterfacePalette.light.label, InterfacePalette.light.label])
    #expect(
      list.harness.drawnTexts(["9"], in: TextStyle(size: 13, hasMonospacedDigits: true)).map(\.color)
        == [InterfacePalette.light.secondaryLabel, InterfacePalette.light.secondaryLabel])
  }

  @Test("A reused cell keeps the view of its content, and another type of content gets another view")
  func reuse() {
    var made = 0
    final class Box: View {}
    struct BoxContent: ContentConfiguration {
      var onMake: () -> Void
      func makeContentView() -> Box {
        onMake()
        return Box()
      }
      func update(_ view: Box, in context: ContentContext) { view.backgroundColor = context.palette.tint }
      func preferredSize(of view: Box, fitting size: Size) -> Size? { Size(width: size.width, height: 30) }
    }
    let list = List<CollectionViewCell>(400) { cell, number in
      if number == 0 {
        cell.contentConfiguration = TextContentConfiguration("first")
      } else {
        cell.contentConfiguration = BoxContent { made += 1 }
      }
    }
    let first = made
    #expect(first > 5)
    for offset in stride(from: 0.0, through: 3_000, by: 100) {
      list.view.setContentOffset(offset, animated: false)
      list.harness.run(frames: 2)
    }
    #expect(made < first + 20, "\(made) views for a hundred items")
    list.view.setContentOffset(0, animated: false)
    list.harness.runUntilIdle()
    let cell = list.view.cellForItem(at: IndexPath(item: 0, section: 0))
    #expect(cell?.subviews.count == 1)
    cell?.contentConfiguration = nil
    #expect(cell?.subviews.isEmpty == true)
  }

  @Test("The background and the update handler follow the state")
  func states() {
    var states: [CellConfigurationState] = []
    let list = List<CollectionViewCell>(3) { cell, number in
      cell.backgroundConfiguration = BackgroundConfiguration(backgroundColor: .black)
      cell.configurationUpdateHandler = { cell, state in
        if number == 1 { states.append(state) }
        cell.contentConfiguration = TextContentConfiguration(state.isSelected ? "on" : "off")
      }
    }
    #expect(list.texts(["on", "off"]).map(\.text) == ["off", "off", "off"])
    list.view.selectItem(at: IndexPath(item: 1, section: 0), animated: false)
    list.harness.runUntilIdle()
    #expect(list.texts(["on", "off"]).map(\.text) == ["off", "on", "off"])
    #expect(states.last?.isSelected == true)
    let (background, palette) = (BackgroundConfiguration(backgroundColor: .black), InterfacePalette.dark)
    func color(_ change: (inout CellConfigurationState) -> Void) -> Color? {
      var state = CellConfigurationState()
      change(&state)
      return background.resolvedColor(in: ContentContext(state: state, palette: palette))
    }
    #expect(color { _ in } == .black)
    #expect(color { $0.isHovered = true } == palette.hover)
    #expect(color { ($0.isHovered, $0.isSelected) = (true, true) } == palette.selection)
    #expect(color { ($0.isSelected, $0.isHighlighted) = (true, true) } == palette.highlight)
  }

  @Test("Accessories are at the trailing edge, the content beside them, indented by its level")
  func accessories() {
    let mark = View()
    let list = List<ListCell>(2) { cell, number in
      cell.contentConfiguration = TextContentConfiguration("text", alignment: .trailing)
      cell.indentationLevel = number
      cell.accessories = number == 0 ? [.custom(mark, width: 20), .disclosureIndicator] : []
    }
    #expect(mark.frame == Rect(x: 400 - 16 - 10 - 8 - 20, y: 0, width: 20, height: list.cells[0].frame.height))
    let frames = list.texts(["text"]).map(\.frame)
    // The text ends at its margin of 8 points before the accessories.
    let ends: [Int32] = [338, 392]
    #expect(frames.map(\.maxX) == ends)
    list.cells[0].accessories = []
    list.harness.runUntilIdle()
    #expect(mark.superview == nil && list.texts(["text"]).first?.frame.maxX == 392)
  }

  @Test("Text of both palettes has a contrast of 4.5 to 1 and more", arguments: [InterfacePalette.dark, .light])
  func contrast(palette: InterfacePalette) {
    func luminance(_ color: Color) -> Double {
      let channels = [color.red, color.green, color.blue].map { channel in
        let value = Double(channel) / 255
        return value <= 0.04045 ? value / 12.92 : pow24((value + 0.055) / 1.055)
      }
      return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }
    for text in [palette.label, palette.secondaryLabel] {
      for background in [palette.background, palette.secondaryBackground, palette.hover, palette.selection] {
        let (first, second) = (luminance(text), luminance(background))
        let ratio = (max(first, second) + 0.05) / (min(first, second) + 0.05)
        #expect(ratio >= 4.5, "\(text) on \(background): \(ratio)")
      }
    }
  }

  /// Returns the power with the exponent 2.4 of sRGB, by repeated square roots.
  private func pow24(_ value: Double) -> Double {
    // 2.4 = 2 + 0.4, and 0.4 in binary is 0.0110 0110 ….
    var (result, root, bits) = (value * value, value, 0.4)
    for _ in 0..<40 {
      root = root.squareRoot()
      bits *= 2
      if bits >= 1 {
        result *= root
        bits -= 1
      }
    }
    return result
  }
}
