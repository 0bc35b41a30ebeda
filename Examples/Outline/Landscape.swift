import CollectionUI
import ExampleSupport

/// A generated picture of a landscape: sky, sun, ridges, and water for some kinds.
///
/// The same kind and seed produce the same picture at every size.
nonisolated struct Landscape {
  private let palette: Palette
  private let sun: (x: Double, y: Double)
  private let ridges: [(base: Double, waves: [(length: Double, phase: Double, height: Double)])]
  private let waterline: Double

  init(kind: LandscapeKind, seed: Int) {
    var random = SeededRandom(seed: UInt64(truncatingIfNeeded: seed) &* 7_919 &+ 17)
    palette = Palette(kind, isEvening: random.nextFraction() < 0.45)
    sun = (0.2 + 0.6 * random.nextFraction(), 0.22 + 0.16 * random.nextFraction())
    waterline = palette.water == nil ? 1.1 : 0.72
    let count = palette.water == nil ? 4 : 3
    var ridges: [(base: Double, waves: [(length: Double, phase: Double, height: Double)])] = []
    for layer in 0..<count {
      let nearness = Double(layer) / Double(count - 1)
      let reach = palette.water == nil ? 0.86 : 0.66
      let base = 0.48 + (reach - 0.48) * nearness
      let rough = palette.ruggedness * (1.1 - 0.5 * nearness)
      var (length, height) = (1.3, 0.10 * rough)
      var waves: [(length: Double, phase: Double, height: Double)] = []
      for octave in 0..<4 {
        waves.append((length, random.nextFraction(), octave == 0 ? 0.06 : height))
        (length, height) = (length / 1.9, height / 1.75)
      }
      ridges.append((base, waves))
    }
    self.ridges = ridges
  }

  /// Renders the picture, or returns nil if the memory cannot be allocated.
  ///
  /// - Complexity: O(*n*) in the number of pixels.
  func bitmap(size: PixelSize) -> Bitmap? {
    try? Bitmap(size: size, isOpaque: true) { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      let aspect = Double(size.width) / Double(size.height)
      for x in 0..<size.width {
        let unitX = (Double(x) + 0.5) / Double(size.width)
        let edges = ridges.map { edge(of: $0, at: unitX * aspect) }
        for y in 0..<size.height {
          let unitY = (Double(y) + 0.5) / Double(size.height)
          pixels[y * size.width + x] = color(unitX, unitY, aspect, edges, Double(size.height))
        }
      }
    }
  }

  /// Returns the vertical position of a ridge's edge at a horizontal position.
  private func edge(
    of ridge: (base: Double, waves: [(length: Double, phase: Double, height: Double)]), at x: Double
  ) -> Double {
    ridge.waves.reduce(ridge.base) { sum, wave in
      let turns = x / wave.length + wave.phase
      let part = turns - turns.rounded(.down)
      // A mixture of peaks and waves. Both use parabolas, because the C library's sine differs between machines.
      let peak = 1 - 8 * part * (1 - part)
      let swell = part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
      return sum - wave.height * (palette.ruggedness * peak + (1 - palette.ruggedness) * swell)
    }
  }

  private func color(
    _ unitX: Double, _ unitY: Double, _ aspect: Double, _ edges: [Double], _ height: Double
  ) -> UInt32 {
    if unitY > waterline, let water = palette.water {
      // Water reflects part of the land, and is darker in the foreground.
      let mirrored = landColor(unitX, 2 * waterline - unitY, aspect, edges, height)
      let depth = (unitY - waterline) / (1 - waterline)
      return packed(mix(mix(channels(water), mirrored, 0.34 * (1 - depth)), (20, 40, 60), 0.28 * depth))
    }
    return packed(landColor(unitX, unitY, aspect, edges, height))
  }

  private typealias Channels = (red: Double, green: Double, blue: Double)

  private func landColor(
    _ unitX: Double, _ unitY: Double, _ aspect: Double, _ edges: [Double], _ height: Double
  ) -> Channels {
    var color = mix(channels(palette.zenith), channels(palette.horizon), min(1, unitY / 0.55))
    let (x, y) = ((unitX - sun.x) * aspect, unitY - sun.y)
    let distance = (x * x + y * y).squareRoot()
    color = mix(color, (255, 244, 220), 0.55 * max(0, 1 - distance / 0.42) * max(0, 1 - distance / 0.42))
    color = mix(color, (255, 250, 236), max(0, min(1, (0.075 - distance) * height)))
    for (layer, edge) in edges.enumerated() {
      let nearness = Double(layer) / Double(max(1, edges.count - 1))
      let ridge = mix(channels(palette.far), channels(palette.near), nearness)
      // Haze makes the foot of a ridge a little lighter.
      let haze = 0.22 * (1 - nearness) + 0.12 * min(1, max(0, (unitY - edge) / 0.3))
      color = mix(color, mix(ridge, channels(palette.horizon), haze), max(0, min(1, (unitY - edge) * height + 0.5)))
    }
    return color
  }

  private func channels(_ hex: UInt32) -> Channels {
    (Double(hex >> 16 & 0xFF), Double(hex >> 8 & 0xFF), Double(hex & 0xFF))
  }

  private func mix(_ first: Channels, _ second: Channels, _ fraction: Double) -> Channels {
    (
      first.red + (second.red - first.red) * fraction, first.green + (second.green - first.green) * fraction,
      first.blue + (second.blue - first.blue) * fraction
    )
  }

  private func packed(_ color: Channels) -> UInt32 {
    func channel(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
    let color = Color(red: channel(color.red), green: channel(color.green), blue: channel(color.blue))
    return UInt32(littleEndian: color.packed)
  }
}

/// The kind of landscape in a destination's picture.
nonisolated enum LandscapeKind: Hashable, Sendable {
  case coast, mountains, desert, forest, lake, ice, town
}

/// The colors of a landscape by its kind and the time of day.
private nonisolated struct Palette {
  /// The colors of the sky at the top and at the horizon.
  var (zenith, horizon): (UInt32, UInt32)
  /// The colors of the farthest and the nearest ridge.
  var (far, near): (UInt32, UInt32)
  /// The color of the water, or nil if there is none.
  var water: UInt32?
  /// The shape of the ridges, from 0 for hills to 1 for peaks.
  var ruggedness: Double

  init(_ kind: LandscapeKind, isEvening: Bool) {
    switch kind {
    case .coast:
      (far, near, water, ruggedness) = (0x7C93A8, 0x2F4456, 0x4A7C93, 0.5)
    case .mountains:
      (far, near, water, ruggedness) = (0x93A3B8, 0x3B4A5C, nil, 1)
    case .desert:
      (far, near, water, ruggedness) = (0xDDA878, 0xA9603A, nil, 0.15)
    case .forest:
      (far, near, water, ruggedness) = (0x7FA08D, 0x23473A, nil, 0.35)
    case .lake:
      (far, near, water, ruggedness) = (0x86A0A6, 0x34565C, 0x5E9AA6, 0.6)
    case .ice:
      (far, near, water, ruggedness) = (0xC3D6E4, 0x6E93AE, 0xA9CBDC, 0.8)
    case .town:
      (far, near, water, ruggedness) = (0xB5A191, 0x5A4A47, nil, 0.25)
    }
    (zenith, horizon) = isEvening ? (0x4A5A8C, 0xF4C79A) : (0x6FA6D8, 0xE4EEF2)
    if kind == .desert, !isEvening { (zenith, horizon) = (0x78AEDB, 0xF6E3C4) }
  }
}

/// A cache of all landscapes, rendered before the first frame and again when the display scale changes.
///
/// A cell's handler only looks pictures up, because it runs while a frame is made. This works for a few small pictures.
/// Render others on another thread and deliver them with `reconfigureItems`, as the destinations example does.
final class LandscapeCache: FrameParticipant {
  /// The key of a picture: a destination, and a size in points.
  struct Key: Hashable {
    var destination: Destination
    var size: Size
  }

  private let keys: [Key]
  private var images: [Key: Bitmap] = [:]
  /// Called after all pictures were rendered again.
  var onImagesChange: () -> Void = {}

  /// Creates an empty cache for the given pictures.
  init(_ keys: [Key]) { self.keys = keys }

  /// Returns the picture of a destination, or nil if the cache does not contain it.
  func image(for destination: Destination, size: Size) -> Bitmap? {
    images[Key(destination: destination, size: size)]
  }

  /// Renders all pictures; called when the cache becomes a participant and when the display scale changes.
  func displayScaleDidChange(_ scale: DisplayScale) {
    images = [:]
    for key in keys {
      guard
        let size = PixelSize(width: Int(scale.pixel(key.size.width)), height: Int(scale.pixel(key.size.height)))
      else { continue }
      images[key] = Landscape(kind: key.destination.landscapeKind, seed: key.destination.id).bitmap(size: size)
    }
    onImagesChange()
  }
}
