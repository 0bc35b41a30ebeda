import Observation
import VitrineDeclarative

/// The settings of a program, and which of them are on.
@Observable
final class SettingsModel {
  /// A setting, or a title of a group.
  struct Row: Identifiable {
    var id: String
    var detail = ""
    var isTitle = false
  }

  /// The settings, in groups.
  let rows = [
    Row(id: "Appearance", isTitle: true),
    Row(id: "Light colors", detail: "Dark text on light backgrounds"),
    Row(id: "Large text"),
    Row(id: "Behavior", isTitle: true),
    Row(id: "Open the last folder", detail: "When the program starts"),
    Row(id: "Ask before deleting"),
    Row(id: "Keep previews", detail: "For folders that are offline"),
    Row(id: "Advanced", isTitle: true),
    Row(id: "Read-only", detail: "Never move or rename photographs"),
    Row(id: "Write a report", detail: "After each run"),
  ]
  /// The settings that are on.
  var enabled: Set<String> = ["Open the last folder", "Keep previews"]

  /// Turns a setting on or off.
  func toggle(_ row: Row) {
    guard !row.isTitle else { return }
    if enabled.remove(row.id) == nil { enabled.insert(row.id) }
  }
}

/// A list of settings: a row is turned on and off by a click or the space bar's Return.
///
/// Only what a row reads is observed: a click configures one cell again.
@main
struct SettingsExample: CollectionProgram {
  let title = "Settings"
  private let model = SettingsModel()

  var content: some CollectionContent {
    CollectionList(model.rows, id: \.id, appearance: .insetGrouped) { row in
      var content = row.isTitle ? ListContentConfiguration.groupedHeader : ListContentConfiguration()
      content.text = row.isTitle ? row.id.uppercased() : row.id
      content.secondaryText = row.detail
      if !row.isTitle, model.enabled.contains("Large text") { content.textProperties.style.size = 19 }
      return content
    }
    .sections { $0.isTitle }
    .accessories { row in
      if row.isTitle { return [] }
      return model.enabled.contains(row.id) ? [.label("On"), .checkmark] : [.label("Off")]
    }
    .onSelect { model.toggle($0) }
  }
}
