import DataStructures
import Geometry
import Rendering

/// A small painted landscape: sky, sun, ridges one behind the other, and water where there is some.
///
/// The same scenery and number give the same picture, at every size.
nonisolated struct Landscape {
  private let palette: Palette
  private let sun: (x: Double, y: Double)
  private let ridges: [(base: Double, waves: [(length: Double, phase: Double, height: Double)])]
  private let waterline: Double

  init(_ scenery: Scenery, number: Int) {
    var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number) &* 7_919 &+ 17)
    palette = Palette(scenery, isEvening: random.nextFraction() < 0.45)
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

  /// Paints the picture; nothing where memory is out.
  ///
  /// - Complexity: O(pixels).
  func bitmap(_ size: PixelSize) -> Bitmap? {
    try? Bitmap(size: size, isOpaque: true) { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      let aspect = Double(size.width) / Double(size.height)
      for x in 0..<size.width {
        let across = (Double(x) + 0.5) / Double(size.width)
        let edges = ridges.map { edge(of: $0, at: across * aspect) }
        for y in 0..<size.height {
          let down = (Double(y) + 0.5) / Double(size.height)
          pixels[y * size.width + x] = color(across, down, aspect, edges, Double(size.height))
        }
      }
    }
  }

  /// How far down a ridge begins at a place across.
  private func edge(
    of ridge: (base: Double, waves: [(length: Double, phase: Double, height: Double)]), at x: Double
  ) -> Double {
    ridge.waves.reduce(ridge.base) { sum, wave in
      let turns = x / wave.length + wave.phase
      let part = turns - turns.rounded(.down)
      // Peaks for what is rugged, waves for what is not; both of parabolas, as a library's sine is another one elsewhere.
      let peak = 1 - 8 * part * (1 - part)
      let swell = part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
      return sum - wave.height * (palette.ruggedness * peak + (1 - palette.ruggedness) * swell)
    }
  }

  private func color(
    _ across: Double, _ down: Double, _ aspect: Double, _ edges: [Double], _ height: Double
  ) -> UInt32 {
    if down > waterline, let water = palette.water {
      // What is above is mirrored, a little, and the nearer the darker.
      let mirrored = land(across, 2 * waterline - down, aspect, edges, height)
      let depth = (down - waterline) / (1 - waterline)
      return packed(mix(mix(channels(water), mirrored, 0.34 * (1 - depth)), (20, 40, 60), 0.28 * depth))
    }
    return packed(land(across, down, aspect, edges, height))
  }

  private typealias Channels = (red: Double, green: Double, blue: Double)

  private func land(
    _ across: Double, _ down: Double, _ aspect: Double, _ edges: [Double], _ height: Double
  ) -> Channels {
    var color = mix(channels(palette.zenith), channels(palette.horizon), min(1, down / 0.55))
    let (x, y) = ((across - sun.x) * aspect, down - sun.y)
    let distance = (x * x + y * y).squareRoot()
    color = mix(color, (255, 244, 220), 0.55 * max(0, 1 - distance / 0.42) * max(0, 1 - distance / 0.42))
    color = mix(color, (255, 250, 236), max(0, min(1, (0.075 - distance) * height)))
    for (layer, edge) in edges.enumerated() {
      let nearness = Double(layer) / Double(max(1, edges.count - 1))
      let ridge = mix(channels(palette.far), channels(palette.near), nearness)
      // A ridge is a little lighter towards its foot, where the air lies.
      let haze = 0.22 * (1 - nearness) + 0.12 * min(1, max(0, (down - edge) / 0.3))
      color = mix(color, mix(ridge, channels(palette.horizon), haze), max(0, min(1, (down - edge) * height + 0.5)))
    }
    return color
  }

  private func channels(_ hex: UInt32) -> Channels {
    (Double(hex >> 16 & 0xFF), Double(hex >> 8 & 0xFF), Double(hex & 0xFF))
  }

  private func mix(_ first: Channels, _ second: Channels, _ share: Double) -> Channels {
    (
      first.red + (second.red - first.red) * share, first.green + (second.green - first.green) * share,
      first.blue + (second.blue - first.blue) * share
    )
  }

  private func packed(_ color: Channels) -> UInt32 {
    func channel(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
    let color = Color(red: channel(color.red), green: channel(color.green), blue: channel(color.blue))
    return UInt32(littleEndian: color.packed)
  }
}
