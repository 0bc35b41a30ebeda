/// Rules that place items by a group that is repeated.
protocol TemplateContent: SectionContent {
  /// Whether other rules are known to place items the same way.
  func hasSameRules(as other: any SectionContent) -> Bool
}
