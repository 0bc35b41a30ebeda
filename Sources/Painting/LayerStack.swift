import VitrineDataStructures
package import VitrineGeometry
package import VitrineRendering

/// The layers that have begun while a list is painted, with the pixels behind them.
///
/// The memory is reused, and released after a number of lists without layers.
package final class LayerStack {
  private struct Layer: BitwiseCopyable {
    var mask: LayerMask
    /// The pixels in which the layer is visible.
    var visible: PixelRect
    /// The index of the first pixel that is kept.
    var start: Int
  }

  /// The number of lists without layers after which the memory is released.
  private static let idleLimit = 240

  private let layers = TrivialBuffer<Layer>(capacity: 4)
  private var idleCount = 0
  private var memory: UnsafeMutablePointer<UInt32>?
  private var capacity = 0
  private var used = 0
  private var wasUsed = false

  /// Creates an empty stack.
  package init() {}

  deinit { memory?.deallocate() }

  /// Whether a layer has begun.
  package var isEmpty: Bool { layers.count == 0 }

  /// Removes all layers, before a list is painted.
  package func removeAll() {
    layers.removeAll()
    used = 0
    idleCount = wasUsed ? 0 : idleCount + 1
    wasUsed = false
    guard idleCount > LayerStack.idleLimit, let memory else { return }
    memory.deallocate()
    self.memory = nil
    capacity = 0
  }

  /// Begins a layer and keeps the pixels behind it.
  ///
  /// - Parameters:
  ///   - command: The command that begins it.
  ///   - clip: The rectangle that commands are drawn within, inside the plane.
  ///   - plane: The pixels that are painted.
  /// - Complexity: O(pixels of the layer, or of its corners if it is opaque).
  package func begin(_ command: DrawCommand, within clip: PixelRect, on plane: PixelPlane) {
    let mask = LayerMask(command)
    wasUsed = true
    let isIgnored = layers.count >= LayerMask.maximumDepth
    let layer = Layer(mask: mask, visible: isIgnored ? .zero : clip.intersection(mask.rect), start: used)
    layers.append(layer)
    for index in 0..<mask.regionCount {
      let region = layer.visible.intersection(mask.region(index))
      guard !region.isEmpty else { continue }
      let target = reserve(region.area)
      for row in 0..<Int(region.height) {
        let source = plane.address(Int(region.x), Int(region.y) + row).assumingMemoryBound(to: UInt32.self)
        (target + row * Int(region.width)).update(from: source, count: Int(region.width))
      }
    }
  }

  /// Ends the last layer and mixes its pixels with those behind it; does nothing if there is none.
  ///
  /// - Complexity: As that of ``begin(_:within:on:)``.
  package func end(on plane: PixelPlane) {
    guard layers.count > 0 else { return }
    let layer = layers[layers.count - 1]
    layers.truncate(to: layers.count - 1)
    var next = layer.start
    for index in 0..<layer.mask.regionCount {
      let region = layer.visible.intersection(layer.mask.region(index))
      guard !region.isEmpty, let memory else { continue }
      for row in 0..<region.height {
        mixRow(region.y + row, of: region, layer.mask, with: memory + next, on: plane)
        next += Int(region.width)
      }
    }
    used = layer.start
  }

  private func mixRow(
    _ y: Int32, of region: PixelRect, _ mask: LayerMask, with kept: UnsafeMutablePointer<UInt32>, on plane: PixelPlane
  ) {
    let row = plane.address(Int(region.x), Int(y))
    let isInCorners = min(y - mask.rect.y, mask.rect.maxY - 1 - y) < mask.radius
    // The columns between the corners have one weight.
    let left = isInCorners ? max(region.x, min(region.maxX, mask.rect.x + mask.radius)) : region.x
    let right = isInCorners ? max(left, min(region.maxX, mask.rect.maxX - mask.radius)) : region.maxX
    for x in region.x..<left { mixPixel(row, kept, Int(x - region.x), mask.weight(x: x, y: y)) }
    var column = Int(left - region.x)
    let end = Int(right - region.x)
    let opacity = PixelChannels.Lanes(repeating: UInt16(mask.opacity))
    while column + 4 <= end {
      let above = PixelChannels(row.loadUnaligned(fromByteOffset: column * 4, as: PixelChannels.Pixels.self))
      let below = PixelChannels(
        UnsafeRawPointer(kept + column).loadUnaligned(as: PixelChannels.Pixels.self))
      row.storeBytes(
        of: above.mixed(with: below, opacity: opacity).opaquePixels, toByteOffset: column * 4,
        as: PixelChannels.Pixels.self)
      column += 4
    }
    while column < end {
      mixPixel(row, kept, column, Int(mask.opacity))
      column += 1
    }
    for x in right..<max(right, region.maxX) { mixPixel(row, kept, Int(x - region.x), mask.weight(x: x, y: y)) }
  }

  private func mixPixel(
    _ row: UnsafeMutableRawPointer, _ kept: UnsafeMutablePointer<UInt32>, _ column: Int, _ weight: Int
  ) {
    let above = row.loadUnaligned(fromByteOffset: column * 4, as: UInt32.self)
    let below = kept[column]
    var result: UInt32 = 0xFF00_0000
    for shift in stride(from: UInt32(0), through: 16, by: 8) {
      let sum = Int(above >> shift & 0xFF) * weight + Int(below >> shift & 0xFF) * (255 - weight)
      result |= UInt32((sum + 127) / 255) << shift
    }
    row.storeBytes(of: result, toByteOffset: column * 4, as: UInt32.self)
  }

  /// Returns memory for a number of pixels after those in use.
  private func reserve(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    let needed = used + count
    let start: UnsafeMutablePointer<UInt32>
    if let memory, needed <= capacity {
      start = memory
    } else {
      let larger = max(needed, capacity * 2)
      start = .allocate(capacity: larger)
      if let memory {
        start.update(from: memory, count: used)
        memory.deallocate()
      }
      memory = start
      capacity = larger
    }
    defer { used = needed }
    return start + used
  }
}
