public import FoundationEssentials
public import VitrineRendering

extension AttributeScopes {
  /// The attributes that labels and text views display.
  ///
  ///     var text = AttributedString("Mild, then ")
  ///     var warning = AttributedString("storms")
  ///     warning.textStyle = TextStyle(size: 15, weight: .semibold)
  ///     warning.foregroundColor = .white
  ///     warning.backgroundColor = Color(hex: 0xB3261E)
  ///     label.attributedText = text + warning
  ///
  /// Foundation's attribute `link` is displayed in the color of links, and underlined.
  public nonisolated struct VitrineAttributes: AttributeScope {
    /// The typeface, weight and size, instead of those of the view.
    public let textStyle: TextStyleAttribute
    /// The color of the text, instead of that of the view.
    public let foregroundColor: ForegroundColorAttribute
    /// The color behind the text.
    public let backgroundColor: BackgroundColorAttribute
    /// The line under the text.
    public let underlineStyle: UnderlineStyleAttribute
    /// The line through the text.
    public let strikethroughStyle: StrikethroughStyleAttribute
    /// The attributes of Foundation.
    public let foundation: FoundationAttributes

    /// The key of the typeface, weight and size.
    public enum TextStyleAttribute: AttributedStringKey {
      /// The type of the values.
      public typealias Value = TextStyle
      /// The name in encoded texts.
      public static let name = "Vitrine.TextStyle"
    }

    /// The key of the color of a text.
    public enum ForegroundColorAttribute: AttributedStringKey {
      /// The type of the values.
      public typealias Value = Color
      /// The name in encoded texts.
      public static let name = "Vitrine.ForegroundColor"
    }

    /// The key of the color behind a text.
    public enum BackgroundColorAttribute: AttributedStringKey {
      /// The type of the values.
      public typealias Value = Color
      /// The name in encoded texts.
      public static let name = "Vitrine.BackgroundColor"
    }

    /// The key of the line under a text.
    public enum UnderlineStyleAttribute: AttributedStringKey {
      /// The type of the values.
      public typealias Value = TextLineStyle
      /// The name in encoded texts.
      public static let name = "Vitrine.UnderlineStyle"
    }

    /// The key of the line through a text.
    public enum StrikethroughStyleAttribute: AttributedStringKey {
      /// The type of the values.
      public typealias Value = TextLineStyle
      /// The name in encoded texts.
      public static let name = "Vitrine.StrikethroughStyle"
    }
  }

  /// The attributes that labels and text views display.
  public nonisolated var vitrine: VitrineAttributes.Type { VitrineAttributes.self }
}

extension AttributeDynamicLookup {
  /// Returns the key of an attribute, for access by its name.
  public nonisolated subscript<Key: AttributedStringKey>(
    dynamicMember path: KeyPath<AttributeScopes.VitrineAttributes, Key>
  ) -> Key { self[Key.self] }
}

/// A link in a displayed text.
nonisolated struct TextLink: Hashable, Sendable {
  /// The bytes of the text.
  var range: Range<Int>
  /// The address.
  var url: URL
}

extension StyledText {
  /// Creates the text that a view displays.
  ///
  /// - Parameters:
  ///   - text: The text with its attributes.
  ///   - style: The style of parts without one.
  ///   - linkColor: The color of links without one, or nil for that of the view.
  /// - Complexity: O(scalars).
  init(_ text: AttributedString, style: TextStyle, linkColor: Color?) {
    var links: [TextLink] = []
    self.init(text, style: style, linkColor: linkColor, links: &links)
  }

  /// Creates the text that a view displays, and appends its links.
  init(_ text: AttributedString, style: TextStyle, linkColor: Color?, links: inout [TextLink]) {
    self.init()
    for run in text.runs {
      let isLink = run.link != nil
      let start = string.utf8.count
      defer { if let url = run.link { links.append(TextLink(range: start..<string.utf8.count, url: url)) } }
      append(
        String(String.UnicodeScalarView(text.unicodeScalars[run.range])),
        Run(
          range: 0..<0, style: run.textStyle ?? style,
          foregroundColor: run.foregroundColor ?? (isLink ? linkColor : nil), backgroundColor: run.backgroundColor,
          underlineStyle: run.underlineStyle ?? (isLink ? .single : nil), strikethroughStyle: run.strikethroughStyle))
    }
  }
}
