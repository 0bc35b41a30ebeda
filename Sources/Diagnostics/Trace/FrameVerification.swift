import CVitrinePlatform
import VitrineFramePacing
import VitrineGeometry
import VitrineHosting
import VitrineRendering
import VitrineViews

/// A log with one line per frame, for programs that compare frames.
///
/// The columns are separated by tabs. Times are in nanoseconds on the run's clock, which is CLOCK_MONOTONIC in real
/// time. `-` marks a missing value.
struct FrameLog {
  /// The header line with the names of the columns.
  static let header =
    "frame\ttarget\tstart\tcommitted\tpresent_start\tpresented\tshown\tinput\thitch\tclass\ttracked\tfirst\tallocations\n"
  /// The number of bytes that are buffered before they are written.
  private static let flushThreshold = 1 << 20

  /// The path of the file, or `-` for standard output.
  let destination: String

  /// Returns the line of a frame.
  static func line(of record: FrameRecord) -> String {
    let times = [
      record.target, record.start, record.phaseEnds[FramePhase.raster.rawValue], record.presentStart,
      record.phaseEnds[FramePhase.present.rawValue], record.shown,
    ]
    let columns =
      ["\(record.index)"] + times.map { "\($0.nanoseconds)" } + [
        record.inputInstant.map { "\($0.nanoseconds)" } ?? "-", "\(record.hitch.nanoseconds)", record.hitchClass.name,
        record.isTracked ? "1" : "0", record.isFirstAfterIdle ? "1" : "0",
        record.allocations.map { "\($0)" } ?? "-",
      ]
    return columns.joined(separator: "\t") + "\n"
  }

  /// Writes all frames of a history, oldest first.
  ///
  /// - Throws: `OutputError` if the log cannot be written.
  /// - Complexity: O(frames).
  func write(_ history: FrameHistory) throws(OutputError) {
    let file = try OutputFile(destination)
    var text = FrameLog.header
    for age in (0..<history.availableCount).reversed() {
      text += FrameLog.line(of: history.record(atAge: age))
      guard text.utf8.count >= FrameLog.flushThreshold else { continue }
      try file.write(text.utf8)
      text = ""
    }
    try file.write(text.utf8)
    try file.close()
  }
}

/// A probe that counts the drawing thread's allocations in phases 1 to 7 and notifies an external observer of their
/// start and end.
final class FrameProbe: CommitProbe {
  private let count: (() -> UInt64)?
  private let observer: ExternalFrameObserver?
  private var countBefore: UInt64 = 0

  /// Creates a probe, or returns nil if there is neither a counter nor an observer.
  ///
  /// - Parameters:
  ///   - count: Returns the number of allocations of the calling thread so far.
  ///   - observer: The observer to notify.
  init?(count: (() -> UInt64)?, observer: ExternalFrameObserver?) {
    guard count != nil || observer != nil else { return nil }
    self.count = count
    self.observer = observer
  }

  func commitWillBegin(frame: Int) {
    observer?.frameWillBegin(UInt32(truncatingIfNeeded: frame))
    if let count { countBefore = count() }
  }

  func commitDidEnd(frame: Int) -> Int32? {
    let after = count?()
    observer?.frameDidCommit(UInt32(truncatingIfNeeded: frame))
    return after.map { Int32(truncatingIfNeeded: $0 &- countBefore) }
  }
}

/// An observer outside the program that is called at the start and the end of phases 1 to 7 of each frame.
///
/// It is a library, loaded by `LD_PRELOAD`, that exports the functions `vitrine_frame_begins` and
/// `vitrine_frame_committed`. Both receive the frame's number.
struct ExternalFrameObserver {
  /// Called when phase 1 begins.
  let frameWillBegin: @convention(c) (UInt32) -> Void
  /// Called when phase 7 ends.
  let frameDidCommit: @convention(c) (UInt32) -> Void

  /// Looks up the functions.
  ///
  /// Returns nil if no library exports them.
  init?() {
    guard let begins = platform_find_frame_mark("vitrine_frame_begins"),
      let committed = platform_find_frame_mark("vitrine_frame_committed")
    else { return nil }
    self.frameWillBegin = begins
    self.frameDidCommit = committed
  }
}

/// A frame's number as a row of black and white cells, which external programs read from the window's pixels.
///
/// The first cell is white and the second black. Sixteen cells follow for the number's low bits, most significant
/// first, and four for a checksum: the exclusive or of the number's nibbles and 1010.
struct FrameNumberStripe: Hashable {
  /// The number of cells.
  static let cellCount = 22
  /// The side length of a cell in points.
  static let cellSize = 8.0
  /// The number of different stripes, after which they repeat.
  static let numberCount = 1 << 16

  /// The cells as bits, with the first in bit 21.
  ///
  /// 1 is white.
  let cells: UInt32

  /// Creates the stripe of a frame.
  ///
  /// - Parameter number: The frame's number, of which the low 16 bits are used.
  init(number: Int) {
    let bits = UInt32(truncatingIfNeeded: number) & 0xFFFF
    cells = 0b10 << 20 | bits << 4 | FrameNumberStripe.checksum(of: bits)
  }

  /// Creates a stripe from cells that were read from an image.
  init(cells: UInt32) { self.cells = cells }

  /// The low 16 bits of the frame's number, or nil if the cells are not a valid stripe.
  var number: Int? {
    let bits = cells >> 4 & 0xFFFF
    return cells >> 20 == 0b10 && cells & 0xF == FrameNumberStripe.checksum(of: bits) ? Int(bits) : nil
  }

  /// Returns whether a cell is white.
  func isWhite(_ index: Int) -> Bool { cells >> UInt32(FrameNumberStripe.cellCount - 1 - index) & 1 == 1 }

  private static func checksum(of bits: UInt32) -> UInt32 { (bits >> 12 ^ bits >> 8 ^ bits >> 4 ^ bits ^ 0b1010) & 0xF }
}

/// A view that draws the frame's number at the window's top and bottom, for external frame verification.
///
/// The number is drawn twice so that a partly shown frame can be detected. Drawing does not allocate.
final class FrameNumberStripeView: View {
  /// The loop whose frames are numbered.
  weak var loop: CommitLoop?

  init() {
    super.init()
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    // The history receives a record when its frame ends, so its count is the number of the current frame.
    guard let loop else { return }
    let stripe = FrameNumberStripe(number: loop.history.count)
    draw(stripe, y: 0, in: context)
    draw(stripe, y: bounds.height - FrameNumberStripe.cellSize, in: context)
  }

  private func draw(_ stripe: FrameNumberStripe, y: Double, in context: DrawContext) {
    let cell = FrameNumberStripe.cellSize
    context.fill(
      Rect(x: 0, y: y, width: Double(FrameNumberStripe.cellCount) * cell, height: cell), Color(hex: 0x000000))
    for index in 0..<FrameNumberStripe.cellCount where stripe.isWhite(index) {
      context.fill(Rect(x: Double(index) * cell, y: y, width: cell, height: cell), .white)
    }
  }
}
