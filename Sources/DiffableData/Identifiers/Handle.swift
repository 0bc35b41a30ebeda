/// The number of an identifier in the interner of a snapshot, from 0 on in the order of first appearance.
///
/// Everything but the interner works on these numbers: they are small, compared without calling the identifiers' code,
/// and index arrays.
typealias Handle = Int32

/// Some handles of several.
typealias HandleSlice = ContiguousArray<Handle>.SubSequence
