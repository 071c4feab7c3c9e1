package iso3166

// eea lists the European Economic Area: the European Union and the three EFTA
// states that take part. Switzerland does not.
var eea = append([]string{"IS", "LI", "NO"}, union...)

// union lists the members of the European Union.
var union = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
	"IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}

// euro lists the members of the Union that use the euro.
var euro = []string{
	"AT", "BE", "BG", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT",
	"LU", "LV", "MT", "NL", "PT", "SI", "SK",
}

const (
	adviceMembers  = "a region is not a country: list the member countries one by one"
	adviceWorld    = "leave the countries list out to mean every country"
	adviceNoRegion = "a region without a fixed membership is not a country: list the countries you mean one by one"
)

// region is a grouping people write where a country belongs.
type region struct {
	text    string
	members []string
}

// regions is keyed by the upper-case spelling without spaces, hyphens, underscores or
// slashes. Members are given only where everyone agrees on them; a guess at EMEA would
// authorize sales that the publisher did not ask for.
var regions = map[string]region{
	"EU":            {adviceMembers, union},
	"EUROPEANUNION": {adviceMembers, union},
	"EEA":           {adviceMembers, eea},
	"EZ":            {adviceMembers, euro},
	"EUROZONE":      {adviceMembers, euro},
	"EFTA":          {adviceMembers, []string{"CH", "IS", "LI", "NO"}},
	"DACH":          {adviceMembers, []string{"AT", "CH", "DE"}},
	"BENELUX":       {adviceMembers, []string{"BE", "LU", "NL"}},
	"ANZ":           {adviceMembers, []string{"AU", "NZ"}},
	"NORDICS":       {adviceMembers, []string{"DK", "FI", "IS", "NO", "SE"}},
	"NORDIC":        {adviceMembers, []string{"DK", "FI", "IS", "NO", "SE"}},
	"BALTICS":       {adviceMembers, []string{"EE", "LT", "LV"}},
	"BALTIC":        {adviceMembers, []string{"EE", "LT", "LV"}},
	"SCANDINAVIA":   {adviceMembers, []string{"DK", "NO", "SE"}},
	"IBERIA":        {adviceMembers, []string{"ES", "PT"}},
	"GCC":           {adviceMembers, []string{"AE", "BH", "KW", "OM", "QA", "SA"}},
	"UKI":           {adviceMembers, []string{"GB", "IE"}},
	"USMCA":         {adviceMembers, []string{"CA", "MX", "US"}},
	"NAFTA":         {adviceMembers, []string{"CA", "MX", "US"}},
	"ASEAN":         {adviceNoRegion, nil},
	"EMEA":          {adviceNoRegion, nil},
	"LATAM":         {adviceNoRegion, nil},
	"LAC":           {adviceNoRegion, nil},
	"APAC":          {adviceNoRegion, nil},
	"APJ":           {adviceNoRegion, nil},
	"JAPAC":         {adviceNoRegion, nil},
	"AP":            {adviceNoRegion, nil},
	"MENA":          {adviceNoRegion, nil},
	"MEA":           {adviceNoRegion, nil},
	"SSA":           {adviceNoRegion, nil},
	"SEA":           {adviceNoRegion, nil},
	"CEE":           {adviceNoRegion, nil},
	"CIS":           {adviceNoRegion, nil},
	"NOAM":          {adviceNoRegion, nil},
	"NORAM":         {adviceNoRegion, nil},
	"AMER":          {adviceNoRegion, nil},
	"AMERS":         {adviceNoRegion, nil},
	"AMERICAS":      {adviceNoRegion, nil},
	"NORTHAMERICA":  {adviceNoRegion, nil},
	"SOUTHAMERICA":  {adviceNoRegion, nil},
	"LATINAMERICA":  {adviceNoRegion, nil},
	"EUROPE":        {adviceNoRegion, nil},
	"ASIA":          {adviceNoRegion, nil},
	"AFRICA":        {adviceNoRegion, nil},
	"OCEANIA":       {adviceNoRegion, nil},
	"MIDDLEEAST":    {adviceNoRegion, nil},
	"ASIAPACIFIC":   {adviceNoRegion, nil},
	"UN":            {adviceNoRegion, nil},
	"WW":            {adviceWorld, nil},
	"GLOBAL":        {adviceWorld, nil},
	"WORLD":         {adviceWorld, nil},
	"WORLDWIDE":     {adviceWorld, nil},
	"INTERNATIONAL": {adviceWorld, nil},
	"INTL":          {adviceWorld, nil},
	"ALL":           {adviceWorld, nil},
	"ANY":           {adviceWorld, nil},
	"*":             {adviceWorld, nil},
	"ROW":           {"the rest of the world depends on what else is listed: list the countries you mean one by one", nil},
}

// replacement is a reserved or withdrawn code with one or more successors.
type replacement struct {
	text       string
	successors []string
}

// replacements covers the codes ISO keeps in reserve for a country that has
// another code, and the ones it withdrew. With a single successor the intent is
// clear; with several the publisher has to choose.
var replacements = map[string]replacement{
	"UK": {"the assigned code of the United Kingdom is GB", []string{"GB"}},
	"EL": {"EL is used inside the European Union only; the assigned code of Greece is GR", []string{"GR"}},
	"TP": {"East Timor became Timor-Leste, TL", []string{"TL"}},
	"BU": {"Burma became Myanmar, MM", []string{"MM"}},
	"ZR": {"Zaire became the Democratic Republic of the Congo, CD", []string{"CD"}},
	"DD": {"the German Democratic Republic became part of Germany, DE", []string{"DE"}},
	"FX": {"metropolitan France is part of France, FR", []string{"FR"}},
	"DY": {"Dahomey became Benin, BJ", []string{"BJ"}},
	"HV": {"Upper Volta became Burkina Faso, BF", []string{"BF"}},
	"RH": {"Southern Rhodesia became Zimbabwe, ZW", []string{"ZW"}},
	"NH": {"the New Hebrides became Vanuatu, VU", []string{"VU"}},
	"VD": {"North Viet Nam became part of Viet Nam, VN", []string{"VN"}},
	"YD": {"South Yemen became part of Yemen, YE", []string{"YE"}},
	"AC": {"Ascension Island is covered by SH", []string{"SH"}},
	"TA": {"Tristan da Cunha is covered by SH", []string{"SH"}},
	"IC": {"the Canary Islands are part of Spain, ES", []string{"ES"}},
	"EA": {"Ceuta and Melilla are part of Spain, ES", []string{"ES"}},
	"CP": {"Clipperton Island belongs to France, FR", []string{"FR"}},
	"DG": {"Diego Garcia is covered by IO", []string{"IO"}},
	"SF": {"the assigned code of Finland is FI", []string{"FI"}},
	"AN": {"the Netherlands Antilles were divided: choose among BQ, CW and SX", []string{"BQ", "CW", "SX"}},
	"CS": {
		"CS was withdrawn: choose RS or ME for Serbia and Montenegro, CZ or SK for Czechoslovakia",
		[]string{"CZ", "ME", "RS", "SK"},
	},
	"YU": {
		"Yugoslavia was divided: choose among BA, HR, ME, MK, RS and SI",
		[]string{"BA", "HR", "ME", "MK", "RS", "SI"},
	},
	"SU": {
		"the Soviet Union was divided: list the successor states you mean",
		[]string{"AM", "AZ", "BY", "EE", "GE", "KG", "KZ", "LT", "LV", "MD", "RU", "TJ", "TM", "UA", "UZ"},
	},
}

// aliases maps a folded name or a familiar abbreviation to its code, for
// spellings that differ from the short name in the table.
var aliases = map[string]string{
	"america":                  "US",
	"bolivarian republic":      "VE",
	"brasil":                   "BR",
	"britain":                  "GB",
	"burma":                    "MM",
	"cape verde":               "CV",
	"congo democratic":         "CD",
	"czech republic":           "CZ",
	"deutschland":              "DE",
	"dprk":                     "KP",
	"east timor":               "TL",
	"england":                  "GB",
	"espana":                   "ES",
	"ger":                      "DE",
	"great britain":            "GB",
	"holland":                  "NL",
	"hong kong sar":            "HK",
	"iran islamic republic":    "IR",
	"italia":                   "IT",
	"ivory coast":              "CI",
	"korea":                    "KR",
	"macau":                    "MO",
	"macedonia":                "MK",
	"mainland china":           "CN",
	"ned":                      "NL",
	"nippon":                   "JP",
	"northern ireland":         "GB",
	"osterreich":               "AT",
	"peoples republic china":   "CN",
	"polska":                   "PL",
	"prc":                      "CN",
	"republic ireland":         "IE",
	"republic korea":           "KR",
	"russian federation":       "RU",
	"schweiz":                  "CH",
	"scotland":                 "GB",
	"sui":                      "CH",
	"swaziland":                "SZ",
	"syrian arab republic":     "SY",
	"turkey":                   "TR",
	"u s":                      "US",
	"u s a":                    "US",
	"uae":                      "AE",
	"united kingdom britain":   "GB",
	"united states america":    "US",
	"vatican":                  "VA",
	"vatican city":             "VA",
	"vietnam":                  "VN",
	"wales":                    "GB",
	"zaire":                    "CD",
	"republic of south africa": "ZA",
}
