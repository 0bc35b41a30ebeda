import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@testable import Hosting

@Suite("A scroll script scrolls exactly as it says")
struct ScriptDriverTests {
  @Test("Steady: every frame is its time times the speed further", arguments: [100.0, 1_200, 8_000, 200_000])
  func steadySpeed(speed: Double) {
    let stage = ScriptStage(.steady(speed: speed), scrollable: 10_000_000)
    stage.run(frames: 400)
    #expect(stage.shown.count == 400)
    for frame in stage.shown {
      #expect(frame.offset == speed * frame.milliseconds / 1_000)
      #expect(frame.velocity == speed)
      #expect(frame.isTracked)
    }
    #expect(stage.shown.last?.offset == speed * 3.99)
  }

  @Test("Steady: a speed that is no whole number of pixels a frame does not drift")
  func steadyFraction() {
    let stage = ScriptStage(.steady(speed: 33.3), scrollable: 10_000)
    stage.run(frames: 2_000)
    for frame in stage.shown { #expect((frame.offset - 33.3 * frame.milliseconds / 1_000).magnitude <= 0.5) }
  }

  @Test("Steady: the direction turns at both ends, and the speed is the same both ways", arguments: [1_000.0, -1_000])
  func steadyTurns(speed: Double) {
    let stage = ScriptStage(.steady(speed: speed), scrollable: 1_000)
    stage.run(frames: 1_000)
    let offsets = stage.shown.map(\.offset)
    #expect(offsets.allSatisfy { (0...1_000).contains($0) })
    // Nearly ten seconds: up, down, up and so on, a second and a frame each.
    let turns = offsets.indices.dropFirst().dropLast().filter {
      (offsets[$0] - offsets[$0 - 1]) * (offsets[$0 + 1] - offsets[$0]) < 0
        || offsets[$0] == offsets[$0 - 1] && offsets[$0] != offsets[$0 + 1]
    }
    #expect((8...10).contains(turns.count))
    for turn in turns { #expect(offsets[turn] == 0 || offsets[turn] == 1_000) }
    for (last, next) in zip(offsets, offsets.dropFirst()) {
      let step = (next - last).magnitude
      #expect(step == 10 || next == 0 || next == 1_000)
      #expect(step <= 10)
    }
  }

  @Test("A script begins with the first frame in which there is something to scroll")
  func waitsForContent() {
    let stage = ScriptStage(.steady(speed: 1_000))
    stage.run(milliseconds: 500)
    // It asks for frames all the time, and moves nothing.
    #expect(stage.shown.count >= 49)
    #expect(stage.shown.allSatisfy { $0.offset == 0 && !$0.isTracked })
    stage.setScrollable(5_000)
    stage.run(frames: 101)
    #expect(stage.shown.last?.offset == 1_000)
  }

  @Test("Content that grows while a steady scroll stands at its end is scrolled on from there, without a jump")
  func growingContent() {
    let stage = ScriptStage(.steady(speed: 1_000), scrollable: 200)
    for scrollable in stride(from: 200.0, through: 4_000, by: 200) {
      stage.setScrollable(scrollable)
      stage.run(frames: 33)
    }
    for (last, next) in zip(stage.shown, stage.shown.dropFirst()) {
      #expect((next.offset - last.offset).magnitude <= 10)
    }
  }

  @Test(
    "Flick: one every 1.5 seconds of exactly the speed, which dies away between them", arguments: [8_000.0, -8_000])
  func flicks(speed: Double) {
    let stage = ScriptStage(.flick(speed: speed), scrollable: 1_000_000)
    stage.run(frames: 1_201)
    let flicked = stage.shown.filter { $0.velocity.magnitude == 8_000 }
    #expect(flicked.map(\.milliseconds) == (0...8).map { Double($0) * 1_500 })
    // Upwards from the beginning is downwards.
    #expect(flicked.allSatisfy { $0.velocity == 8_000 })
    for (last, next) in zip(stage.shown, stage.shown.dropFirst()) where next.velocity.magnitude != 8_000 {
      #expect(next.velocity < last.velocity || next.velocity == 0)
      #expect(next.offset >= last.offset)
    }
    #expect(stage.shown.allSatisfy { $0.isTracked })
  }

  @Test("Flick: at an end the next one goes the other way")
  func flicksTurn() {
    let stage = ScriptStage(.flick(speed: 8_000), scrollable: 1_000)
    stage.run(frames: 600)
    let flicked = stage.shown.filter { $0.velocity.magnitude == 8_000 }
    #expect(flicked.map(\.velocity) == [8_000, -8_000, 8_000, -8_000])
    #expect(flicked.map(\.offset) == [0, 1_000, 0, 1_000])
  }

  @Test("Flick: one that was missed while no frame was made is not made up for")
  func missedFlicks() throws {
    let stage = ScriptStage(.flick(speed: 8_000), scrollable: 1_000_000)
    stage.run(frames: 10)
    stage.clock.wait(until: stage.clock.now() + .seconds(7))
    stage.run(frames: 200)
    // One for the four that were missed, at once; then on the old grid.
    let flicked = stage.shown.filter { $0.velocity.magnitude == 8_000 }.map(\.milliseconds)
    try #require(flicked.count == 4)
    #expect(flicked[0] == 0 && flicked[1] > 7_000 && flicked[1] < 7_200)
    #expect(flicked[2...] == [7_500, 9_000])
  }

  @Test("Jump: to the seed's fractions, one every half second", arguments: [1, 2, 0xFFFF_FFFF_FFFF_FFFF] as [UInt64])
  func jumps(seed: UInt64) {
    let stage = ScriptStage(.jump, seed: seed, scrollable: 1_000_000)
    stage.run(frames: 1_000)
    var generator = SeededGenerator(seed: seed)
    for run in 0..<20 {
      let fraction = Double(generator.next() >> 11) / Double(1 << 53)
      let frames = stage.shown[(run * 50)..<(run * 50 + 50)]
      #expect(Set(frames.map(\.offset)) == [(fraction * 1_000_000).rounded()])
    }
  }

  @Test("Flip: a constant speed whose direction turns every half second", arguments: [1_000.0, 8_000])
  func flips(speed: Double) {
    let stage = ScriptStage(.flip(speed: speed), scrollable: 1_000_000)
    stage.run(frames: 401)
    for frame in stage.shown {
      let half = Int(frame.milliseconds / 500)
      #expect(frame.velocity == (half % 2 == 0 ? speed : -speed))
      let within = frame.milliseconds - Double(half) * 500
      #expect(frame.offset == speed * (half % 2 == 0 ? within : 500 - within) / 1_000)
      #expect(frame.isTracked)
    }
  }

  @Test("Scrub: to the end and back in four seconds, with three rests")
  func scrubs() throws {
    let stage = ScriptStage(.scrub, scrollable: 10_000)
    stage.run(frames: 801)
    let offsets = stage.shown.map(\.offset)
    try #require(offsets.count == 801)
    for second in [0, 4, 8] { #expect(offsets[second * 100] == 0) }
    for second in [2, 6] { #expect(offsets[second * 100] == 10_000) }
    // Where it rests: frames of 10 ms in which it stands, in runs.
    let standing = offsets.indices.dropFirst().filter { offsets[$0] == offsets[$0 - 1] && $0 < 400 }
    let rests = standing.filter { !standing.contains($0 - 1) }
    #expect(rests.count == 3 && standing.count >= 95 && standing.count <= 105)
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { ($1 - $0).magnitude <= 10_000 / 150 + 1 })
    #expect(stage.shown.allSatisfy { $0.isTracked })
  }

  @Test("Mixed: two seconds of each script, from where the one before has left the content")
  func mixes() throws {
    let stage = ScriptStage(.mixed, scrollable: 100_000)
    stage.run(frames: 1_001)
    try #require(stage.shown.count == 1_001)
    func part(_ place: Int) -> ArraySlice<ScriptStage.Shown> { stage.shown[(place * 200)..<(place * 200 + 200)] }
    #expect(part(0).allSatisfy { $0.velocity == 3_000 } && stage.shown[199].offset == 5_970)
    #expect(part(1).first?.velocity == 3_000 && part(1).first?.offset == 6_000)
    #expect(part(1).dropFirst(149).first.map { $0.velocity.magnitude < 3_000 } == true)
    #expect(Set(part(2).map(\.velocity)) == [3_000, -3_000])
    #expect(Set(part(3).map(\.offset)).count == 4 && part(3).allSatisfy { $0.velocity == 0 })
    #expect(part(4).first?.offset == 0 && part(4).last.map { $0.offset == 100_000 } == true)
    // And again.
    #expect(stage.shown[1_000].velocity.magnitude == 3_000)
  }

  @Test("Equal scripts and seeds show equal frames; another seed shows others")
  func repeatable() {
    func shown(_ script: ScrollScript, _ seed: UInt64) -> [ScriptStage.Shown] {
      let stage = ScriptStage(script, seed: seed, scrollable: 12_345)
      stage.run(frames: 300)
      return stage.shown
    }
    let scripts: [ScrollScript] = [
      .steady(speed: 777), .flick(speed: 5_000), .flip(speed: 900), .jump, .scrub, .mixed,
    ]
    for script in scripts {
      #expect(shown(script, 5) == shown(script, 5))
    }
    #expect(shown(.jump, 5) != shown(.jump, 6))
  }
}
