/// A script and cells on which two policies of working ahead are compared.
public struct RivalCase: Hashable, Sendable {
  /// What is done, in a few words.
  public let label: String
  /// In how many columns cells stand.
  public let columns: Int
  /// From one row to the next, in points.
  public let rowHeight: Double
  /// What cells take.
  public let model: CellModel
  /// What is done to the content.
  public let script: GestureScript

  /// The cases.
  ///
  /// What cells take is chosen so that there is something to be late for, and that somebody could be in time.
  public static let all: [RivalCase] = [
    grid("steady 600 pt/s, cells of 20 ms", pieces(20), steady(600)),
    grid("steady 2,400 pt/s, cells of 8 ms", pieces(8), steady(2_400)),
    list("steady 600 pt/s, cells of 60 ms in 12 parts", parts(60, 12), steady(600)),
    grid("flicks of 4,000 pt/s, cells of 8 ms", pieces(8), flicks(4_000)),
    grid("flicks of 8,000 pt/s, cells of 5 ms", pieces(5), flicks(8_000)),
    grid("flips at 600 pt/s, cells of 20 ms", pieces(20), flips(600)),
    grid("flips at 1,200 pt/s, cells of 20 ms", pieces(20), flips(1_200)),
    grid("jumps by pages, cells of 4 ms", pieces(4), jumps),
    grid("steady 600 pt/s, cells of 2 ms, one in 5 of 22 ms", mixed, steady(600)),
    grid("flips at 600 pt/s, the same cells", mixed, flips(600)),
    grid("flicks of 2,000 pt/s, the same cells", mixed, flicks(2_000)),
  ]

  private static func grid(_ label: String, _ model: CellModel, _ script: GestureScript) -> RivalCase {
    RivalCase(label: label, columns: 6, rowHeight: 180, model: model, script: script)
  }

  private static func list(_ label: String, _ model: CellModel, _ script: GestureScript) -> RivalCase {
    RivalCase(label: label, columns: 1, rowHeight: 44, model: model, script: script)
  }

  // MARK: Cells

  private static func nanoseconds(_ milliseconds: Double) -> Int64 { Int64(milliseconds * 1e6) }

  private static func pieces(_ milliseconds: Double) -> CellModel {
    CellModel(CellWork(handler: nanoseconds(milliseconds - 0.5), drawing: nanoseconds(0.5)))
  }

  private static func parts(_ milliseconds: Double, _ count: Int) -> CellModel {
    CellModel(
      CellWork(
        part: nanoseconds((milliseconds - 0.5) / Double(count)), parts: count, drawing: nanoseconds(0.5)))
  }

  private static let mixed = CellModel(
    cheap: CellWork(handler: nanoseconds(1.5), drawing: nanoseconds(0.5)),
    heavy: CellWork(handler: nanoseconds(21.5), drawing: nanoseconds(0.5)), every: 5)

  // MARK: Scripts

  private static func steady(_ speed: Double) -> GestureScript {
    var script = GestureScript()
    script.add(.steady(speed), then: 1_200)
    return script
  }

  /// Two flicks down and one up, each caught while it still moves.
  private static func flicks(_ speed: Double) -> GestureScript {
    var script = GestureScript()
    for number in 0..<9 { script.add(.flick(number % 3 == 2 ? -speed : speed), then: 150) }
    return script
  }

  /// Turns after half a second to more than a whole one.
  private static func flips(_ speed: Double) -> GestureScript {
    var script = GestureScript()
    script.add(.steady(speed), then: 120)
    for number in 0..<24 { script.add(.steady(number % 2 == 0 ? -speed : speed), then: 30 + number * 7 % 40) }
    return script
  }

  private static let jumps: GestureScript = {
    var script = GestureScript()
    for pages in [1, 1, -1, 1, 2, -1, 1, 2, -2, 1, 1, 1] { script.add(.page(Double(pages)), then: 90) }
    return script
  }()
}
