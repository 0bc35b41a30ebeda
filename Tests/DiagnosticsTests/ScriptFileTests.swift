import Foundation
import Testing
import VitrineGeometry
import VitrineRendering

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("A script file is read step by step, and errors identify the step")
struct ScriptFileTests {
  private static func steps(_ text: String) throws(UsageError) -> [ScriptStep] {
    try ScriptFile.steps(in: Data(text.utf8), of: "s.json")
  }

  @Test("Every kind of step is read")
  func everyStep() throws {
    let steps = try Self.steps(
      """
      { "steps": [ {"wait": 0.5}, {"wait": 2}, {"key": "PageDown"}, {"key": "F5"}, {"key": "q"},
        {"jump": {"fraction": 0.25}}, {"flick": {"velocity": -8000}}, {"steady": {"velocity": 1200, "seconds": 3}}, {"zoom": 1},
        {"zoom": -3}, {"wheel": {"notches": -2.5}}, {"key": "Alt+Shift+Down"}, {"press": {"x": 1, "y": 2.5}},
        {"move": {"x": -3, "y": 4, "seconds": 0.5}}, {"release": {}} ] }
      """)
    #expect(
      steps == [
        .wait(0.5), .wait(2), .key(.pageDown), .key(.function(5)), .key(.character("q")), .jump(fraction: 0.25),
        .flick(velocity: -8_000), .steady(velocity: 1_200, seconds: 3), .zoom(1), .zoom(-3),
        .wheel(notches: -2.5), .key(.down, modifiers: [.alt, .shift]), .press(Point(x: 1, y: 2.5)),
        .move(to: Point(x: -3, y: 4), seconds: 0.5), .release,
      ])
    #expect(try Self.steps(#"{"steps": []}"#).isEmpty)
  }

  @Test("Steps for sizes, updates, refresh rates, faults and reversed motion are read")
  func environmentSteps() throws {
    let steps = try Self.steps(
      """
      { "steps": [ {"flick": {"velocity": 900}}, {"flip": {}}, {"steady": {"velocity": -5, "seconds": 2}}, {"wait": 1},
        {"flip": {}}, {"flip": {}}, {"resize": {"width": 900, "height": 700}}, {"apply": "shuffle"}, {"refresh": 59.94},
        {"fault": {"stop": 80}}, {"fault": {"present": 0.5}}, {"fault": {"wake": 20}},
        {"fault": {"cost": 30}} ] }
      """)
    #expect(
      steps == [
        .flick(velocity: 900), .flick(velocity: -900), .steady(velocity: -5, seconds: 2), .wait(1),
        .steady(velocity: 5, seconds: 2), .steady(velocity: -5, seconds: 2), .resize(Size(width: 900, height: 700)),
        .shuffle, .refresh(hertz: 59.94), .fault(.stop(milliseconds: 80)), .fault(.present(milliseconds: 0.5)),
        .fault(.wake(milliseconds: 20)), .fault(.cost(milliseconds: 30)),
      ])
    #expect(steps.filter(\.needsFaultInjector).count == 5)
  }

  @Test(
    "A file that is not a script has another error than an invalid step",
    arguments: ["", "[]", #"{"step": []}"#, #"{"steps": 3}"#, #"{"steps": [], "more": 1}"#])
  func invalidScript(text: String) {
    let error = #expect(throws: UsageError.self) { try Self.steps(text) }
    #expect(error?.description == #"--scroll s.json: accepted is { "steps": [ … ] } in JSON"#)
  }

  @Test("An invalid step is reported by its number")
  func invalidStep() {
    for step in [#""wait""#, "{}", #"{"dance": 1}"#, #"{"wait": 1, "key": "F5"}"#] {
      let error = #expect(throws: UsageError.self) { try Self.steps(#"{"steps": [{"wait": 1}, \#(step)]}"#) }
      #expect(
        error?.description == "--scroll s.json: step 2 is none; accepted are "
          + "wait, key, jump, flick, steady, flip, wheel, zoom, press, move, release, resize, apply, refresh, fault",
        "\(step)")
    }
  }

  @Test("A step with an invalid value is reported with a valid example")
  func invalidValue() {
    for step in [
      #"{"wait": -1}"#, #"{"wait": "1"}"#, #"{"key": "F13"}"#, #"{"key": "Nonsense"}"#, #"{"jump": 0.5}"#,
      #"{"jump": {"fraction": 1.5}}"#, #"{"flick": {"velocity": 0}}"#, #"{"steady": {"velocity": 5}}"#,
      #"{"wheel": {"notches": 0}}"#, #"{"wheel": 3}"#, #"{"wheel": {"notches": "up"}}"#,
      #"{"flick": {"velocity": 5, "seconds": 1}}"#, #"{"zoom": 0.5}"#, #"{"zoom": "in"}"#, #"{"zoom": 101}"#,
      #"{"key": "Alt+"}"#, #"{"key": "Hyper+q"}"#, #"{"press": {"x": 1}}"#, #"{"press": {"x": 1, "y": "2"}}"#,
      #"{"flip": {}}"#, #"{"flip": 1}"#, #"{"resize": {"width": 0, "height": 700}}"#, #"{"apply": "sort"}"#,
      #"{"refresh": 0}"#, #"{"refresh": "fast"}"#, #"{"fault": "stop"}"#, #"{"fault": {"stop": -1}}"#,
      #"{"fault": {"stop": 1, "wake": 1}}"#, #"{"fault": {"nap": 1}}"#,
      #"{"move": {"x": 1, "y": 2}}"#, #"{"move": {"x": 1, "y": 2, "seconds": -1}}"#, #"{"release": {"x": 1}}"#,
    ] {
      let error = #expect(throws: UsageError.self, "\(step)") { try Self.steps(#"{"steps": [\#(step)]}"#) }
      #expect(error?.description.contains("is not as it should be, such as {") == true)
    }
  }

  @Test("The error for a missing file contains its path")
  func missingFile() {
    let error = #expect(throws: UsageError.self) { try ScriptFile.contents(at: "/nowhere/at/all.json") }
    #expect(error?.description == "--scroll /nowhere/at/all.json: the file cannot be read")
  }
}
