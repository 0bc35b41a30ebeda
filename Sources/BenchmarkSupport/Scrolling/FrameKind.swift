/// Frames of a scroll by what they have to do: the distinctions that the benchmarks of Android's RecyclerView make.
public enum FrameKind: CaseIterable, Hashable, Sendable {
  /// The content moves, and the same cells are on screen.
  case offsetOnly
  /// Cells leave, and wait for their items or go to the pool.
  case leaving
  /// Cells that wait, prepared, come on screen.
  case bind
  /// Pooled cells are configured in the frame and come on screen.
  case reuse
  /// Cells are made and configured in the frame and come on screen.
  case create
  /// A decoded picture arrives for an item on screen.
  case arrival

  /// The name in the table.
  public var label: String {
    switch self {
    case .offsetOnly: "offset only"
    case .leaving: "cells leave"
    case .bind: "bind: waiting cells enter"
    case .reuse: "reuse and bind"
    case .create: "create and bind"
    case .arrival: "decode: a picture arrives"
    }
  }

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .offsetOnly: "quiet"
    case .leaving: "leaving"
    case .bind: "bind"
    case .reuse: "reuse"
    case .create: "create"
    case .arrival: "arrival"
    }
  }

  /// How many instructions a frame may take from update to upload; nothing where no aim is set.
  ///
  /// - Parameter entered: how many cells came on screen.
  public func instructionAim(entered: Int) -> Aim? {
    switch self {
    case .offsetOnly: Aim(.count, 12_000)
    case .bind: entered > 0 && entered <= 8 ? Aim(.count, 120_000) : nil
    case .leaving, .reuse, .create, .arrival: nil
    }
  }

  /// How often a frame may do a kind of call; nothing where no aim is set.
  ///
  /// None asks for memory; one reference is counted up, and down again.
  public func callAim(_ call: RuntimeCall) -> Aim? {
    self == .offsetOnly ? Aim(.count, call == .allocation ? 0 : 1) : nil
  }

  /// The most that instructions may be of those for the smallest number of items; nothing where they may grow.
  public var growthAim: Double? { self == .offsetOnly || self == .bind ? 1.05 : nil }
}
