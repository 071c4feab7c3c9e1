package packaging

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// vsixPrefix is how the name of the extension of VS Code begins.
const vsixPrefix = "avow-vscode-"

// vscodeFiles are what the extension consists of.
var vscodeFiles = []string{"package.json", "extension.js", "client.js", "README.md"}

// vscode makes the extension of VS Code: an archive with the extension in a folder, a manifest about
// it, and a list of the types of its files.
func (r *release) vscode() error {
	var files []file
	for _, name := range vscodeFiles {
		content, err := os.ReadFile(filepath.Join(r.source, "packages", "vscode", name))
		if err != nil {
			return err
		}
		files = append(files, file{name, 0o644, content})
	}
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return err
	}
	files = append(files, file{"LICENSE.txt", 0o644, license})
	description := &files[0].content
	if strings.Count(string(*description), sourceVersion) != 1 {
		return fmt.Errorf("packages/vscode/package.json does not have %s", sourceVersion)
	}
	*description = []byte(strings.Replace(string(*description), sourceVersion, fmt.Sprintf(`"version": %q`, r.version), 1))
	var version bytes.Buffer
	err = xml.EscapeText(&version, []byte(r.version))
	if err != nil {
		return err
	}
	files = append(
		inFolder("extension", files),
		file{"[Content_Types].xml", 0o644, []byte(vsixTypes)},
		file{"extension.vsixmanifest", 0o644, []byte(strings.Replace(vsixManifest, "VERSION", version.String(), 1))},
	)
	content, err := r.zipped(files)
	if err != nil {
		return err
	}
	return r.write(vsixPrefix+r.version+".vsix", content)
}

const vsixTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".txt" ContentType="text/plain"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`

const vsixManifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="avow" Version="VERSION" Publisher="avow-project"/>
<DisplayName>avow: adagents.json</DisplayName>
<Description xml:space="preserve">Checks adagents.json while you type, with completion, fixes, rename and formatting.</Description>
<Categories>Linters,Formatters,Programming Languages</Categories>
<License>extension/LICENSE.txt</License>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.82.0"/>
</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
</Assets>
</PackageManifest>
`
