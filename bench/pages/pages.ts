import type { CommandLine } from '../../src/cli/command-line.ts';
import { configSchema } from '../../src/config/schema.ts';
import {
  governedDocumentSchema,
  governedOperationSchema,
  governedQueryFieldSchema,
} from '../../src/contract/governed.ts';
import { evidenceSchema } from '../../src/evidence/schema.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { reportSchema } from '../../src/report/schema.ts';
import { table } from './markdown.ts';
import { type Row, rowsOf } from './schema-table.ts';

/** The parts of the documentation that follow from the code, by page and mark. */
export function generatedParts(
  line: CommandLine,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    'docs/configuration.md': { keys: memberTable(rowsOf(configSchema), 'key', 'what to write') },
    'docs/contract.md': {
      operation: memberTable(rowsOf(governedOperationSchema), 'key', 'what to write'),
      document: memberTable(rowsOf(governedDocumentSchema), 'key', 'what to write'),
      parameter: memberTable(rowsOf(governedQueryFieldSchema), 'key', 'what to write'),
    },
    'docs/command-line.md': { commands: commands(line), 'exit codes': exitCodes(line) },
    'docs/report-format.md': {
      members: memberTable(rowsOf(reportSchema)),
      definitions: definitions(reportSchema),
    },
    'docs/evidence-format.md': { lines: definitions(evidenceSchema) },
  };
}

function memberTable(rows: readonly Row[], name = 'member', meaning = 'meaning'): string {
  const defaults = rows.some((row) => row.default !== undefined);
  return table(
    [name, 'type', ...(defaults ? ['default'] : []), meaning],
    rows.map((row) => [
      `\`${row.path}\`${row.required ? '' : ' *'}`,
      row.type,
      ...(defaults ? [row.default === undefined ? '' : `\`${row.default}\``] : []),
      row.meaning,
    ]),
  );
}

function definitions(schema: JsonObject): string {
  const all: Json | undefined = schema['$defs'];
  return Object.entries(isObject(all) ? all : {})
    .map(([name, given]) => {
      const one = isObject(given) ? given : {};
      return `### ${name}\n\n${typeof one['description'] === 'string' ? `${one['description']}\n\n` : ''}${memberTable(rowsOf(one))}`;
    })
    .join('\n\n');
}

function commands({ name, commands: all }: CommandLine): string {
  return all
    .map((command) => {
      const given = command.arguments
        .map(({ name: called, required, variadic }) => {
          const word = variadic === true ? `${called}...` : called;
          return required ? ` <${word}>` : ` [${word}]`;
        })
        .join('');
      const choices = command.arguments.flatMap((argument) => argument.choices);
      const notes = command.notes
        .replaceAll(/^Files:\n(?: {2}.*\n?)+\n?/gm, '')
        .replaceAll(/\n+(?!Exit codes)/g, ' ')
        .replaceAll(/\n+/g, '\n\n');
      return [
        `### ${name} ${command.name}`,
        `\`${name} ${command.name}${command.options.length === 0 ? '' : ' [options]'}${given}\`: ${command.description}.`,
        ...(choices.length === 0
          ? []
          : [
              `\`${command.arguments[0]?.name}\` is one of ${choices.map((one) => `\`${one}\``).join(', ')}.`,
            ]),
        ...(command.options.length === 0
          ? []
          : [
              table(
                ['option', 'meaning', 'default'],
                command.options.map((option) => [
                  `\`${option.flags}\`${option.required ? ' (required)' : ''}`,
                  `${option.description}${option.choices.length === 0 ? '' : ` (${option.choices.map((one) => `\`${one}\``).join(', ')})`}`,
                  option.default === undefined ? '' : `\`${option.default}\``,
                ]),
              ),
            ]),
        ...(notes === '' ? [] : [notes]),
      ].join('\n\n');
    })
    .join('\n\n');
}

/** The exit codes of a command, as its help gives them: `0 shown, 2 a flag is wrong`. */
export function exitCodesOf(notes: string): ReadonlyMap<string, string> {
  const [, said = ''] = /Exit codes:([\s\S]*?)\.(?:\s*$|\n)/.exec(notes) ?? [];
  return new Map(
    [...said.replaceAll('\n', ' ').matchAll(/(?:^|,)\s*([0-3]) (.*?)(?=,\s*[0-3] |$)/g)].map(
      ([, code = '', meaning = '']) => [code, meaning.trim()],
    ),
  );
}

function exitCodes({ commands: all }: CommandLine): string {
  return table(
    ['command', '0', '1', '2', '3'],
    all.map(({ name, notes }) => {
      const codes = exitCodesOf(notes);
      return [`\`${name}\``, ...['0', '1', '2', '3'].map((code) => codes.get(code) ?? '')];
    }),
  );
}
