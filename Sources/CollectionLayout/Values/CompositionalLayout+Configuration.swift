public import Geometry

extension CompositionalLayout {
  /// What holds for all sections of a layout.
  public struct Configuration: Hashable, Sendable {
    /// The axis along which sections follow each other.
    public var scrollDirection: Axis
    /// Between two sections, in points.
    ///
    /// - Precondition: it is finite and not negative; solving the layout stops the program otherwise.
    public var interSectionSpacing: Double
    /// Headers, footers and other views at the edges of the whole content.
    public var boundarySupplementaryItems: [CollectionLayoutBoundarySupplementaryItem]
    /// Which of the environment's insets hold the sides of sections off the container's edges.
    public var contentInsetsReference: ContentInsetsReference

    /// Makes a configuration.
    public init(
      scrollDirection: Axis = .vertical, interSectionSpacing: Double = 0,
      boundarySupplementaryItems: [CollectionLayoutBoundarySupplementaryItem] = [],
      contentInsetsReference: ContentInsetsReference = .safeArea
    ) {
      self.scrollDirection = scrollDirection
      self.interSectionSpacing = interSectionSpacing
      self.boundarySupplementaryItems = boundarySupplementaryItems
      self.contentInsetsReference = contentInsetsReference
    }
  }
}
