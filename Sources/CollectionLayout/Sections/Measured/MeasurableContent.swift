/// Rules of a section whose cells are asked for their sizes.
protocol MeasurableContent: SectionContent {
  /// The rules of one group in a room.
  func measurableGroup(in room: SectionRoom) -> any MeasurableGroup
}
