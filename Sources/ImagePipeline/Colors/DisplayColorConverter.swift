import VitrineFramePacing
import VitrineRendering
import VitrineThreads

/// The conversion of finished bitmaps to the colors of the display, on the threads that made them.
///
/// Decoders and the storage on disk deal in sRGB. Every bitmap passes here just before it enters the memory of the program
/// that draws. Without a profile, nothing is done and no thread or process is started.
///
/// Each change of the profile has another revision, and each converted image has the revision of the profile to which it
/// was converted, so that images of an earlier profile are recognized when they arrive.
final class DisplayColorConverter: Sendable {
  /// Returns the table of a profile, or nil if the profile is not usable; called on a thread of its own.
  typealias TableMaker = @Sendable (_ profile: ColorProfile, _ stop: StopSignal) -> ColorTable?

  private enum Conversion {
    /// Bitmaps stay as they are.
    case none
    /// The table is being made.
    case pending
    case table(ColorTable)
  }

  private struct State {
    var revision: UInt32 = 0
    var conversion = Conversion.none
    /// Ends the process that makes the table.
    var stop: StopSignal?
    var isClosed = false
  }

  private let state = Lock(State())
  private let pool: PixelPool?
  private let makeTable: TableMaker

  /// Creates a converter without a profile.
  ///
  /// - Parameters:
  ///   - pool: The pool of the bitmaps' memory.
  ///   - makeTable: Makes the table of a profile.
  init(pool: PixelPool?, makeTable: @escaping TableMaker) {
    self.pool = pool
    self.makeTable = makeTable
  }

  /// Changes the profile of the display.
  ///
  /// Until its table is made, ``convert(_:)`` waits. If the system has no thread or descriptor available, bitmaps stay in
  /// sRGB.
  ///
  /// - Parameter profile: The profile, or nil if the display shows sRGB.
  /// - Returns: The revision of the images that are converted from now on.
  func setProfile(_ profile: ColorProfile?) -> UInt32 {
    let stop = profile == nil ? nil : try? StopSignal()
    let (revision, lastStop) = state.withLock { state -> (UInt32, StopSignal?) in
      let lastStop = state.stop
      state.revision += 1
      state.stop = stop
      state.conversion = stop == nil || state.isClosed ? .none : .pending
      return (state.revision, lastStop)
    }
    lastStop?.raise()
    state.wakeAll()
    guard let profile, let stop else { return revision }
    let (state, makeTable) = (state, makeTable)
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "display colors") {
        let table = makeTable(profile, stop)
        DisplayColorConverter.finish(state, revision, table)
      }
      // It is never waited for when the program ends: the signal ends its process.
      thread.detach()
    } catch {
      DisplayColorConverter.finish(state, revision, nil)
    }
    return revision
  }

  private static func finish(_ state: Lock<State>, _ revision: UInt32, _ table: ColorTable?) {
    state.withLock { state in
      guard state.revision == revision, !state.isClosed else { return }
      state.conversion = table.map { .table($0) } ?? .none
      state.stop = nil
    }
    state.wakeAll()
  }

  /// Whether images may have to be converted.
  var isActive: Bool { state.withLock { $0.revision > 0 } }

  /// Returns a finished image in the colors of the display; waits for the table if it is being made.
  ///
  /// - Complexity: O(pixels) with a profile, and O(1) without one. Never call it on the thread that draws.
  func convert(_ outcome: ImageOutcome) -> ImageOutcome {
    guard case .success(let image) = outcome else { return outcome }
    let (revision, table) = current
    guard revision > 0 else { return outcome }
    guard let bitmap = convert(image.bitmap, table) else { return .failure(.outOfMemory) }
    return .success(image.converted(bitmap, colorRevision: revision))
  }

  /// Returns a frame of an animation in the colors of the display, or nil if there is too little memory.
  func convert(_ frame: AnimationFrame) -> AnimationFrame? {
    convert(frame.bitmap, current.table).map { AnimationFrame(bitmap: $0, duration: frame.duration) }
  }

  private func convert(_ bitmap: Bitmap, _ table: ColorTable?) -> Bitmap? {
    guard let table else { return bitmap }
    return try? table.converted(bitmap, pool: pool)
  }

  /// The current table and its revision.
  private var current: (revision: UInt32, table: ColorTable?) {
    state.wait { state -> (UInt32, ColorTable?)? in
      switch state.conversion {
      case .none: (state.revision, nil)
      case .pending: nil
      case .table(let table): (state.revision, table)
      }
    }
  }

  /// Ends the making of a table, and all waiting for it.
  func close() {
    let stop = state.withLock { state -> StopSignal? in
      state.isClosed = true
      state.conversion = .none
      defer { state.stop = nil }
      return state.stop
    }
    stop?.raise()
    state.wakeAll()
  }
}

/// A reader of the frames of an animation in the colors of the display.
final class DisplayAnimationReader: AnimationReader {
  private let reader: any AnimationReader
  private let converter: DisplayColorConverter

  /// Creates a reader that converts the frames of another one.
  init(_ reader: any AnimationReader, converter: DisplayColorConverter) {
    self.reader = reader
    self.converter = converter
  }

  func nextFrame() throws(ImageFailure) -> AnimationFrame? {
    guard let frame = try reader.nextFrame() else { return nil }
    guard let converted = converter.convert(frame) else { throw .outOfMemory }
    return converted
  }

  func interrupt() { reader.interrupt() }

  func close() { reader.close() }
}
