import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument } from '../../document/document.ts';
import { isArray, isObject } from '../../model/json.ts';
import { assayChild, terminalTroubles } from './child.ts';

/** A contract that is to hang or fill the harness. */
export type Bomb = {
  readonly name: string;
  /** A whole document, or the schema of a member of a request body. */
  readonly place: 'document' | 'schema';
  /** What its one error says; undefined where the contract can be planned. */
  readonly refused: RegExp | undefined;
  readonly text: string;
};

const folder = 'fixtures/bombs';
const published = 'fixtures/contracts/governed-command-1.27.0.yaml';
const member = `        subject:
          type: string
          description: Free text supplied by the caller.
`;

export async function bombs(): Promise<readonly Bomb[]> {
  const contract = await readFile(published, 'utf8');
  if (!contract.includes(member)) throw new Error(`${published}: it has no such member`);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return Promise.all(
    names.map(async (file): Promise<Bomb> => {
      const { value } = readDocument(await readFile(join(folder, file), 'utf8'), file);
      if (!isObject(value) || !isArray(value['parts'])) throw new TypeError(`${file}: it has no parts`);
      const text = value['parts']
        .map((part) => (isObject(part) ? String(part['text']).repeat(Number(part['times'] ?? 1)) : ''))
        .join('');
      const place = value['place'] === 'schema' ? 'schema' : 'document';
      return {
        name: file.replace(/\.yaml$/, ''),
        place,
        refused: typeof value['refused'] === 'string' ? new RegExp(value['refused']) : undefined,
        text: place === 'schema' ? contract.replace(member, () => `        subject: ${text}\n`) : text,
      };
    }),
  );
}

/** Seconds that loading may take, and those that a busy machine adds to the start of the process. */
const mostSeconds = 5;
/** The syntax tree of 100,000 values alone takes some 200 MB, more as the garbage collector pleases. */
const mostMegabytes = 500;

/** Plans a run of the contract in a process of its own; resolves to what is wrong with how it ended. */
export async function detonated(bomb: Bomb, startSeconds: number): Promise<readonly string[]> {
  const at = await mkdtemp(join(tmpdir(), 'assay-bomb-'));
  await mkdir(join(at, 'contract'));
  // Bytes as they are: some are to be no UTF-8.
  await writeFile(
    join(at, 'contract', 'contract.yaml'),
    Buffer.from(bomb.text, bomb.place === 'schema' ? 'utf8' : 'latin1'),
  );
  await writeFile(
    join(at, 'config.yaml'),
    'target: { baseUrl: "http://127.0.0.1:1", environment: test }\ncontract: contract/contract.yaml\nprincipals: { full: { token: { value: Bomb-Token-0001 }, permissions: [case.create], scope: a } }\n',
  );
  const { code, seconds, megabytes, terminal } = await assayChild(
    ['plan', '--config', join(at, 'config.yaml'), '--budget', 'quick'],
    120,
  );
  const lines = terminal.trimEnd().split('\n');
  return [
    ...(code === undefined ? ['it had to be killed'] : []),
    ...(seconds - startSeconds > mostSeconds ? [`it took ${(seconds - startSeconds).toFixed(1)} s`] : []),
    ...(megabytes > mostMegabytes ? [`it held ${megabytes.toFixed(0)} MB`] : []),
    ...terminalTroubles(terminal),
    ...(bomb.refused === undefined
      ? code === 0 || code === 2
        ? []
        : [`exit ${code}`]
      : code !== 2
        ? [`it is not refused: exit ${code}`]
        : lines.length !== 1 || !bomb.refused.test(terminal)
          ? [`it is refused with ${lines.length} lines: ${lines[0]?.slice(0, 200)}`]
          : []),
  ];
}

/** Seconds that an ordinary contract takes. */
export async function ordinarySeconds(): Promise<number> {
  const { seconds } = await assayChild(['plan', '--base-url', 'reference', '--budget', 'quick'], 120);
  return seconds;
}
