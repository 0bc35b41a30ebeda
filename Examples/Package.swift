// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target, as in the package next to this one.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The settings of targets whose types are isolated to the main actor.
let mainActor: [SwiftSetting] = common + [.defaultIsolation(MainActor.self)]

/// The products of the package next to this one by their names.
func products(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "vitrine") } }

/// All that a program with pictures, reports and threads has.
let library = products(
  "CollectionUI", "VitrineDeclarative", "VitrineHosting", "VitrineDiagnostics", "VitrineImages", "VitrineThreads")

/// A program that uses the library's public interface alone.
func example(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(name: name, dependencies: library + dependencies, path: folder, swiftSettings: mainActor)
}

/// A program of an article, without settings of the compiler, as in a new package.
func article(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: library, path: name, swiftSettings: [.treatAllWarnings(as: .error)])
}

/// The tests of an example.
func tests(of folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: folder + "Tests",
    dependencies: library + products("VitrineInternals") + ["ExampleSupport"] + dependencies,
    swiftSettings: mainActor)
}

let package = Package(
  name: "Examples",
  products: [
    .executable(name: "SmallestGrid", targets: ["SmallestGrid"]),
    .executable(name: "FirstGrid", targets: ["FirstGrid"]),
    .executable(name: "Photos", targets: ["Photos"]),
    .executable(name: "Dashboard", targets: ["Dashboard"]),
    .executable(name: "vitrine-destinations", targets: ["vitrine-destinations"]),
    .executable(name: "vitrine-emoji", targets: ["vitrine-emoji"]),
    .executable(name: "vitrine-layouts", targets: ["vitrine-layouts"]),
    .executable(name: "vitrine-outline", targets: ["vitrine-outline"]),
    .executable(name: "vitrine-chat", targets: ["vitrine-chat"]),
    .executable(name: "vitrine-calendar", targets: ["vitrine-calendar"]),
    .executable(name: "vitrine-settings", targets: ["vitrine-settings"]),
  ],
  dependencies: [.package(name: "vitrine", path: "..")],
  targets: [
    .target(name: "ExampleSupport", dependencies: library, path: "Support", swiftSettings: mainActor),
    example("SmallestGrid", in: "SmallestGrid"),
    article("FirstGrid"),
    article("Photos"),
    .target(
      name: "Articles", dependencies: library + products("VitrineRemoteImages"), path: "Articles",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    example("Dashboard", in: "Dashboard"),
    // The only example that links the decoders, to show what decoding in the drawing process costs.
    .target(
      name: "DecodingInPlace", dependencies: library + products("VitrineImageDecoding"),
      path: "DecodingInPlace", swiftSettings: common),
    .target(
      name: "PictureServer", dependencies: library + ["ExampleSupport"] + products("VitrineSampleLibrary"),
      path: "PictureServer", swiftSettings: common),
    example(
      "vitrine-destinations", in: "Destinations",
      ["ExampleSupport", "DecodingInPlace", "PictureServer"] + products("VitrineRemoteImages")),
    example("vitrine-emoji", in: "Emoji", ["ExampleSupport"]),
    example("vitrine-layouts", in: "Layouts", ["ExampleSupport"]),
    example("vitrine-outline", in: "Outline", ["ExampleSupport"]),
    example("vitrine-chat", in: "Chat"),
    example("vitrine-calendar", in: "Calendar"),
    example("vitrine-settings", in: "Settings"),
    tests(of: "ExampleSupport", []),
    .testTarget(
      name: "ArticlesTests", dependencies: library + products("VitrineTesting") + ["Articles"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    tests(
      of: "Destinations",
      ["vitrine-destinations", "PictureServer"] + products("vitrine-decode")),
    tests(of: "Emoji", ["vitrine-emoji"]),
    tests(of: "Layouts", ["vitrine-layouts"]),
    tests(of: "Outline", ["vitrine-outline"]),
  ],
  swiftLanguageModes: [.v6]
)
