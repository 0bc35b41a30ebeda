import Geometry
import ImagePipeline
import Rendering
import SampleLibrary
import Threads

/// The pictures that the server gives, as files' bytes: of a folder, or painted when they are asked for first.
///
/// Threads of its own paint, those first that somebody waits for. It lives until it is closed.
public final class PictureShelf: Sendable {
  private struct State {
    var wanted: [Int] = []
    var unpainted: [Int]
    var files: [Int: [UInt8]] = [:]
    /// Who is told when a picture is at hand.
    var expected: [Int: [@Sendable () -> Void]] = [:]
    var failure: String?
    var isClosed = false

    /// Whether a picture is there, or will never be.
    func isSettled(_ number: Int) -> Bool { files[number] != nil || isClosed || failure != nil }

    /// Takes those who are to be told by now.
    mutating func takeSettled() -> [@Sendable () -> Void] {
      let numbers = expected.keys.filter(isSettled).sorted()
      return numbers.flatMap { expected.removeValue(forKey: $0) ?? [] }
    }
  }

  /// How many pictures there are.
  public let count: Int
  private let album: SceneAlbum
  private let longSide: Int
  private let names: [String]
  private let sources: [ShelfFile]
  private let state: Lock<State>
  private let threads = Lock<[WorkerThread]>([])

  /// Makes a shelf of painted pictures; nothing is painted yet.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - seed: which ones.
  ///   - longSide: the pixels of the longer side of each.
  public init(painting count: Int, seed: UInt64, longSide: Int = 2_000) {
    self.count = count
    self.longSide = longSide
    album = SceneAlbum(seed: seed)
    names = []
    sources = []
    state = Lock(State(unpainted: Array((0..<count).reversed())))
  }

  /// Makes a shelf of pictures that are there.
  ///
  /// - Parameter files: what they are called, and their bytes.
  public init(_ files: [(name: String, bytes: [UInt8])]) {
    count = files.count
    longSide = 0
    album = SceneAlbum(seed: 0)
    names = files.map(\.name)
    sources = []
    var state = State(unpainted: [])
    for (number, file) in files.enumerated() { state.files[number] = file.bytes }
    self.state = Lock(state)
  }

  /// Makes a shelf of files, which are read when they are asked for.
  public init(files sources: [ShelfFile]) {
    count = sources.count
    longSide = 0
    album = SceneAlbum(seed: 0)
    names = sources.map(\.name)
    self.sources = sources
    state = Lock(State(unpainted: []))
  }

  /// What a picture is called; numbers go round.
  public func title(_ number: Int) -> String {
    guard count > 0 else { return "" }
    return names.isEmpty ? album.scene(at: number % count).title : names[number % count]
  }

  /// Why no more pictures are painted, if none are.
  public var failure: String? { state.withLock { $0.failure } }

  /// Sets threads to painting.
  ///
  /// They work as another machine would, and not on what this one's other programs leave.
  ///
  /// - Parameter painters: how many.
  /// - Throws: `ThreadError` where the system has none to give; the shelf is closed then.
  public func open(painters: Int) throws {
    guard names.isEmpty else { return }
    do {
      for _ in 0..<painters {
        let thread = try WorkerThread(name: "painter") { [self] in paint(by: LandscapePainter()) }
        threads.withLock { $0.append(thread) }
      }
    } catch {
      close()
      throw error
    }
  }

  /// The bytes of a picture; numbers go round.
  ///
  /// Waits until it is painted.
  ///
  /// - Returns: nothing where it cannot be had.
  public func picture(_ number: Int) -> [UInt8]? {
    guard count > 0 else { return nil }
    let number = number % count
    if !sources.isEmpty { return sources[number].read() }
    state.withLock { state in
      if state.files[number] == nil { state.wanted.append(number) }
    }
    return state.wait { state -> [UInt8]?? in
      if let file = state.files[number] { return .some(file) }
      return state.isClosed || state.failure != nil ? .some(nil) : .none
    }
  }

  /// Whether ``picture(_:)`` has not to wait; numbers go round.
  public func isAtHand(_ number: Int) -> Bool {
    guard count > 0, sources.isEmpty else { return true }
    return state.withLock { $0.isSettled(number % count) }
  }

  /// Has something called once when a picture is at hand, or will never be: on any thread, at once where that is so.
  ///
  /// Those that somebody waits for are painted first.
  public func whenAtHand(_ number: Int, _ tell: @escaping @Sendable () -> Void) {
    guard count > 0, sources.isEmpty else { return tell() }
    let number = number % count
    let isSettled = state.withLock { state in
      guard !state.isSettled(number) else { return true }
      state.wanted.append(number)
      state.expected[number, default: []].append(tell)
      return false
    }
    if isSettled { tell() }
  }

  /// Waits until all are painted.
  ///
  /// - Returns: whether they are.
  public func paintAll() -> Bool {
    guard sources.isEmpty else { return true }
    return state.wait { state in
      state.files.count == self.count ? true : state.isClosed || state.failure != nil ? false : nil
    }
  }

  /// Paints no more: who waits for a picture is told that there is none.
  public func stopPainting() {
    state.withLock { $0.isClosed = true }
    tellSettled()
  }

  /// Paints no more, and waits for the threads: at most as long as some rows of a picture take.
  public func close() {
    stopPainting()
    while let thread = threads.withLock({ $0.popLast() }) { thread.join() }
  }

  // MARK: Painting

  private func paint(by painter: LandscapePainter) {
    var encoder: EncodingProcess?
    while let number = claim() {
      do {
        let process = try encoder ?? EncodingProcess.forSamples()
        encoder = process
        let bytes = try process.encode(
          painter.paint(album.scene(at: number), size: size(of: number)) { self.state.withLock { $0.isClosed } },
          quality: 88)
        state.withLock { $0.files[number] = bytes }
      } catch {
        state.withLock { state in
          if !state.isClosed { state.failure = "\(error)" }
        }
      }
      tellSettled()
    }
  }

  private func tellSettled() {
    state.wakeAll()
    for tell in state.withLock({ $0.takeSettled() }) { tell() }
  }

  /// The next picture to paint; nothing when all are, or none are to be.
  private func claim() -> Int? {
    state.withLock { state in
      guard !state.isClosed, state.failure == nil else { return nil }
      while let number = state.wanted.first {
        state.wanted.removeFirst()
        guard let place = state.unpainted.lastIndex(of: number) else { continue }
        return state.unpainted.remove(at: place)
      }
      return state.unpainted.popLast()
    }
  }

  private func size(of number: Int) -> PixelSize {
    let own = album.scene(at: number).size
    let scale = Double(longSide) / Double(max(own.width, own.height))
    return PixelSize(
      width: max(1, Int(Double(own.width) * scale)), height: max(1, Int(Double(own.height) * scale))) ?? own
  }
}
