import Testing

@testable import Hosting

@Suite("The name of a scroll script")
struct ScrollScriptTests {
  @Test("Scripts and their speeds")
  func scripts() throws {
    #expect(try ScrollScript("steady:1200") == .steady(speed: 1_200))
    #expect(try ScrollScript("steady:-0.5") == .steady(speed: -0.5))
    #expect(try ScrollScript("flick:8e3") == .flick(speed: 8_000))
    #expect(try ScrollScript("flick:10000000") == .flick(speed: 1e7))
    #expect(try ScrollScript("flip:-300") == .flip(speed: -300))
    #expect(try ScrollScript("jump") == .jump)
    #expect(try ScrollScript("scrub") == .scrub)
    #expect(try ScrollScript("mixed") == .mixed)
  }

  @Test("A speed that is none is told from a script that is none")
  func errors() {
    let speed = #expect(throws: UsageError.self) { try ScrollScript("flick:fast") }
    #expect(
      speed?.description
        == "--scroll flick:fast: SPEED is a number of points per second, at most 10000000 either way, not 0, such as 8000"
    )
    let script = #expect(throws: UsageError.self) { try ScrollScript("slide:3") }
    #expect(
      script?.description
        == """
        --scroll slide:3: accepted are steady:SPEED, flick:SPEED, flip:SPEED, jump, scrub, mixed and FILE.json, such as \
        flick:8000
        """)
    #expect(throws: UsageError.self) { try ScrollScript("mixed:3000") }
    #expect(throws: UsageError.self) { try ScrollScript("flip") }
  }
}
