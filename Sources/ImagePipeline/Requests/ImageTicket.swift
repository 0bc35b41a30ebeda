/// One asking for a picture: what its asker gives to move it in the line or to take it back.
///
/// Several may wait for one picture. None is used twice, so that what was taken back cannot come back.
public struct ImageTicket: Hashable, Sendable {
  /// The number, rising in the order of asking.
  let number: UInt64
}
