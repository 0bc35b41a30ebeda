internal import VitrineDataStructures
public import VitrineGeometry

/// The drawing commands of a frame, back to front, in a buffer that is reused from frame to frame.
///
/// Commands are trivial values: appending and translating them retains nothing, and allocates nothing once the buffer
/// has grown to the size of a frame.
public final class DisplayList {
  private let buffer: TrivialBuffer<DrawCommand>

  /// The number of commands.
  public var count: Int { buffer.count }

  /// Creates an empty list.
  public init(capacity: Int = 256) { buffer = TrivialBuffer(capacity: max(capacity, 16)) }

  /// The commands, back to front.
  ///
  /// The buffer is valid until the list is changed.
  public var commands: UnsafeBufferPointer<DrawCommand> { UnsafeBufferPointer(buffer.elements) }

  /// An unretained reference to the list, for callers that know that the list is retained elsewhere.
  public var unretained: Unretained { Unretained(buffer: buffer.unretained) }

  /// Removes all commands and keeps the buffer's capacity.
  public func removeAll() { buffer.removeAll() }

  /// Appends a command, which is drawn in front of all others.
  /// - Complexity: O(1), amortised.
  public func append(_ command: DrawCommand) { buffer.append(command) }

  /// Appends the commands of another list, translated by a number of pixels.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: DisplayList, movedByX x: Int32, y: Int32) {
    append(other.unretained, movedByX: x, y: y)
    withExtendedLifetime(other) {}
  }

  /// Appends the commands of a list that is retained elsewhere, translated by a number of pixels.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: Unretained, movedByX x: Int32, y: Int32) {
    let added = buffer.append(other.buffer)
    for index in 0..<added.count {
      added[index].destination.x &+= x
      added[index].destination.y &+= y
    }
  }

  /// Appends the commands of another list, translated by a number of pixels, with an opacity of 0 to 255.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: DisplayList, movedByX x: Int32, y: Int32, opacity: UInt8) {
    let first = count
    append(other, movedByX: x, y: y)
    if opacity < 255 { fade(from: first, by: opacity) }
  }

  /// Multiplies the opacity of the commands from an index on by an opacity of 0 to 255.
  ///
  /// A layer is faded as a whole.
  /// - Complexity: O(commands from the index on).
  package func fade(from first: Int, by opacity: UInt8) {
    let commands = buffer.elements
    var depth = 0
    for index in first..<count {
      let kind = commands[index].kind
      if kind == .endLayer { depth = max(0, depth - 1) }
      if depth == 0, kind == .fill || kind == .texture || kind == .beginLayer || kind == .endLayer {
        commands[index].color.alpha = UInt8((UInt16(commands[index].color.alpha) * UInt16(opacity) + 127) / 255)
        commands[index].isBlended = true
      }
      if kind == .beginLayer { depth += 1 }
    }
  }

  /// Scales the commands from an index on about a point in pixels.
  ///
  /// Edges stay on whole pixels, and adjacent rectangles stay adjacent.
  /// - Complexity: O(commands from the index on).
  public func scale(from first: Int, by factor: Double, about center: Point) {
    scale(from: first, byX: factor, y: factor, about: center)
  }

  /// Scales the commands from an index on about a point in pixels, with a factor for each axis.
  ///
  /// Edges stay on whole pixels, and adjacent rectangles stay adjacent.
  /// - Complexity: O(commands from the index on).
  public func scale(from first: Int, byX horizontal: Double, y vertical: Double, about center: Point) {
    func scaled(_ edge: Int32, _ center: Double, _ factor: Double) -> Int32 {
      Int32(clamping: Int((center + (Double(edge) - center) * factor).rounded()))
    }
    let commands = buffer.elements
    for index in max(0, first)..<max(0, first, count) {
      let from = commands[index].destination
      let (left, top) = (scaled(from.x, center.x, horizontal), scaled(from.y, center.y, vertical))
      commands[index].destination = PixelRect(
        x: left, y: top, width: scaled(from.maxX, center.x, horizontal) &- left,
        height: scaled(from.maxY, center.y, vertical) &- top)
      scaleRadius(of: &commands[index], byX: horizontal, y: vertical)
    }
  }

  /// Scales the commands from an index on about the origin, and then moves them, in pixels.
  ///
  /// Edges stay on whole pixels, and adjacent rectangles stay adjacent.
  /// - Complexity: O(commands from the index on).
  package func transform(
    from first: Int, scaleX: Double, y scaleY: Double, translationX: Double, y translationY: Double
  ) {
    func moved(_ edge: Int32, _ factor: Double, _ distance: Double) -> Int32 {
      let pixel = (Double(edge) * factor + distance).rounded()
      return pixel.isNaN ? 0 : Int32(max(-1e9, min(1e9, pixel)))
    }
    let commands = buffer.elements
    for index in first..<max(first, count) {
      let from = commands[index].destination
      let (left, top) = (moved(from.x, scaleX, translationX), moved(from.y, scaleY, translationY))
      commands[index].destination = PixelRect(
        x: left, y: top, width: moved(from.maxX, scaleX, translationX) &- left,
        height: moved(from.maxY, scaleY, translationY) &- top)
      scaleRadius(of: &commands[index], byX: scaleX, y: scaleY)
    }
  }

  private func scaleRadius(of command: inout DrawCommand, byX horizontal: Double, y vertical: Double) {
    guard command.kind == .beginLayer || command.kind == .endLayer, command.source.width > 0 else { return }
    let radius = (Double(command.source.width) * min(horizontal, vertical)).rounded()
    command.source.width = Int32(max(0, min(1e9, radius)))
  }

  /// Returns the smallest rectangle that contains everything that the commands from an index on draw, unless clipped.
  ///
  /// - Complexity: O(commands from the index on).
  package func extent(from first: Int) -> PixelRect {
    let commands = buffer.elements
    var extent = PixelRect.zero
    for index in first..<max(first, count) where commands[index].kind == .fill || commands[index].kind == .texture {
      extent = extent.union(commands[index].destination)
    }
    return extent
  }

  /// Replaces the command at an index.
  /// - Precondition: The list has a command there.
  package func replaceCommand(at index: Int, with command: DrawCommand) { buffer.elements[index] = command }

  /// Removes the commands from an index on.
  public func truncate(to count: Int) { buffer.truncate(to: count) }

  /// An unretained reference to a display list.
  ///
  /// Appending it does no reference counting.
  ///
  /// It is valid only while the list is retained elsewhere.
  public struct Unretained: BitwiseCopyable {
    fileprivate let buffer: TrivialBuffer<DrawCommand>.Unretained
  }
}

/// A drawing command in device pixels.
///
/// It is a trivial value, so copying a frame's list retains nothing.
public struct DrawCommand: Hashable, Sendable, BitwiseCopyable {
  /// The kind of a drawing command.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Fills the destination with the colour.
    case fill
    /// Copies the source rectangle of the texture to the destination, tinted by the colour.
    case texture
    /// Clips the commands that follow to the destination, within the clip in force, until the matching `endClip`.
    case clip
    /// Ends the last clip.
    case endClip
    /// Begins a layer: the commands up to the matching `endLayer`, clipped to the destination and to the corner radius
    /// (`source.width`), are blended as a whole, with the alpha of the colour.
    case beginLayer
    /// Ends the last layer, with the values with which it began.
    case endLayer
  }

  /// The kind of the command.
  public var kind: Kind
  /// Whether the alpha is blended.
  ///
  /// If false, pixels are copied.
  public var isBlended: Bool
  /// Whether an enlarged texture shows its pixels as squares.
  ///
  /// If false, it is smoothed.
  public var showsPixels: Bool
  /// The texture, if the kind is `texture`.
  public var texture: TextureID
  /// The fill colour, or the tint that the texture is multiplied by.
  ///
  /// White leaves the texture unchanged.
  public var color: Color
  /// The rectangle that is drawn to, in pixels of the window.
  public var destination: PixelRect
  /// The part of the texture that is drawn, in pixels of the texture.
  public var source: PixelRect

  /// Creates a command.
  public init(
    kind: Kind, isBlended: Bool = false, texture: TextureID = .none, color: Color = .white,
    destination: PixelRect = .zero, source: PixelRect = .zero, showsPixels: Bool = false
  ) {
    self.kind = kind
    self.isBlended = isBlended
    self.showsPixels = showsPixels
    self.texture = texture
    self.color = color
    self.destination = destination
    self.source = source
  }

  /// Returns a command that fills a rectangle.
  ///
  /// It blends if the colour is not opaque.
  public static func fill(_ destination: PixelRect, _ color: Color) -> DrawCommand {
    DrawCommand(kind: .fill, isBlended: color.alpha < 255, color: color, destination: destination)
  }

  /// Returns the commands that begin and end a layer.
  ///
  /// - Parameters:
  ///   - destination: The rectangle of the layer, which clips it.
  ///   - opacity: The opacity, 0 to 255.
  ///   - cornerRadius: The corner radius in pixels.
  public static func layer(
    _ destination: PixelRect, opacity: UInt8 = 255, cornerRadius: Int32 = 0
  ) -> (begin: DrawCommand, end: DrawCommand) {
    let begin = DrawCommand(
      kind: .beginLayer, isBlended: true, color: Color(red: 255, green: 255, blue: 255, alpha: opacity),
      destination: destination, source: PixelRect(x: 0, y: 0, width: cornerRadius, height: 0))
    var end = begin
    end.kind = .endLayer
    return (begin, end)
  }
}

extension DisplayList: CustomStringConvertible {
  /// The commands, one a line, for reading and for comparison in tests.
  public var description: String {
    commands.map(\.description).joined(separator: "\n")
  }
}

extension DrawCommand: CustomStringConvertible {
  /// A description of the command, such as `fill 0,0 10x10 #ff0000ff blended`.
  public var description: String {
    let frame = "\(destination.x),\(destination.y) \(destination.width)x\(destination.height)"
    let suffix = (isBlended ? " blended" : "") + (showsPixels ? " pixels" : "")
    switch kind {
    case .fill: return "fill \(frame) \(color.hexadecimal)\(suffix)"
    case .texture:
      let tint = color == .white ? "" : " tint \(color.hexadecimal)"
      let part = "\(source.x),\(source.y) \(source.width)x\(source.height)"
      return "texture \(texture.slot).\(texture.generation) \(part) -> \(frame)\(tint)\(suffix)"
    case .clip: return "clip \(frame)"
    case .endClip: return "endClip"
    case .beginLayer: return "beginLayer \(frame) opacity \(color.alpha) radius \(source.width)"
    case .endLayer: return "endLayer \(frame) opacity \(color.alpha) radius \(source.width)"
    }
  }
}

extension Color {
  /// The colour as `#rrggbbaa`.
  fileprivate var hexadecimal: String {
    [red, green, blue, alpha].reduce(into: "#") { text, channel in
      text += channel < 16 ? "0" : ""
      text += String(channel, radix: 16)
    }
  }
}
