import Foundation

/// A report as it was written: the figures that tests ask for, and the names of all.
struct RunFigures {
  struct Figures: Decodable {
    struct Display: Decodable {
      var driver: String
      var renderer: String
      var drawnBy: String
      var rendererReason: String?
      var clock: String
      var refreshHz: Double?
      var widthPoints: Double
      var heightPoints: Double
      var scale: Double
    }
    struct Library: Decodable {
      var items: Int
      var sections: Int
      var failed: Int
    }
    struct Launch: Decodable {
      var firstFrameMs: Double?
      var firstFullScreenMs: Double?
    }
    struct Frames: Decodable {
      struct Latency: Decodable {
        var p50: Double
        var p95: Double
        var max: Double
      }
      var count: Int
      var trackedSeconds: Double
      var inputToPresentUs: Latency?
      var answers: Int?
      var lateAnswers: Int?
    }
    struct Hitches: Decodable {
      struct Worst: Decodable {
        var frame: Int
        var `class`: String
        var phase: String
        var cause: String
      }
      var count: Int
      var worst: [Worst]?
      var byClass: [String: Int]
    }
    struct Slack: Decodable {
      var steps: Int
      var overruns: Int?
    }
    struct Cells: Decodable, Equatable {
      var dequeued: Int
      var reconfigured: Int
    }
    struct Images: Decodable {
      var requested: Int
      var decoded: Int
      var failed: Int
      var decodedOnRenderThread: Int
      var storeHits: Int
      var storeWrites: Int
      var storeFault: String?
      var uploads: Int
      var uploadedBytes: Int
      var placeholderCellMs: Double?
      var blankCellMs: Double?
    }
    struct Memory: Decodable {
      var residentPeakBytes: Int
      var textureBytes: Int
      var catalogueBytesPerItem: Double?
    }
    struct Process: Decodable {
      var cpuSeconds: Double
      var voluntarySwitches: Int
    }

    var schema: Int
    var version: String
    var display: Display
    var library: Library
    var launch: Launch
    var frames: Frames
    var hitches: Hitches?
    var cells: Cells
    var slack: Slack?
    var images: Images
    var memory: Memory
    var process: Process
    var frameDigest: String?
  }

  /// The figures.
  let figures: Figures
  /// The path of every field, such as `frames.commitUs.p50`; fields of a list's objects under `worst[]`.
  let fields: Set<String>
  /// Those of the fields that are null.
  let nulls: Set<String>

  /// Reads a report's bytes.
  init(_ bytes: [UInt8]) throws {
    figures = try JSONDecoder().decode(Figures.self, from: Data(bytes))
    var (fields, nulls): (Set<String>, Set<String>) = ([], [])
    RunFigures.collect(try JSONSerialization.jsonObject(with: Data(bytes)), at: "", into: &fields, &nulls)
    (self.fields, self.nulls) = (fields, nulls)
  }

  private static func collect(
    _ value: Any, at path: String, into fields: inout Set<String>, _ nulls: inout Set<String>
  ) {
    if let object = value as? [String: Any] {
      for (name, value) in object { collect(value, at: path.isEmpty ? name : "\(path).\(name)", into: &fields, &nulls) }
    } else if let list = value as? [Any] {
      fields.insert(path)
      for value in list { collect(value, at: path + "[]", into: &fields, &nulls) }
    } else {
      fields.insert(path)
      if value is NSNull { nulls.insert(path) }
    }
  }
}
