import { join } from 'node:path';
import { withParameters } from '../contract/given.ts';
import { parseContract } from '../contract/load.ts';
import { type Gate, openedGate } from '../evidence/gate.ts';
import type { HeaderLine } from '../evidence/log.ts';
import { regularText } from '../evidence/regular-file.ts';
import { type LogEntry, replay } from '../evidence/replay.ts';
import {
  type Contract,
  choosesRecord,
  creates,
  type Operation,
  type OperationId,
  operationNamed,
} from '../model/contract.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { ownPath, ownValue, type Principal, type PrincipalName } from '../model/principal.ts';
import { isAccepted } from '../model/response.ts';
import { lastSegment, resultId } from '../model/result-id.ts';
import { stepsOf } from '../model/scenario.ts';
import { evidenceFile } from './bundle.ts';
import { writeOwnFile } from './write-file.ts';

/** The records that a run created, one per line. */
export const createdFile = 'created.jsonl';

export type Created = {
  readonly operation: OperationId;
  readonly id: string;
  /** Path of the read that shows it, without the base URL; undefined where the contract has none. */
  readonly read?: string;
  /** Wall clock of the command, ISO 8601. */
  readonly time: string;
  readonly principal: PrincipalName;
};

export type CreatedRecords = {
  readonly records: readonly Created[];
  /** Undefined where the log does not begin with a header. */
  readonly header: HeaderLine | undefined;
  readonly contract: Contract | undefined;
};

/** Gathers every record that exchanges and effects of a run show as created. */
export type CreatedRecordsBuilder = {
  readonly take: (entry: Extract<LogEntry, { readonly kind: 'exchange' | 'effects' }>) => void;
  readonly records: () => readonly Created[];
};

/** By the responses of commands, and, where a response was lost, by the reads that followed. */
export function makeCreatedRecords(
  contract: Contract,
  principals: readonly Principal[],
): CreatedRecordsBuilder {
  const records = new Map<string, Created>();
  return {
    take: (entry) => {
      const shown =
        entry.kind === 'exchange'
          ? createdBy(contract, entry.exchange, principals)
          : shownBy(contract, entry.trace, principals);
      for (const record of shown) {
        const key = `${record.operation} ${record.id}`;
        if (!records.has(key)) records.set(key, record);
      }
    },
    records: () => [...records.values()],
  };
}

/** Every record that the evidence of a run shows as created. A log without a footer is read as far as it goes. */
export async function createdIn(folder: string): Promise<CreatedRecords> {
  let builder: CreatedRecordsBuilder | undefined;
  let header: HeaderLine | undefined;
  let contract: Contract | undefined;
  for await (const entry of replay(join(folder, evidenceFile)).entries) {
    if (entry.kind === 'header') {
      header = entry.header;
      const { beside, file, text } = header.contract;
      contract = withParameters(
        await parseContract(text, file, undefined, beside),
        header.parameters ?? {},
        header.principals,
      );
      builder = makeCreatedRecords(contract, header.principals);
    } else if (entry.kind === 'exchange' || entry.kind === 'effects') builder?.take(entry);
  }
  return { records: builder?.records() ?? [], header, contract };
}

/** Writes {@link createdFile} into the folder of a run, next to its evidence, which is read where no records are given. */
export async function writeCreated(
  folder: string,
  clean: Gate['document'] = openedGate.document,
  records?: readonly Created[],
): Promise<void> {
  await writeOwnFile(
    join(folder, createdFile),
    clean(createdText(records ?? (await createdIn(folder)).records)),
    `list the records with \`assay cleanup ${folder}\``,
  );
}

function createdText(records: readonly Created[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Whether the list in a folder is the one that the evidence gives; undefined where there is none. */
export async function isCreatedRight(folder: string): Promise<boolean | undefined> {
  const text = await regularText(join(folder, createdFile));
  return text === undefined ? undefined : text === createdText((await createdIn(folder)).records);
}

function createdBy(
  contract: Contract,
  exchange: Exchange,
  principals: readonly Principal[],
): readonly Created[] {
  const { answer, operation: name, principal, request, time } = exchange;
  if (answer === undefined || !isAccepted(answer)) return [];
  const operation = operationNamed(contract, name);
  if (operation === undefined || !makes(operation, answer.status)) return [];
  const chosen = choosesRecord(operation) ? lastSegment(request.path) : undefined;
  const id = resultId(operation, answer) ?? chosen;
  return id === undefined
    ? []
    : [
        {
          operation: name,
          id,
          ...readOf(contract, operation, id, ownOf(principals, principal)),
          time,
          principal,
        },
      ];
}

/** Commands that make records of their own, and those under another record that say 201. */
function makes(operation: Operation, status: number): boolean {
  return (
    creates(operation) ||
    choosesRecord(operation) ||
    (operation.kind === 'command' && operation.method === 'POST' && status === 201)
  );
}

/** Records of the trace's markers: a command whose response was lost made some of them. */
function shownBy(contract: Contract, trace: Trace, principals: readonly Principal[]): readonly Created[] {
  if (trace.effects === undefined) return [];
  const step = stepsOf(trace.scenario.waves).find(({ operation: name }) => {
    const sent = operationNamed(contract, name);
    return sent !== undefined && creates(sent);
  });
  const operation = operationNamed(contract, step?.operation);
  if (operation === undefined || step === undefined) return [];
  const sent = trace.exchanges.find((exchange) => exchange.operation === operation.id);
  return Object.values(trace.effects.byMarker)
    .flat()
    .map((id) => ({
      operation: operation.id,
      id,
      ...readOf(contract, operation, id, ownOf(principals, sent?.principal ?? step.as)),
      time: sent?.time ?? '',
      principal: sent?.principal ?? step.as,
    }));
}

type Own = (parameter: string) => Json | undefined;

export function ownOf(principals: readonly Principal[], name: PrincipalName): Own {
  return (parameter) => ownValue(principals, name, parameter);
}

function readOf(contract: Contract, operation: Operation, id: string, own: Own): { readonly read?: string } {
  const read = operationNamed(contract, operation.effect?.read);
  const path = read === undefined ? undefined : filled(read, id, own);
  return path === undefined ? {} : { read: path };
}

/** The path of an operation on one record; undefined where an ID alone does not name it. */
export function filled(operation: Operation, id: string, own: Own): string | undefined {
  const [field, ...others] = operation.pathFields;
  const path = ownPath(operation, own);
  return field === undefined || others.length > 0
    ? undefined
    : path?.replace(`{${field.name}}`, encodeURIComponent(id));
}
