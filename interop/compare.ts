/** One defect of a stack: the findings that it must cause, and those that it may cause. */
export type Defect = {
  readonly defect: string;
  readonly findings: readonly string[];
  /** Consequences that depend on the seed, the budget or the speed of the machine. */
  readonly perhaps?: readonly string[];
};

export type Comparison = {
  readonly found: readonly string[];
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
};

export function compare(found: readonly string[], defects: readonly Defect[]): Comparison {
  const due = new Set(defects.flatMap(({ findings }) => findings));
  const fair = new Set([...due, ...defects.flatMap(({ perhaps }) => perhaps ?? [])]);
  return {
    found: [...found].sort(),
    missing: [...due].filter((finding) => !found.includes(finding)).sort(),
    unexpected: found.filter((finding) => !fair.has(finding)).sort(),
  };
}

/** The defects of one configuration in the parsed expected.yaml of a stack. */
export function readDefects(document: unknown, configuration: string, file: string): readonly Defect[] {
  const list = isRecord(document) ? document[configuration] : undefined;
  if (!Array.isArray(list))
    throw new Error(`${file}: '${configuration}' is not a list of defects; write [] where there are none`);
  return list.map((entry: unknown, index) => {
    const where = `${file}: ${configuration}[${index}]`;
    if (!isRecord(entry) || typeof entry['defect'] !== 'string')
      throw new Error(`${where}: 'defect' is missing; say in a sentence what the stack does wrong`);
    return {
      defect: entry['defect'],
      findings: readFindings(entry['findings'], `${where}.findings`),
      perhaps: readFindings(entry['perhaps'], `${where}.perhaps`),
    };
  });
}

function readFindings(value: unknown, where: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${where}: not a list of findings`);
  return value.map((finding: unknown) => {
    if (typeof finding === 'string' && /^[A-Z]{2,4}-\d+\/\S+$/.test(finding)) return finding;
    throw new Error(`${where}: '${String(finding)}' is not a finding such as IDM-6/createCase`);
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function records(value: unknown): readonly Record<string, unknown>[] {
  return list(value).filter(isRecord);
}
