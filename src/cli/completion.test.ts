import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandLine } from './command-line.ts';
import { completion } from './completion.ts';

const line: CommandLine = {
  name: 'assay',
  commands: [
    {
      name: 'run',
      description: "run the suites, that's all",
      arguments: [],
      options: [
        option('-c, --config <file>', { short: '-c' }),
        option('--budget <name>', { choices: ['quick', 'standard'] }),
        option('--quiet', { takesValue: false }),
      ],
      notes: '',
    },
    {
      name: 'list',
      description: 'list things',
      arguments: [{ name: 'what', required: true, choices: ['clauses', 'suites'] }],
      options: [],
      notes: '',
    },
  ],
};

function option(flags: string, more: { short?: string; choices?: string[]; takesValue?: boolean }) {
  return {
    flags,
    long: /--[a-z]+/.exec(flags)?.[0] ?? '',
    short: more.short,
    description: 'what it is for: [this]',
    takesValue: more.takesValue ?? true,
    value: /<(\w+)>/.exec(flags)?.[1] ?? '',
    choices: more.choices ?? [],
    default: undefined,
    required: false,
  };
}

/** What bash proposes after these words. */
function proposed(...words: readonly string[]): Promise<readonly string[]> {
  const script = `${completion('bash', line)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _assay
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return new Promise((done, fail) => {
    execFile('bash', ['-c', script], { cwd: resolve('docs') }, (error, out, err) =>
      error === null ? done(out.trim().split('\n')) : fail(new Error(err)),
    );
  });
}

test('bash completes commands, options, choices and files', async () => {
  expect(await proposed('assay', '')).toEqual(['run', 'list']);
  expect(await proposed('assay', 'run', '--')).toEqual(['--config', '--budget', '--quiet']);
  expect(await proposed('assay', 'run', '--budget', 's')).toEqual(['standard']);
  expect(await proposed('assay', 'run', '-c', 'compati')).toEqual(['compatibility.md']);
  expect(await proposed('assay', 'list', 'c')).toEqual(['clauses']);
});

test('zsh and fish get every command and option, quoted', () => {
  const zsh = completion('zsh', line);
  expect(zsh).toContain("'run:run the suites, that'\\''s all'");
  expect(zsh).toContain("'*--budget[what it is for\\:  this ]:name:(quick standard)'");
  const fish = completion('fish', line);
  expect(fish).toContain("-l budget -r -a 'quick standard'");
  expect(fish).toContain("-l config -s c -r -F -d 'what it is for: [this]'");
});
