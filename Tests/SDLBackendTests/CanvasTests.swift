import Glibc
import Testing
import VitrineGeometry
import VitrinePainting
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

@Suite("A canvas scrolls by changing its first row, and keeps the other pixels")
struct CanvasTests {
  /// Returns the pixels of a canvas, row by row.
  private func pixels(_ canvas: Canvas) -> [UInt32] {
    let plane = canvas.plane
    return (0..<Int(plane.extent.height)).flatMap { row in
      (0..<Int(plane.extent.width)).map { column in
        (plane.start + row * plane.bytesPerRow + column * 4).load(as: UInt32.self)
      }
    }
  }

  private func write(_ pixels: [UInt32], to canvas: Canvas) {
    let (plane, width) = (canvas.plane, Int(canvas.extent.width))
    for (index, pixel) in pixels.enumerated() {
      (plane.start + index / width * plane.bytesPerRow + index % width * 4).storeBytes(of: pixel, as: UInt32.self)
    }
  }

  @Test("A new canvas is black and has spare rows")
  func newCanvas() throws {
    let canvas = try Canvas(extent: .at(0, 0, 33, 17))
    #expect(pixels(canvas).allSatisfy { $0 == 0 } && canvas.ring.spareRows > 0 && canvas.bytesPerRow >= 33 * 4)
    #expect(canvas.ring.rowCount * canvas.bytesPerRow % MirroredMemory.granularity == 0)
  }

  @Test(
    "An empty extent, and one that is larger than any window, are rejected",
    arguments: [(0, 9), (9, 0), (40_000, 9), (9, 40_000)])
  func invalidExtents(width: Int32, height: Int32) {
    #expect(throws: DisplayError.self) { try Canvas(extent: .at(0, 0, width, height)) }
  }

  @Test(
    "Any sequence of moves has the result of moving the pixels one by one",
    arguments: TestScale.seeds(UInt64(1)...150))
  func moves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (width, height) = (Int32.random(in: 1...40, using: &random), Int32.random(in: 1...90, using: &random))
    let canvas = try Canvas(extent: .at(0, 0, width, height))
    var expected = (0..<UInt32(width * height)).map { $0 + 1 }
    write(expected, to: canvas)
    var ringMoves = 0
    for _ in 0..<30 {
      // Moves all of the canvas, or a random part of it.
      let region =
        Bool.random(using: &random) ? canvas.extent : PixelRect.random(within: canvas.extent, using: &random)
      guard !region.isEmpty else { continue }
      let x = random.chance(oneIn: 4) ? Int32.random(in: -5...5, using: &random) : 0
      guard let move = PixelMove(within: region, byX: x, y: .random(in: -height...height, using: &random)) else {
        continue
      }
      let top = canvas.ring.top
      canvas.movePixels(move)
      if canvas.ring.top != top { ringMoves += 1 }
      let before = expected
      for row in move.target.y..<move.target.maxY {
        for column in move.target.x..<move.target.maxX {
          expected[Int(row * width + column)] = before[Int((row - move.y) * width + column - move.x)]
        }
      }
      let now = pixels(canvas)
      for row in 0..<height {
        for column in 0..<width {
          let index = Int(row * width + column)
          let one = PixelRect.at(column, row, 1, 1)
          // Pixels of the region to which no pixel moves may have any value.
          let isUndefined = !region.intersection(one).isEmpty && move.target.intersection(one).isEmpty
          #expect(isUndefined || now[index] == expected[index], "\(move) at \(column), \(row)")
          expected[index] = now[index]
        }
      }
    }
    #expect(height < 8 || ringMoves > 0)
  }
}

@Suite("Mirrored memory continues at its start")
struct MirroredMemoryTests {
  @Test("Bytes after the end are those at the start, in both directions and in the file")
  func mirror() throws {
    let size = MirroredMemory.granularity * 3
    let memory = try MirroredMemory(byteCount: size)
    #expect(memory.byteCount == size)
    for index in [0, 1, size / 2, size - 4] {
      memory.start.storeBytes(of: 0x1234_5678 + UInt32(index), toByteOffset: size + index, as: UInt32.self)
      #expect(memory.start.loadUnaligned(fromByteOffset: index, as: UInt32.self) == 0x1234_5678 + UInt32(index))
    }
    memory.start.storeBytes(of: 0xAABB_CCDD, toByteOffset: size - 2, as: UInt32.self)
    #expect(memory.start.loadUnaligned(fromByteOffset: 0, as: UInt16.self) == 0xAABB)
    var bytes: UInt16 = 0
    #expect(pread(memory.descriptor, &bytes, 2, off_t(size - 2)) == 2 && bytes == 0xCCDD)
  }

  @Test("The memory cannot be truncated while others read it")
  func truncation() throws {
    let memory = try MirroredMemory(byteCount: MirroredMemory.granularity)
    #expect(ftruncate(memory.descriptor, 0) == -1 && errno == EPERM)
  }

  @Test("A size that cannot be allocated is an error that contains the size")
  func allocationFailure() {
    let count = (1 << 60) / MirroredMemory.granularity * MirroredMemory.granularity
    let error = #expect(throws: DisplayError.self) { _ = try MirroredMemory(byteCount: count) }
    #expect(error?.description.contains("\(count) bytes") == true)
  }
}

@Suite("An image can start at any row of its ring")
struct RowRingTests {
  @Test("Rows keep their ring rows, however far the image moves", arguments: 1...100 as ClosedRange<UInt64>)
  func moves(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let height = Int.random(in: 1...20, using: &random)
    var ring = RowRing(height: height, rowCount: height + .random(in: 0...9, using: &random))
    #expect(ring.spareRows == ring.rowCount - height)
    for _ in 0..<20 {
      let previous = ring
      let rows = Int.random(in: -30...30, using: &random)
      ring.move(down: rows)
      #expect((0..<ring.rowCount).contains(ring.top))
      for row in -height..<2 * height {
        #expect((0..<ring.rowCount).contains(ring.ringRow(of: row)))
        // A previous row is now further down by the distance of the move.
        #expect(ring.ringRow(of: row + rows) == previous.ringRow(of: row))
      }
    }
  }

  @Test(
    "Rows are enumerated in order, each once, in at most two runs",
    arguments: 1...100 as ClosedRange<UInt64>)
  func runs(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let height = Int.random(in: 1...20, using: &random)
    var ring = RowRing(height: height, rowCount: height + .random(in: 0...9, using: &random))
    ring.move(down: .random(in: -50...50, using: &random))
    let first = Int.random(in: 0..<height, using: &random)
    let rows = first..<Int.random(in: first...height, using: &random)
    var ringRows: [(row: Int, ringRow: Int)] = []
    var count = 0
    ring.forEachRun(of: rows) { first, ringRow, length in
      count += 1
      #expect(length > 0 && ringRow + length <= ring.rowCount)
      ringRows += (0..<length).map { (first + $0, ringRow + $0) }
    }
    #expect(count <= 2 && ringRows.map(\.row) == Array(rows))
    #expect(ringRows.allSatisfy { $0.ringRow == ring.ringRow(of: $0.row) })
  }
}
