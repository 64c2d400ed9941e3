#!/usr/bin/env node
import './terminal/check-node.ts';

import { setMaxListeners } from 'node:events';
import { Command } from 'commander';
import { harness } from '../run/package.ts';
import { addAttest } from './commands/attest.ts';
import { addCleanup } from './commands/cleanup.ts';
import { addCompletion } from './commands/completion.ts';
import { addDiff } from './commands/diff.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { addInit } from './commands/init.ts';
import { addJudge } from './commands/judge.ts';
import { addList } from './commands/list.ts';
import { addMerge } from './commands/merge.ts';
import { addPlan } from './commands/plan.ts';
import { addReport } from './commands/report.ts';
import { addReproduce } from './commands/reproduce.ts';
import { addRun } from './commands/run.ts';
import { addSelftest } from './commands/selftest.ts';
import { addServe } from './commands/serve.ts';
import { addVerify } from './commands/verify.ts';
import { addView } from './commands/view.ts';
import type { CommandContext } from './context.ts';
import { exitCodeOf, keepExitCodes } from './terminal/ending.ts';
import { processOutput } from './terminal/output.ts';
import { tuneEngine } from './terminal/tuning.ts';

tuneEngine();

const output = processOutput(process.env);
// Every request in flight listens for the end of the run.
setMaxListeners(0);
keepExitCodes(process, output);
const stop = new AbortController();
/** Commands that write a log. */
const logged: ReadonlySet<string> = new Set(['run', 'reproduce']);
let interrupts = 0;
const interrupt = (exitCode: number) => (): void => {
  interrupts += 1;
  if (interrupts > 1) process.exit(exitCode);
  const first = logged.has(program.args[0] ?? '') ? ' after the log and the report are complete' : '';
  output.err(`\nassay: stopping${first} (press Ctrl-C again to stop at once)\n`);
  stop.abort();
};
process.on('SIGINT', interrupt(130));
process.on('SIGTERM', interrupt(143));

const program = new Command('assay')
  .description('Conformance test harness for implementations of the Governed Command API')
  .version(harness().version)
  .configureOutput({
    writeErr: (text) => output.err(text),
    writeOut: (text) => output.out(text),
    outputError: (text, write) => {
      const line = text
        .trim()
        .replace(/^error: /, 'assay: ')
        .replace(/\n\(Did (you mean .*)\)$/, '; did $1');
      const complete = /[.?]$/.test(line) && !/^assay: too many arguments/.test(line);
      write(
        `${complete ? line : line.replace(/\.$/, '')}${complete ? '' : '; `assay --help` lists the commands, `assay COMMAND --help` their options'}\n`,
      );
    },
  })
  // A command that is not understood has found no violation (1): it is a failed configuration.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

const context: CommandContext = {
  guarded: async (work) => {
    process.exitCode = await exitCodeOf(work, output, process.env);
  },
  output,
  signal: stop.signal,
};

/** In the order of the help. */
const commands = [
  addInit,
  addDoctor,
  addRun,
  addMerge,
  addJudge,
  addVerify,
  addAttest,
  addDiff,
  addReport,
  addView,
  addServe,
  addPlan,
  addSelftest,
  addList,
  addExplain,
  addCompletion,
  addReproduce,
  addCleanup,
];
for (const add of commands) add(program, context);

// Not awaited: if a command never settles, Node 24 would warn of this line, and `exitCodeOf` says what to do.
void program.parseAsync();
