import BenchmarkSupport
import Testing

@Suite("Scene figures")
struct SceneReadingTests {
  private func options(_ words: String...) throws -> SceneOptions? {
    if case .scene(let options) = try BenchmarkCommand(["scroll"] + words) { return options }
    return nil
  }

  private func errorText(_ words: String...) -> String? {
    do throws(CommandError) {
      _ = try BenchmarkCommand(["scroll"] + words)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A scene is measured on request, at two sizes and three times by default")
  func byDefault() throws {
    let options = try options("--scene", "window")
    #expect(options?.kind == .window && options?.sizes == [100_000, 1_000_000] && options?.only == nil)
    #expect(options?.seconds == 10 && options?.repeats == 3 && options?.refreshRate == 60)
    let quick = try self.options("--seconds", "7", "--scene", "headless", "--quick")
    #expect(quick?.kind == .headless && quick?.seconds == 7 && quick?.repeats == 1)
    #expect(try self.options("--frames", "100") == nil)
  }

  @Test("Invalid arguments are rejected with a one-line error")
  func refusals() {
    #expect(errorText("--scene") == "--scene needs a value: window, headless")
    #expect(errorText("--scene", "paper") == "--scene paper: accepted are window, headless")
    #expect(errorText("--scene", "window,headless") == "--scene takes one word")
    #expect(errorText("--scene", "window", "--only", "half") == "--only half: accepted are damage, whole")
    #expect(errorText("--scene", "window", "--seconds", "1,2") == "--seconds takes one number")
    #expect(errorText("--scene", "window", "--frames", "9") == "unknown option --frames of --scene; --help lists them")
  }

  @Test("The arguments for another process are parsed by this program")
  func arguments() throws {
    let options = try #require(try options("--scene", "headless", "--seconds", "3", "--refresh", "120"))
    guard case .scene(let one) = try BenchmarkCommand(options.arguments(of: .whole, size: 5_000)) else {
      Issue.record("\(options.arguments(of: .whole, size: 5_000))")
      return
    }
    #expect(one.kind == .headless && one.sizes == [5_000] && one.only == .whole)
    #expect(one.seconds == 3 && one.refreshRate == 120)
  }

  private func reading(time: Int = 400_000, resident: Int = 80 << 20, late: Int = 0) -> SceneReading {
    var reading = SceneReading()
    (reading.frames, reading.processorTime, reading.percentile99Commit) = (100, time * 100, 7)
    (reading.hitches, reading.ownHitches, reading.longGaps, reading.longestGap) = (late + 2, 1, late, 8)
    (reading.resident, reading.peakResident, reading.allocated) = (resident, resident + 1, resident - 5)
    (reading.movedFrames, reading.hasRightPixels) = (99, true)
    for (index, part) in SceneReading.Part.allCases.enumerated() { reading.parts[part] = 1_000 * index }
    return reading
  }

  @Test("A reading is restored from its line and from no other text")
  func line() {
    let reading = reading()
    #expect(SceneReading(line: reading.line) == reading)
    #expect(SceneReading(line: SceneReading().line)?.frames == 0)
    for text in ["", "scene", "scene 1 2", reading.line + " 4", "screen" + reading.line.dropFirst(5)] {
      #expect(SceneReading(line: text) == nil, "\(text)")
    }
    #expect(reading.timePerFrame == 400_000 && reading.timePerFrame(of: .upload) == 20)
    #expect(SceneReading().timePerFrame == 0 && SceneReading().timePerFrame(of: .raster) == 0)
  }

  @Test("The summary contains the median run, its goals and the worst of the other values")
  func summary() {
    var summary = SceneSummary()
    for time in [440_000, 900_000, 430_000] { summary.add(reading(time: time), .damage, size: 100_000) }
    summary.add(reading(time: 810_000, resident: 97 << 20, late: 1), .whole, size: 100_000)
    let lines = summary.table.lines
    #expect(lines.count == 4)
    #expect(lines[2].contains("drawn whole") && lines[2].contains("810 µs") && lines[2].contains("97 MB"))
    #expect(lines[2].hasSuffix("<= 800 µs MISSED, 0 over 25 ms MISSED, <= 96 MB MISSED"))
    #expect(lines[3].contains("440 µs (430 µs to 900 µs)") && lines[3].contains("right"))
    #expect(lines[3].hasSuffix("<= 450 µs reached, 0 over 25 ms reached, <= 96 MB reached"))
    #expect(summary.itemLine == nil)
  }

  @Test("The memory of an additional item is computed from the smallest and the largest size")
  func items() {
    var summary = SceneSummary()
    summary.add(reading(resident: 1_000_000), .damage, size: 100_000)
    summary.add(reading(resident: 1_000_000 + 900_000 * 23), .damage, size: 1_000_000)
    #expect(
      summary.itemLine
        == "An item more, 100,000 to 1,000,000: 23.0 B resident, 23.0 B allocated; <= 32.0 B reached")
    #expect(!summary.table.lines[3].contains("96 MB"))
  }

  @Test("The time is compared with a reference program on this machine and where the goals were determined")
  func peer() throws {
    #expect(try options("--scene", "window", "--peer", "/a/b")?.peer == "/a/b")
    #expect(ScenePeer.time(in: "570.5\n") == 570_500)
    for text in ["", "fast", "1 2", "nan", "-3", "0"] { #expect(ScenePeer.time(in: text) == nil, "\(text)") }
    var summary = SceneSummary()
    #expect(summary.peerLines.isEmpty)
    summary.add(reading(time: 500_000), .damage, size: 100_000)
    for time in [400_000.0, 700_000, 350_000] { summary.addPeerTime(time, .damage) }
    let line = try #require(summary.peerLines.first)
    #expect(summary.peerLines.count == 1)
    #expect(line.hasPrefix("SDL alone in C, moved: 400 µs (350 µs to 700 µs)"))
    #expect(line.contains("over it: 1.25x, <= 1.29x reached"))
    summary.addPeerTime(300_000, .damage)
    summary.addPeerTime(300_000, .damage)
    #expect(summary.peerLines.first?.contains("1.43x, <= 1.29x MISSED") ?? false)
  }
}
