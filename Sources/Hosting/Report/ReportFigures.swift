/// Where a run was drawn.
public struct DisplayFigures: Encodable {
  var driver: String
  var renderer: String
  var rendererReason: String?
  var device: String?
  var clock: String
  var clockReason: String
  var refreshHz: Double
  var widthPoints: Double
  var heightPoints: Double
  var scale: Double
}

/// What a run showed.
public struct LibraryFigures: Encodable {
  var items: Int
  var sections: Int
  var failed: Int

  /// Makes figures: items in all, in so many sections, and those without a picture.
  public init(items: Int, sections: Int, failed: Int) {
    self.items = items
    self.sections = sections
    self.failed = failed
  }
}

/// How long a program took to be there, in milliseconds of wall time.
public struct LaunchFigures: Encodable {
  var firstFrameMs: Double?
  var firstFullScreenMs: Double?
}

/// The frames of a run.
public struct FrameFigures: Encodable {
  var count: Int
  var trackedSeconds: Double
  var commitUs: Quantiles?
  var overrunUs: Quantiles?
  var phasesUs: [String: PhaseQuantiles]?
}

/// Percentiles in microseconds.
public struct Quantiles: Encodable {
  var p50: Double
  var p95: Double
  var p99: Double
  var max: Double
}

/// Percentiles of one phase in microseconds.
public struct PhaseQuantiles: Encodable {
  var p50: Double
  var p99: Double
}

/// Frames that were shown late.
public struct HitchFigures: Encodable {
  var count: Int
  var totalMs: Double
  var ratioMsPerS: Double
  var longestMs: Double
  var byClass: [String: Int]
  var worst: [WorstHitch]
}

/// One of the latest frames.
public struct WorstHitch: Encodable {
  var frame: Int
  var ms: Double
  var `class`: String
  var phase: String
}

/// The lives of cells.
public struct CellFigures: Encodable {
  var created: Int
  var dequeued: Int
  var reused: Int
  var prepared: Int
  var displayed: Int
  var reconfigured: Int
  var visible: Int
  var pooled: Int

  /// Makes figures.
  public init(
    created: Int, dequeued: Int, reused: Int, prepared: Int, displayed: Int, reconfigured: Int, visible: Int,
    pooled: Int
  ) {
    self.created = created
    self.dequeued = dequeued
    self.reused = reused
    self.prepared = prepared
    self.displayed = displayed
    self.reconfigured = reconfigured
    self.visible = visible
    self.pooled = pooled
  }
}

/// Pictures on their way to the screen.
public struct ImageFigures: Encodable {
  /// Percentiles of the time that decoding took, in milliseconds.
  public struct DecodeQuantiles: Encodable {
    var p50: Double
    var p99: Double
  }

  /// Requests made.
  public var requested = 0
  /// Requests that joined one under way.
  public var coalesced = 0
  /// Requests that were given up.
  public var cancelled = 0
  /// Pictures decoded.
  public var decoded = 0
  /// Pictures that could not be.
  public var failed = 0
  /// Decodings on the thread that draws.
  public var decodedOnRenderThread = 0
  /// Requests answered from memory.
  public var memoryHits = 0
  /// Textures made.
  public var uploads = 0
  /// Their bytes.
  public var uploadedBytes = 0
  /// How long decoding took.
  public var decodeMs: DecodeQuantiles?
  /// Visible cells showing a preview or a surface in place of their picture, times milliseconds.
  public var placeholderCellMs: Double?
  /// The part of it with nothing at all.
  public var blankCellMs: Double?

  /// Makes empty figures.
  public init() {}

  /// Takes the percentiles of decoding, in milliseconds.
  public mutating func setDecodeMs(p50: Double, p99: Double) {
    decodeMs = DecodeQuantiles(p50: RunReport.rounded(p50, 3), p99: RunReport.rounded(p99, 3))
  }
}

/// Bytes of the drawing process.
public struct MemoryFigures: Encodable {
  var residentPeakBytes: Int
  var bitmapBytes: Int?
  var textureBytes: Int
  var catalogueBytesPerItem: Double?
}

/// What the kernel counted for the drawing process.
public struct ProcessReport: Encodable {
  var cpuSeconds: Double
  var voluntarySwitches: Int
}
