/// The initial data of the store.
nonisolated enum SampleContinents {
  /// A destination of the sample data.
  struct Place: Sendable {
    var name: String
    var latitude: Int
    var longitude: Int
    var landscapeKind: LandscapeKind
    var isFavorite = false

    init(_ name: String, _ latitude: Int, _ longitude: Int, _ landscapeKind: LandscapeKind, favorite: Bool = false) {
      self.name = name
      self.latitude = latitude
      self.longitude = longitude
      self.landscapeKind = landscapeKind
      isFavorite = favorite
    }
  }

  /// A continent with its regions and their destinations.
  typealias ContinentData = (name: String, regions: [(name: String, places: [Place])])

  static let all: [ContinentData] = [europe, asia, africa, americas, oceania]

  private static let europe: ContinentData = (
    "Europe",
    [
      (
        "Iceland",
        [
          Place("Vík", 63, -19, .coast, favorite: true), Place("Húsavík", 66, -17, .coast),
          Place("Landmannalaugar", 64, -19, .mountains), Place("Jökulsárlón", 64, -16, .ice),
        ]
      ),
      (
        "Dolomites",
        [
          Place("Tre Cime", 47, 12, .mountains, favorite: true), Place("Seceda", 47, 12, .mountains),
          Place("Lago di Braies", 47, 12, .lake),
        ]
      ),
      (
        "Lofoten",
        [
          Place("Reine", 68, 13, .coast, favorite: true), Place("Henningsvær", 68, 14, .coast),
          Place("Nusfjord", 68, 13, .coast),
        ]
      ),
      (
        "Azores",
        [Place("Furnas", 38, -25, .forest), Place("Sete Cidades", 38, -26, .lake), Place("Pico", 38, -28, .mountains)]
      ),
    ]
  )

  private static let asia: ContinentData = (
    "Asia",
    [
      (
        "Hokkaidō",
        [Place("Furano", 43, 142, .forest), Place("Shiretoko", 44, 145, .coast), Place("Biei", 44, 142, .lake)]
      ),
      (
        "Kansai",
        [
          Place("Kyōto", 35, 136, .town, favorite: true), Place("Nara", 35, 136, .forest),
          Place("Kōya-san", 34, 136, .forest),
        ]
      ),
      (
        "Rajasthan",
        [
          Place("Jaipur", 27, 76, .town), Place("Jodhpur", 26, 73, .town), Place("Jaisalmer", 27, 71, .desert),
        ]
      ),
      ("Pamir", [Place("Karakul", 39, 73, .lake), Place("Wakhan", 37, 73, .mountains)]),
    ]
  )

  private static let africa: ContinentData = (
    "Africa",
    [
      (
        "Namib",
        [
          Place("Sossusvlei", -25, 15, .desert, favorite: true), Place("Kolmanskop", -27, 15, .desert),
          Place("Swakopmund", -23, 15, .coast),
        ]
      ),
      (
        "High Atlas",
        [Place("Imlil", 31, -8, .mountains), Place("Aït Benhaddou", 31, -7, .town), Place("Tafraout", 30, -9, .desert)]
      ),
      ("Winelands", [Place("Stellenbosch", -34, 19, .mountains), Place("Franschhoek", -34, 19, .forest)]),
    ]
  )

  private static let americas: ContinentData = (
    "The Americas",
    [
      (
        "Patagonia",
        [
          Place("El Chaltén", -49, -73, .mountains, favorite: true), Place("Torres del Paine", -51, -73, .ice),
          Place("Ushuaia", -55, -68, .coast),
        ]
      ),
      (
        "Atacama",
        [Place("San Pedro", -23, -68, .desert), Place("Valle de la Luna", -23, -68, .desert)]
      ),
      (
        "Nova Scotia",
        [
          Place("Lunenburg", 44, -64, .town), Place("Peggys Cove", 44, -64, .coast),
          Place("Cape Breton", 46, -60, .forest),
        ]
      ),
    ]
  )

  private static let oceania: ContinentData = (
    "Oceania",
    [
      (
        "Fiordland",
        [
          Place("Milford Sound", -45, 168, .coast, favorite: true), Place("Te Anau", -45, 168, .lake),
          Place("Doubtful Sound", -45, 167, .forest),
        ]
      ),
      (
        "Tasmania",
        [Place("Cradle Mountain", -42, 146, .mountains), Place("Bruny Island", -43, 147, .coast)]
      ),
    ]
  )
}
