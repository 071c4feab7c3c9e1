package schemas_test

import (
	"encoding/json"
	"fmt"

	"github.com/avow-project/avow/schemas"
)

// An editor or a validator of your own takes the schema as it is.
func ExampleAdagents() {
	var schema struct{ Title, Type string }
	err := json.Unmarshal(schemas.Adagents(), &schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schema.Title, schema.Type)

	// Output:
	// adagents.json object
}
