import FoundationEssentials
import VitrineGeometry
import VitrineHosting

/// A namespace for functions that parse script files, such as `{ "steps": [ {"wait": 0.5}, {"key": "F5"} ] }`.
enum ScriptFile {
  /// Returns whether the value of `--scroll` is a file name.
  static func isFileName(_ text: String) -> Bool { text.lowercased().hasSuffix(".json") }

  /// Reads the contents of a file.
  ///
  /// - Throws: `UsageError` that names the file.
  static func contents(at path: String) throws(UsageError) -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw UsageError("--scroll \(path): the file cannot be read")
    }
  }

  /// Parses the steps in a file's contents.
  ///
  /// - Throws: `UsageError` that names the file, the step and the accepted syntax.
  static func steps(in data: Data, of path: String) throws(UsageError) -> [ScriptStep] {
    guard let object = (try? JSONDecoder().decode(ScriptValue.self, from: data))?.object, object.count == 1,
      let list = object["steps"]?.list
    else { throw UsageError("--scroll \(path): accepted is { \"steps\": [ … ] } in JSON") }
    var steps: [ScriptStep] = []
    for (place, entry) in list.enumerated() {
      guard let entry = entry.object, entry.count == 1, let (name, value) = entry.first,
        ScriptStep.names.contains(name)
      else {
        throw UsageError(
          "--scroll \(path): step \(place + 1) is none; accepted are \(ScriptStep.names.joined(separator: ", "))")
      }
      let motion = steps.last { $0.reversed != nil }
      guard let step = name == "flip" ? fields(value, []).flatMap({ _ in motion?.reversed }) : step(name, value) else {
        throw UsageError(
          "--scroll \(path): step \(place + 1), \(name), is not as it should be, such as \(example(name))")
      }
      steps.append(step)
    }
    return steps
  }

  private static func step(_ name: String, _ value: ScriptValue) -> ScriptStep? {
    switch name {
    case "wait": number(value, in: 0...1e6).map(ScriptStep.wait)
    case "zoom": number(value, in: -100...100).flatMap { Int(exactly: $0) }.map(ScriptStep.zoom)
    case "key": value.text.flatMap(ScriptStep.keyStep(named:))
    case "press": fields(value, ["x", "y"]).flatMap(point).map(ScriptStep.press)
    case "release": fields(value, []).map { _ in ScriptStep.release }
    case "move":
      fields(value, ["x", "y", "seconds"]).flatMap { fields in
        guard let place = point(fields), let seconds = number(fields["seconds"], in: 0...1e6) else { return nil }
        return .move(to: place, seconds: seconds)
      }
    case "wheel":
      fields(value, ["notches"]).flatMap { number($0["notches"], in: -1_000...1_000) }
        .flatMap { $0 == 0 ? nil : .wheel(notches: $0) }
    case "jump":
      fields(value, ["fraction"]).flatMap { number($0["fraction"], in: 0...1) }.map(ScriptStep.jump(fraction:))
    case "resize":
      fields(value, ["width", "height"]).flatMap { fields in
        guard let width = number(fields["width"], in: 1...16_384), let height = number(fields["height"], in: 1...16_384)
        else { return nil }
        return .resize(Size(width: width, height: height))
      }
    case "apply": value.text == "shuffle" ? .shuffle : nil
    case "refresh": number(value, in: 1...1_000).map(ScriptStep.refresh(hertz:))
    case "fault": fault(value).map(ScriptStep.fault)
    case "flick":
      fields(value, ["velocity"]).flatMap { velocity($0["velocity"]) }
        .map(ScriptStep.flick(velocity:))
    default:
      fields(value, ["velocity", "seconds"]).flatMap { fields in
        guard let velocity = velocity(fields["velocity"]),
          let seconds = number(fields["seconds"], in: 0...1e6)
        else { return nil }
        return .steady(velocity: velocity, seconds: seconds)
      }
    }
  }

  private static func fault(_ value: ScriptValue) -> ScriptFault? {
    guard let (name, value) = value.object.flatMap({ $0.count == 1 ? $0.first : nil }),
      let milliseconds = number(value, in: 0...60_000)
    else { return nil }
    return switch name {
    case "stop": .stop(milliseconds: milliseconds)
    case "present": .present(milliseconds: milliseconds)
    case "wake": .wake(milliseconds: milliseconds)
    case "cost": .cost(milliseconds: milliseconds)
    default: nil
    }
  }

  private static func example(_ name: String) -> String {
    switch name {
    case "wait": #"{"wait": 0.5}"#
    case "key": #"{"key": "PageDown"}"#
    case "zoom": #"{"zoom": 1}"#
    case "wheel": #"{"wheel": {"notches": -3}}"#
    case "press": #"{"press": {"x": 100, "y": 80}}"#
    case "move": #"{"move": {"x": 100, "y": 300, "seconds": 0.5}}"#
    case "release": #"{"release": {}}"#
    case "jump": #"{"jump": {"fraction": 0.73}}"#
    case "flip": #"{"flip": {}} behind a flick or steady"#
    case "resize": #"{"resize": {"width": 900, "height": 700}}"#
    case "apply": #"{"apply": "shuffle"}"#
    case "refresh": #"{"refresh": 144}"#
    case "fault": #"{"fault": {"stop": 80}}; others are \#(ScriptFault.names.dropFirst().joined(separator: ", "))"#
    case "flick": #"{"flick": {"velocity": 8000}}"#
    default: #"{"steady": {"velocity": 1200, "seconds": 3}}"#
    }
  }

  /// Returns the value as an object that has exactly the given fields.
  private static func fields(_ value: ScriptValue, _ names: [String]) -> [String: ScriptValue]? {
    value.object.flatMap { $0.count == names.count && names.allSatisfy($0.keys.contains) ? $0 : nil }
  }

  /// Returns a velocity in points per second.
  ///
  /// Either direction is valid, zero is not.
  private static func velocity(_ value: ScriptValue?) -> Double? {
    number(value, in: -1e7...1e7).flatMap { $0 == 0 ? nil : $0 }
  }

  /// Returns a point in the window's coordinates.
  private static func point(_ fields: [String: ScriptValue]) -> Point? {
    guard let x = number(fields["x"], in: -1e5...1e5), let y = number(fields["y"], in: -1e5...1e5) else { return nil }
    return Point(x: x, y: y)
  }

  private static func number(_ value: ScriptValue?, in range: ClosedRange<Double>) -> Double? {
    value?.number.flatMap { $0.isFinite && range.contains($0) ? $0 : nil }
  }
}

/// A value in a script file.
private struct ScriptValue: Decodable {
  /// The fields of an object, the elements of an array, a text or a number; nil for other values.
  private(set) var object: [String: ScriptValue]?
  private(set) var list: [ScriptValue]?
  private(set) var text: String?
  private(set) var number: Double?

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let object = try? value.decode([String: ScriptValue].self) {
      self.object = object
    } else if let list = try? value.decode([ScriptValue].self) {
      self.list = list
    } else if let text = try? value.decode(String.self) {
      self.text = text
    } else {
      number = try? value.decode(Double.self)
    }
  }
}
