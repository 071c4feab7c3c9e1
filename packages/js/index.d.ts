/** The text of a file, or its bytes as they were received. Give the bytes where you have them:
 * whether they are UTF-8 is a part of the check. */
export type Document = string | Uint8Array;

export type Severity = "error" | "warning" | "info";
export type Verdict = "authorized" | "conditional" | "not_authorized" | "none_asserted" | "unverified" | "unusable";

export interface CheckOptions {
  profile?: "default" | "strict";
  /** The time that the file is judged at, RFC 3339. Without it nothing is compared with the present. */
  now?: string;
  /** The publisher that serves the file, and where it was obtained. */
  domain?: string;
  url?: string;
  /** How the file was reached. */
  role?: "direct" | "authoritative" | "manager" | "mirror";
  /** Tasks that the agents may perform, such as create_media_buy. */
  scopes?: string[];
  /** Whether findings have their fixes. */
  fixes?: boolean;
}

/** Replaces the bytes of UTF-8 from start up to end. */
export interface Edit {
  start: number;
  end: number;
  new: string;
}

export interface Fix {
  title: string;
  /** A safe fix lets no agent sell more than before; a likely one is what the author most probably meant. */
  kind: "safe" | "likely" | "choice";
  edits: Edit[];
}

export interface Finding {
  /** The rule, which never changes its name: agent.url_missing. */
  code: string;
  severity: Severity;
  /** What buyers leave out because of it. */
  effect: string;
  /** JSON Pointer of the value. */
  pointer: string;
  /** From 1; columns count characters. */
  line: number;
  column: number;
  /** In bytes of UTF-8. */
  offset: number;
  length: number;
  message: string;
  hint: string;
  spec: string;
  /** How many findings like this one are not listed. */
  more: number;
  fixes?: Fix[];
}

export interface Skip {
  pointer: string;
  code: string;
  reason: string;
}

export interface Report {
  /** What the file is; a pointer only says where the file is. */
  kind: string;
  /** Whether no finding is an error. */
  valid: boolean;
  /** Whether buyers may use the file at all. */
  usable: boolean;
  authorizes_nobody: boolean;
  authoritative_location?: string;
  counts: Record<Severity, number>;
  findings: Finding[];
  /** Entries that buyers leave out. */
  skipped: Skip[];
}

export interface FixOptions extends CheckOptions {
  /** Apply likely fixes besides the safe ones. */
  likely?: boolean;
}

export interface Fixed {
  changed: boolean;
  text: string;
  applied: { code: string; pointer: string; title: string; kind: Fix["kind"] }[];
  edits: Edit[];
  /** Of the text as it is now. */
  report: Report;
}

/** A question. A member that is unknown, empty or null is refused: leaving it out would ask something wider. */
export interface Question {
  publisher: string;
  agent: string;
  property?: string;
  /** TYPE=VALUE, such as domain=www.example.com; or identifier_type with identifier_value. */
  identifier?: string;
  identifier_type?: string;
  identifier_value?: string;
  property_type?: string;
  placement?: string | string[];
  placements?: string[];
  /** Each as DOMAIN/ID. */
  collection?: string | string[];
  collections?: string[];
  signal?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** The time asked about, RFC 3339; now when it is left out. */
  at?: string | Date;
}

export interface ListQuestion {
  publisher: string;
  agent: string;
  country?: string;
  at?: string | Date;
  /** Resolve selectors from the file itself where that is allowed. */
  inline?: boolean;
  /** Use no document but the publisher's own. */
  local?: boolean;
}

/** The file that speaks for a publisher, or why there is none. */
export interface PublisherDocument {
  publisher: string;
  document?: Document | null;
  /** Where there is no file: absent, the publisher has none; unreachable, it is unknown. */
  state?: "absent" | "unreachable";
  method?: "direct" | "authoritative_location" | "ads_txt_managerdomain";
  url?: string;
  /** Publishers that are to be treated as revoked by the file. */
  revoked?: string[];
  /** The file names another in its place, which could not be had. */
  replaced?: boolean;
  /** A catalog that a third party keeps for a publisher without a file; it authorizes no agent. */
  mirror?: Document | null;
  mirror_url?: string;
}

/** Documents by publisher, where a missing file is null, or a list of them with more about each. */
export type Documents = Record<string, Document | null> | PublisherDocument[];

export interface Reason {
  code: string;
  url?: string;
  pointer: string;
  message: string;
}

export interface Covered {
  publisher_domain: string;
  property_id: string;
  property_type: string;
  name: string;
  path: string;
  url: string;
  pointer: string;
  confirmed: boolean;
}

/** An entry that covers what was asked, or would under a condition. Null is no limit. */
export interface Grant {
  entry: string;
  url: string;
  authorization_type: string;
  delegation_type: string;
  authorized_for: string;
  exclusive: boolean;
  /** How many properties it covers. */
  property_count: number;
  properties: Covered[];
  signals: string[];
  placements: string[] | null;
  collections: string[] | null;
  countries: string[] | null;
  from: string | null;
  until: string | null;
  pinned_keys: string[] | null;
  needs: string[];
}

export interface Evidence {
  publisher: string;
  role: string;
  state: string;
  method: string;
  url: string;
  sha256: string;
  fetched_at: string;
}

/** An entry that buyers leave out, with the file that has it. */
export interface SkippedEntry extends Skip {
  publisher: string;
  url: string;
}

/** The same document as that of avow authorize --format json and of GET /api/authorize. */
export interface Answer {
  /** Only authorized is a yes, and only not_authorized is a no. */
  verdict: Verdict;
  /** The reason that decided. */
  code: string;
  publisher: string;
  agent: string;
  at: string;
  /** What was asked, as far as it was. */
  property?: string;
  identifier?: string;
  property_type?: string;
  placements?: string[];
  collections?: string[];
  signal?: string;
  country?: string;
  reasons: Reason[];
  grants: Grant[];
  /** What the question lacks when the verdict is conditional. */
  needs: string[];
  exclusive_elsewhere: string[];
  /** What would change the verdict, in sentences. */
  changes: string[];
  evidence: Evidence[];
  skipped: SkippedEntry[];
  placement_verdicts?: Record<string, Verdict>;
}

export interface Listing {
  verdict: Verdict;
  publisher: string;
  agent: string;
  at: string;
  reasons: Reason[];
  /** How many of the properties a question about one is answered with yes. */
  properties_authorized: number;
  /** How many more it is if the question names what limited lists. */
  properties_conditional: number;
  limited: ("country" | "placement" | "collection" | "time")[];
  grants: Grant[];
  publishers: { publisher: string; code: string; state: string; confirmed: boolean; properties: number }[];
  divergences: {
    publisher_domain: string;
    property_id: string;
    fields: string[];
    missing: boolean;
    parent_url: string;
    parent_pointer: string;
    own_url: string;
    own_pointer: string;
  }[];
  changes: string[];
  evidence: Evidence[];
  skipped: SkippedEntry[];
}

export interface Avow {
  /** Says what is wrong with a file. It never fails: what is not even JSON has a finding that says so. */
  check(document: Document, options?: CheckOptions): Report;
  /** Repairs a file. Everything else in it stays as it was written. */
  fix(document: Document, options?: FixOptions): Fixed;
  /** Lays out a file in the usual way. */
  format(document: Document): string;
  /** May this agent sell this? A publisher whose document is not given counts as unreachable. */
  authorize(question: Question, documents: Documents): Answer;
  /** What may this agent sell of this publisher? */
  list(question: ListQuestion, documents: Documents): Listing;
}

/** An option or a question that cannot be answered. */
export class AvowError extends Error {
  /** request, limit or document; for a question request.unknown, request.empty, request.repeated, request.type, request.value or request.missing. */
  readonly code: string;
  readonly hint?: string;
  /** The member concerned, as it was written. */
  readonly field?: string;
}

/** Makes the edits of a fix. */
export function apply(document: Document, edits: readonly Edit[]): Uint8Array;

/** Loads the module, by itself from beside this file, or from what it is given. Keep what it returns. */
export function load(source?: WebAssembly.Module | BufferSource | Response | PromiseLike<Response>): Promise<Avow>;
