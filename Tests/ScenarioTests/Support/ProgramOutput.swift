import Foundation
import VitrinePhotoLibrary

/// The report of a run: the figures that the tests use, and the paths of all fields.
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

  /// The decoded figures.
  let figures: Figures
  /// The paths of all fields, such as `frames.commitUs.p50`, with `[]` for the elements of a list.
  let fields: Set<String>
  /// The paths of the fields that are null.
  let nulls: Set<String>

  /// Decodes the bytes of a report.
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

/// The table that `--verdicts` writes.
struct VerdictTable {
  /// A line of the table.
  struct Line: Equatable {
    var path: PhotoPath
    var verdict: String
    var width: Int?
    var height: Int?
    var orientation: Int?
    var reason: String
  }

  /// An error that is thrown if a line is malformed.
  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  /// The lines in their order.
  let lines: [Line]

  /// Parses the table, and rejects every line that does not have the documented format.
  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(description: "the last line has no end") }
    lines = try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 6, ["ok", "error"].contains(fields[1]), let path = PhotoPath(escaped: fields[0]),
        path.escaped == fields[0]
      else { throw Malformed(description: String(line)) }
      return Line(
        path: path, verdict: fields[1], width: Int(fields[2]), height: Int(fields[3]), orientation: Int(fields[4]),
        reason: fields[5])
    }
  }

  /// Returns the line of a file in a folder, or nil.
  func line(_ name: [UInt8], in folder: TemporaryFolder) -> Line? {
    let path = PhotoPath(folder.bytes(of: name))
    return lines.first { $0.path == path }
  }

  /// Returns the line of a file in a folder, or nil.
  func line(_ name: String, in folder: TemporaryFolder) -> Line? { line(Array(name.utf8), in: folder) }
}
