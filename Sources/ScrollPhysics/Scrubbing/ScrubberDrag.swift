/// Where the thumb is while a pointer drags it.
///
/// At full gain the thumb follows the pointer, and reaches an end where the pointer does; where it was left behind in
/// finer steps it comes back to the pointer on the way there, without a jump. In finer steps it goes a part of the
/// pointer's way.
public struct ScrubberDrag: Hashable, Sendable {
  /// Where the thumb is, as a share of its way, 0 to 1.
  public private(set) var share: Double
  /// How far it goes for the pointer's way.
  public private(set) var gain = ScrubberGain.whole
  /// Where the pointer is, as a share of the same way.
  private var pointer: Double

  /// Begins where the thumb is taken hold of.
  ///
  /// - Parameters:
  ///   - share: where the thumb is.
  ///   - pointer: where it would be if it followed the pointer.
  public init(share: Double, pointer: Double) {
    self.share = ScrubberDrag.bounded(share)
    self.pointer = ScrubberDrag.bounded(pointer)
  }

  /// The pointer moves.
  ///
  /// - Parameters:
  ///   - place: where the thumb would be if it followed; what is no number moves nothing.
  ///   - gain: by how far the pointer is from the edge.
  public mutating func move(to place: Double, gain: ScrubberGain) {
    guard !place.isNaN else { return }
    let place = ScrubberDrag.bounded(place)
    self.gain = gain
    if gain != .whole {
      share = ScrubberDrag.bounded(share + (place - pointer) * gain.rawValue)
    } else if place > pointer {
      share = place == 1 ? 1 : ScrubberDrag.bounded(1 - (1 - share) * (1 - place) / (1 - pointer))
    } else if place < pointer {
      share = ScrubberDrag.bounded(share * place / pointer)
    }
    pointer = place
  }

  /// The content has another length, or was moved by somebody else: the thumb is elsewhere.
  public mutating func takeShare(_ share: Double) { self.share = ScrubberDrag.bounded(share) }

  private static func bounded(_ share: Double) -> Double { share.isNaN ? 0 : max(0, min(1, share)) }
}
