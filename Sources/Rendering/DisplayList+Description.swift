import Geometry

extension DisplayList: CustomStringConvertible {
  /// A line for each command, to read and to compare in tests.
  public var description: String {
    commands.map(\.description).joined(separator: "\n")
  }
}

extension DrawCommand: CustomStringConvertible {
  /// The command in words, such as `fill 0,0 10x10 #ff0000ff blended`.
  public var description: String {
    let place = "\(destination.x),\(destination.y) \(destination.width)x\(destination.height)"
    let ending = isBlended ? " blended" : ""
    switch kind {
    case .fill: return "fill \(place) \(color.hexadecimal)\(ending)"
    case .texture:
      let tint = color == .white ? "" : " tint \(color.hexadecimal)"
      let part = "\(source.x),\(source.y) \(source.width)x\(source.height)"
      return "texture \(texture.slot).\(texture.generation) \(part) -> \(place)\(tint)\(ending)"
    case .clip: return "clip \(place)"
    case .endClip: return "endClip"
    }
  }
}

extension Color {
  /// `#rrggbbaa`.
  fileprivate var hexadecimal: String {
    [red, green, blue, alpha].reduce(into: "#") { text, channel in
      text += channel < 16 ? "0" : ""
      text += String(channel, radix: 16)
    }
  }
}
