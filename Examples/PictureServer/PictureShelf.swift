import Foundation
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
    var failure: String?
    var isClosed = false
  }

  /// How many pictures there are.
  public let count: Int
  private let album: SceneAlbum
  private let longSide: Int
  private let names: [String]
  private let paths: [String]
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
    paths = []
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
    paths = []
    var state = State(unpainted: [])
    for (number, file) in files.enumerated() { state.files[number] = file.bytes }
    self.state = Lock(state)
  }

  /// Makes a shelf of files, which are read when they are asked for.
  public init(files paths: [String]) {
    count = paths.count
    longSide = 0
    album = SceneAlbum(seed: 0)
    names = paths.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
    self.paths = paths
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
  /// - Throws: `ThreadError` where the system has none to give.
  public func open(painters: Int) throws {
    guard names.isEmpty else { return }
    for _ in 0..<painters {
      let thread = try WorkerThread(name: "painter", isLowPriority: false) { [self] in paint(by: LandscapePainter()) }
      threads.withLock { $0.append(thread) }
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
    if !paths.isEmpty { return FileManager.default.contents(atPath: paths[number]).map(Array.init) }
    state.withLock { state in
      if state.files[number] == nil { state.wanted.append(number) }
    }
    return state.wait { state -> [UInt8]?? in
      if let file = state.files[number] { return .some(file) }
      return state.isClosed || state.failure != nil ? .some(nil) : .none
    }
  }

  /// Waits until all are painted.
  ///
  /// - Returns: whether they are.
  public func paintAll() -> Bool {
    guard paths.isEmpty else { return true }
    return state.wait { state in
      state.files.count == self.count ? true : state.isClosed || state.failure != nil ? false : nil
    }
  }

  /// Paints no more, and waits for the threads: at most as long as some rows of a picture take.
  public func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
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
      state.wakeAll()
    }
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
