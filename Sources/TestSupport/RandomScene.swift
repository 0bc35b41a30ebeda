public import VitrineGeometry
public import VitrineRendering

/// A synthetic screen that changes from frame to frame like a real one.
///
/// It has scrolling regions, pinned headers, a scroll thumb and overlays, and occasionally changes unpredictably.
public struct RandomScene {
  /// A texture that cells can draw.
  public struct Picture {
    /// The identifier.
    public var name: TextureID
    /// The size in pixels.
    public var size: PixelSize

    /// Creates a picture.
    public init(name: TextureID, size: PixelSize) {
      self.name = name
      self.size = size
    }
  }

  /// The screen in pixels.
  public let output: PixelRect
  /// The background color.
  public private(set) var background: Color
  /// The commands of the current frame, back to front.
  public var commands: [DrawCommand] {
    var commands: [DrawCommand] = []
    if let backgroundFill { commands.append(backgroundFill) }
    for region in regions { region.appendCommands(to: &commands) }
    return commands + overlays
  }

  private let pictures: [Picture]
  private var backgroundFill: DrawCommand?
  private var regions: [Region] = []
  private var overlays: [DrawCommand] = []

  /// Creates a scene.
  ///
  /// - Parameters:
  ///   - output: The screen in pixels, with its origin at 0, 0.
  ///   - pictures: The textures, at least one. Cells share them if there are more cells than textures.
  ///   - random: The random number generator.
  public init(output: PixelRect, pictures: [Picture], using random: inout SeededGenerator) {
    self.output = output
    self.pictures = pictures
    background = .random(isOpaque: true, using: &random)
    if Bool.random(using: &random) {
      backgroundFill = .fill(
        random.chance(oneIn: 3) ? .randomPart(of: output, using: &random) : output,
        .random(isOpaque: Bool.random(using: &random), using: &random))
    }
    let isSplit = random.chance(oneIn: 3)
    for half in 0..<(isSplit ? 2 : 1) {
      let width = output.width / (isSplit ? 2 : 1)
      var area = PixelRect(x: Int32(half) * width, y: 0, width: width, height: output.height)
      if Bool.random(using: &random) { area = .randomPart(of: area, using: &random) }
      regions.append(Region(area: area, isClipped: !random.chance(oneIn: 5)))
      for _ in 0..<Int.random(in: 3...12, using: &random) {
        regions[half].insertCell(pictures, using: &random)
      }
      if Bool.random(using: &random) { regions[half].pinHeader(pictures, using: &random) }
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) { addOverlay(using: &random) }
  }

  /// Advances to the next frame.
  ///
  /// Usually the content of a region scrolls, and there may be other changes.
  public mutating func advance(using random: inout SeededGenerator) {
    let index = Int.random(in: 0..<regions.count, using: &random)
    if !random.chance(oneIn: 5) { regions[index].scroll(using: &random) }
    for _ in 0..<(Bool.random(using: &random) ? 0 : Int.random(in: 1...3, using: &random)) {
      changeRegion(at: index, using: &random)
    }
  }

  private mutating func changeRegion(at index: Int, using random: inout SeededGenerator) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: regions[index].insertCell(pictures, using: &random)
    case 2: regions[index].removeCell(using: &random)
    case 3: regions[index].recolorCell(using: &random)
    case 4: regions[index].swapCells(using: &random)
    case 5: regions[index].moveCell(using: &random)
    case 6: regions[index].pinHeader(pictures, using: &random)
    case 7: addOverlay(using: &random)
    case 8: _ = overlays.popLast()
    case 9: regions[Int.random(in: 0..<regions.count, using: &random)].scroll(using: &random)
    case 10: regions[index].area = .randomPart(of: output, using: &random)
    default: if random.chance(oneIn: 4) { background = .random(isOpaque: true, using: &random) }
    }
  }

  private mutating func addOverlay(using random: inout SeededGenerator) {
    let frame = PixelRect.randomPart(of: output, using: &random)
    if Bool.random(using: &random) {
      overlays.append(.fill(frame, .random(isOpaque: Bool.random(using: &random), using: &random)))
    } else {
      overlays.append(.random(pictures, at: (frame.x, frame.y), using: &random))
    }
  }
}

// MARK: - Regions

extension RandomScene {
  /// A region with scrolling content.
  private struct Region {
    var area: PixelRect
    let isClipped: Bool
    private var x: Int32 = 0
    private var y: Int32 = 0
    private var cells: [[DrawCommand]] = []
    private var pinnedCommands: [DrawCommand] = []

    init(area: PixelRect, isClipped: Bool) {
      self.area = area
      self.isClipped = isClipped
    }

    func appendCommands(to commands: inout [DrawCommand]) {
      if isClipped { commands.append(DrawCommand(kind: .clip, destination: area)) }
      for command in cells.joined() {
        var translated = command
        translated.destination.x += area.x + x
        translated.destination.y += area.y + y
        commands.append(translated)
      }
      commands += pinnedCommands
      if isClipped { commands.append(DrawCommand(kind: .endClip)) }
    }

    mutating func scroll(using random: inout SeededGenerator) {
      let maximum: Int32 = random.chance(oneIn: 6) ? 60 : 9
      if random.chance(oneIn: 4) { x += .random(in: -maximum...maximum, using: &random) }
      y += .random(in: -maximum...maximum, using: &random)
    }

    mutating func insertCell(_ pictures: [Picture], using random: inout SeededGenerator) {
      let origin = (
        x: Int32.random(in: -20...area.width, using: &random) - x,
        y: Int32.random(in: -20...area.height, using: &random) - y
      )
      var commands = [
        DrawCommand.fill(
          PixelRect(x: origin.x, y: origin.y, width: 18, height: 14),
          .random(isOpaque: Bool.random(using: &random), using: &random)),
        .random(pictures, at: origin, using: &random),
      ]
      if random.chance(oneIn: 4) {
        let hole = PixelRect(x: origin.x + 2, y: origin.y + 2, width: 9, height: 7)
        commands.insert(DrawCommand(kind: .clip, destination: hole), at: 1)
        commands.append(DrawCommand(kind: .endClip))
      }
      if random.chance(oneIn: 5) {
        let layer = DrawCommand.layer(
          PixelRect(
            x: origin.x + .random(in: -2...4, using: &random), y: origin.y, width: .random(in: 0...20, using: &random),
            height: 13),
          opacity: Bool.random(using: &random) ? 255 : .random(in: 0...254, using: &random),
          cornerRadius: .random(in: 0...9, using: &random))
        commands.insert(layer.begin, at: .random(in: 0...1, using: &random))
        commands.append(layer.end)
      }
      cells.insert(commands, at: .random(in: 0...cells.count, using: &random))
    }

    mutating func removeCell(using random: inout SeededGenerator) {
      guard !cells.isEmpty else { return }
      cells.remove(at: .random(in: 0..<cells.count, using: &random))
    }

    mutating func recolorCell(using random: inout SeededGenerator) {
      guard !cells.isEmpty else { return }
      cells[.random(in: 0..<cells.count, using: &random)][0].color = .random(isOpaque: true, using: &random)
    }

    mutating func swapCells(using random: inout SeededGenerator) {
      guard cells.count > 1 else { return }
      cells.swapAt(.random(in: 0..<cells.count, using: &random), .random(in: 0..<cells.count, using: &random))
    }

    mutating func moveCell(using random: inout SeededGenerator) {
      guard !cells.isEmpty else { return }
      let cell = Int.random(in: 0..<cells.count, using: &random)
      let (x, y) = (Int32.random(in: -9...9, using: &random), Int32.random(in: -9...9, using: &random))
      for index in cells[cell].indices {
        cells[cell][index].destination.x += x
        cells[cell][index].destination.y += y
      }
    }

    mutating func pinHeader(_ pictures: [Picture], using random: inout SeededGenerator) {
      let header = PixelRect(x: area.x, y: area.y, width: area.width, height: 5)
      pinnedCommands = [.fill(header, .random(isOpaque: Bool.random(using: &random), using: &random))]
      if Bool.random(using: &random) { pinnedCommands.append(.random(pictures, at: (area.x, area.y), using: &random)) }
      if Bool.random(using: &random) {
        let thumb = PixelRect(
          x: area.maxX - 4, y: area.y + .random(in: 0...30, using: &random), width: 3, height: 12)
        pinnedCommands.append(.fill(thumb, .random(isOpaque: false, using: &random)))
      }
    }
  }
}

// MARK: - Random values

extension DrawCommand {
  /// Returns a command that draws a picture unscaled, cropped or scaled.
  fileprivate static func random(
    _ pictures: [RandomScene.Picture], at origin: (x: Int32, y: Int32), using random: inout SeededGenerator
  ) -> DrawCommand {
    let picture = pictures[.random(in: 0..<pictures.count, using: &random)]
    let (width, height) = (Int32(picture.size.width), Int32(picture.size.height))
    var source = PixelRect(x: 0, y: 0, width: width, height: height)
    if random.chance(oneIn: 4) { source = .randomPart(of: source, using: &random) }
    var destination = PixelRect(x: origin.x, y: origin.y, width: source.width, height: source.height)
    if random.chance(oneIn: 4) {
      destination.width = .random(in: 1...30, using: &random)
      destination.height = .random(in: 1...30, using: &random)
    }
    return DrawCommand(
      kind: .texture, isBlended: random.chance(oneIn: 3), texture: picture.name,
      color: random.chance(oneIn: 4) ? .random(isOpaque: Bool.random(using: &random), using: &random) : .white,
      destination: destination, source: source, showsPixels: random.chance(oneIn: 4))
  }
}

extension Color {
  /// Returns a random color.
  fileprivate static func random(isOpaque: Bool, using random: inout SeededGenerator) -> Color {
    Color(hex: .random(in: 0...0xFF_FFFF, using: &random), alpha: isOpaque ? 255 : .random(in: 1...254, using: &random))
  }
}

extension PixelRect {
  /// Returns a rectangle of at least one pixel inside another.
  fileprivate static func randomPart(of area: PixelRect, using random: inout SeededGenerator) -> PixelRect {
    let width = Int32.random(in: 1...area.width, using: &random)
    let height = Int32.random(in: 1...area.height, using: &random)
    return PixelRect(
      x: area.x + .random(in: 0...(area.width - width), using: &random),
      y: area.y + .random(in: 0...(area.height - height), using: &random), width: width, height: height)
  }
}
