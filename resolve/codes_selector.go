package resolve

import "github.com/avow-project/avow/adagents"

var selectorCodes = []adagents.Rule{
	{
		Code: "selector.publisher_unreachable", Title: "another publisher's file could not be reached",
		Why:  "The selector matches nothing for this publisher. The others are not affected.",
		Hint: "ask again later",
	},
	{
		Code: "selector.publisher_absent", Title: "another publisher has no file",
		Why: "Selectors are resolved against each publisher's own file. Without one the selector matches nothing for this " +
			"publisher.",
		Hint: "ask the publisher to publish a file or to point to the network's",
	},
	{
		Code: "selector.publisher_withheld", Title: "the file of a selected publisher is not used at present",
		Why: "The publisher answered, and its answer is not used for now. The selector finds nothing there; the rest of " +
			"the listing is not affected.",
		Hint: "avow authorize for that publisher names the cause",
	},
	{
		Code: "selector.publisher_unusable", Title: "another publisher's file must not be used",
		Why:  "The selector matches nothing for this publisher. The others are not affected.",
		Hint: "ask the publisher to fix its file",
	},
	{
		Code: "selector.publisher_revoked", Title: "the file revokes the other publisher",
		Why: "The publisher is in revoked_publisher_domains, so a selector matches nothing for it. Its own file is not " +
			"fetched either.",
		Hint: "nothing to do if the revocation is intended",
	},
	{
		Code: "selector.revoked_by_publisher", Title: "the other publisher's own file revokes it",
		Why:  "A revocation is in effect on either side.",
		Hint: "ask the publisher about it",
	},
	{
		Code: "selector.no_match", Title: "the selector matches none of the publisher's properties",
		Why:  "No property in the publisher's file both matches the selector and belongs to the publisher.",
		Hint: "compare the ids and tags of the selector with the publisher's file",
	},
	{
		Code: "selector.not_asked", Title: "the other publisher was not asked",
		Why:  "The question was to be answered from one file alone.",
		Hint: "allow other publishers to be asked",
	},
	{
		Code: "selector.too_many_publishers", Title: "too many publishers to ask",
		Why:  "One question asks a limited number of publishers. The others are named, and selectors match nothing for them.",
		Hint: "ask about the remaining publishers one by one",
	},
	{
		Code: "selector.diverges", Title: "two files describe a property differently",
		Why: "The file declares another publisher's property differently from that publisher, or one that the publisher " +
			"does not have. What the publisher's own file says takes precedence.",
		Hint: "bring the two files into line",
	},
	{
		Code: "selector.unconfirmed", Title: "the claim over another publisher is not confirmed",
		Why: "The file that speaks for the other publisher is not known to let the agent sell the property at that time " +
			"and in that country. The entry is then only a claim of the file's owner, not that publisher's consent. If there " +
			"are only claims, the verdict is conditional: it needs a confirmation.",
		Hint: "ask about the other publisher itself",
	},
}

var formatCodes = []adagents.Rule{
	{
		Code: "format.from_mirror", Title: "the formats come from a mirror",
		Why: "The publisher has no file, or one without formats. A mirror is a catalog that a third party keeps for it: " +
			"it is for information, and the publisher's own file replaces it once there is one.",
		Hint: "ask the publisher to declare its formats",
	},
	{
		Code: "format.unresolved", Title: "a format of the placement cannot be used",
		Why:  "A reference is looked up in the same file. One without a target is left out; the placement stays.",
		Hint: "ask the publisher to declare the format",
	},
	{
		Code: "format.not_on_property", Title: "the format is for other properties",
		Why:  "The declaration names the properties it applies to, by id or by tag, and the question names none of them.",
		Hint: "choose another format",
	},
	{
		Code: "format.other_channel", Title: "the format is for other channels",
		Why:  "The declaration names channels, and the placement has others.",
		Hint: "choose another format",
	},
	{
		Code: "format.no_locale", Title: "no language is accepted by both",
		Why:  "A placement can only narrow the languages of a format, and here nothing is left.",
		Hint: "ask the publisher to correct the placement",
	},
	{
		Code: "format.left_out", Title: "a format for the placement is faulty",
		Why: "The file declares the format for the placement's properties, and it does not conform. It is skipped, and " +
			"the placement stays limited to the others.",
		Hint: "ask the publisher to correct the format; avow validate shows what is wrong",
	},
	{
		Code: "format.scope_unknown", Title: "whether the format is for the placement is not known",
		Why: "The format is for some properties, and the file has properties that are skipped because of a fault. The " +
			"placement is taken to be limited, never to accept everything.",
		Hint: "ask the publisher to correct the properties; avow validate shows what is wrong",
	},
	{
		Code: "format.declared_again", Title: "the format is declared more than once",
		Why:  "The first declaration of an id is used.",
		Hint: "ask the publisher to remove the others",
	},
}
