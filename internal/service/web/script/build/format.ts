// The description of the format: what the service says there is.

export interface FieldType {
  readonly kind: 'any' | 'text' | 'bool' | 'integer' | 'number' | 'list' | 'object' | 'map';
  readonly object?: string;
  readonly by?: string;
  readonly elem?: FieldType;
  readonly pair?: boolean;
  readonly enum?: readonly string[];
  readonly words?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly null?: boolean;
}

export interface Field {
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  readonly required?: boolean;
  readonly type: FieldType;
  readonly default?: string;
  readonly usual?: boolean;
  readonly when?: { readonly member: string; readonly values: readonly string[] };
  readonly suggest?: readonly string[];
}

export interface ObjectType {
  readonly doc: string;
  readonly closed?: boolean;
  readonly fields: readonly Field[];
}

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly members: readonly string[];
}

export interface Format {
  readonly sections: readonly Section[];
  readonly objects: Readonly<Record<string, ObjectType>>;
  readonly params: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** Tells what a neighbour of a value says: the kind of a format, for its params. */
export type Neighbour = (member: string) => string;

/** The object that a type stands for; none when it is free. */
export function objectOf(format: Format, type: FieldType, neighbour: Neighbour): ObjectType | undefined {
  const name = type.by ? format.params[neighbour(type.by)] : type.object;
  return name === undefined ? undefined : format.objects[name];
}

/** The names of members in the order in which they are written. */
export function namesOf(object: ObjectType | undefined): string[] {
  return object ? object.fields.map((f) => f.name) : [];
}

/** What a document is at its top: a file, or a pointer to one. */
export function rootOf(format: Format, isPointer: boolean): ObjectType {
  const root = format.objects[isPointer ? 'Pointer' : 'File'];
  if (!root) throw new Error('the description of the format has no file');
  return root;
}

/** A step from a value to one within: a name, or any element of a list. */
export interface Step {
  readonly name: string | null;
  readonly neighbour: Neighbour;
}

/** What is known about the value that steps lead to. */
export interface Known {
  readonly field: Field | undefined;
  readonly type: FieldType | undefined;
  readonly object: ObjectType | undefined;
}

/** Follows steps from the top of a document. */
export function follow(format: Format, isPointer: boolean, steps: readonly Step[]): Known {
  let object: ObjectType | undefined = rootOf(format, isPointer);
  let type: FieldType | undefined = { kind: 'object' };
  let field: Field | undefined;
  for (const step of steps) {
    if (step.name === null) {
      type = type?.kind === 'list' ? type.elem : undefined;
    } else if (type?.kind === 'map') {
      type = type.elem;
    } else {
      const name: string = step.name;
      field = object?.fields.find((f) => f.name === name);
      type = field?.type;
    }
    object = type?.kind === 'object' ? objectOf(format, type, step.neighbour) : undefined;
  }
  return { field, type, object };
}

/** The name of a value for people; values without one stand for themselves. */
export function labelOf(format: Format, value: string): string {
  return Object.hasOwn(format.labels, value) ? (format.labels[value] ?? value) : value;
}

/** What a field is for, in a line. */
export function hintOf(f: Field): string {
  return f.doc + (f.default === undefined ? '' : ' Without it: ' + f.default + '.');
}
