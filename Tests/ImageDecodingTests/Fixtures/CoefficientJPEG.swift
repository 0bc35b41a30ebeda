import TestSupport

/// Makes baseline JPEG files of coefficients and codes drawn at random, of any sampling and with restart markers.
struct CoefficientJPEG {
  /// One component: blocks across and down in a unit of blocks, and which tables its codes are of, 0 or 1.
  struct Component {
    var across = 1
    var down = 1
    var table = 0
  }

  var width: Int
  var height: Int
  var components: [Component]
  /// Units of blocks from one restart marker to the next; none where it is 0.
  var restartInterval = 0
  /// The chance that a coefficient is not nought, one in so many.
  var sparsity = 8

  private var random: SeededGenerator
  private var bits = EntropyBits()
  /// The codes by symbol, of two tables for means and two for the others.
  private var means: [[(code: Int, length: Int)]] = []
  private var others: [[(code: Int, length: Int)]] = []

  /// How many codes of each length the tables of the standard have (ITU-T T.81, K.3): some of 16 bits.
  private static let meanCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
  private static let otherCounts = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D]
  private static let mostOfNumber = 10

  init(width: Int, height: Int, components: [Component], seed: UInt64) {
    self.width = width
    self.height = height
    self.components = components
    random = SeededGenerator(seed: seed)
  }

  /// The file.
  mutating func file() -> [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8]
    let quantization = (0..<64).map { _ in UInt8.random(in: 1...24, using: &random) }
    file += segment(0xDB, [0] + quantization)
    let frame = [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    let samplings: [UInt8] = components.enumerated().flatMap { index, component in
      [UInt8(index + 1), UInt8(component.across << 4 | component.down), 0] as [UInt8]
    }
    file += segment(0xC0, frame + [UInt8(components.count)] + samplings)
    means = []
    others = []
    for table in 0..<2 {
      file += codes(CoefficientJPEG.meanCounts, symbols: (0..<12).map { $0 }, class: 0, table: table, to: \.means)
      let sizes = (0..<16).flatMap { run in (1...10).map { run << 4 | $0 } }
      file += codes(CoefficientJPEG.otherCounts, symbols: sizes + [0, 0xF0], class: 1, table: table, to: \.others)
    }
    if restartInterval > 0 { file += segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)]) }
    let selectors: [UInt8] = components.enumerated().flatMap { index, component in
      [UInt8(index + 1), UInt8(component.table * 0x11)] as [UInt8]
    }
    file += segment(0xDA, [UInt8(components.count)] + selectors + [0, 63, 0])
    bits = EntropyBits()
    writeUnits()
    return file + bits.bytes + [0xFF, 0xD9]
  }

  private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
  }

  /// A table in which symbols are shuffled among the lengths.
  private mutating func codes(
    _ counts: [Int], symbols: [Int], class group: UInt8, table: Int,
    to place: WritableKeyPath<CoefficientJPEG, [[(code: Int, length: Int)]]>
  ) -> [UInt8] {
    let shuffled = symbols.shuffled(using: &random)
    var entries = Array(repeating: (code: 0, length: 0), count: 256)
    var code = 0
    var index = 0
    for (length, count) in counts.enumerated() {
      for _ in 0..<count {
        entries[shuffled[index]] = (code, length + 1)
        code += 1
        index += 1
      }
      code <<= 1
    }
    self[keyPath: place].append(entries)
    return segment(0xC4, [group << 4 | UInt8(table)] + counts.map { UInt8($0) } + shuffled.map { UInt8($0) })
  }

  private mutating func writeUnits() {
    // A picture of one component has a block a unit, whatever its sampling.
    let isAlone = components.count == 1
    let most = (components.map(\.across).max() ?? 1, components.map(\.down).max() ?? 1)
    let side = isAlone ? (8, 8) : (8 * most.0, 8 * most.1)
    let units = ((width + side.0 - 1) / side.0) * ((height + side.1 - 1) / side.1)
    var means = Array(repeating: 0, count: components.count)
    for unit in 0..<units {
      if restartInterval > 0, unit > 0, unit.isMultiple(of: restartInterval) {
        bits.restart(unit / restartInterval - 1)
        means = Array(repeating: 0, count: components.count)
      }
      for (index, component) in components.enumerated() {
        for _ in 0..<(isAlone ? 1 : component.across * component.down) {
          let mean = Int.random(in: -250...250, using: &random)
          write(mean - means[index], after: 0, self.means[component.table])
          means[index] = mean
          writeOthers(others[component.table])
        }
      }
    }
    bits.pad()
  }

  private mutating func writeOthers(_ codes: [(code: Int, length: Int)]) {
    // Some blocks are full, and some are empty.
    let chance = random.chance(oneIn: 9) ? 1 : random.chance(oneIn: 3) ? 200 : sparsity
    var run = 0
    for _ in 1..<64 {
      guard random.chance(oneIn: chance) else {
        run += 1
        continue
      }
      while run > 15 {
        bits.append(codes[0xF0].code, count: codes[0xF0].length)
        run -= 16
      }
      let size = Int.random(in: 1...(random.chance(oneIn: 4) ? CoefficientJPEG.mostOfNumber : 2), using: &random)
      let number = Int.random(in: 1 << (size - 1)..<1 << size, using: &random)
      write(random.chance(oneIn: 2) ? number : -number, after: run, codes)
      run = 0
    }
    if run > 0 { bits.append(codes[0].code, count: codes[0].length) }
  }

  private mutating func write(_ number: Int, after run: Int, _ codes: [(code: Int, length: Int)]) {
    let size = Int.bitWidth - abs(number).leadingZeroBitCount
    let code = codes[run << 4 | size]
    bits.append(code.code, count: code.length)
    bits.append(number < 0 ? number + (1 << size) - 1 : number, count: size)
  }
}
