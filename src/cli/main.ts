#!/usr/bin/env node
import { setMaxListeners } from 'node:events';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Budget, Overrides } from '../config/config.ts';
import { InputError } from '../model/input-error.ts';
import { formatList } from '../report/format-list.ts';
import { type FailOn, failOnPolicies } from '../report/gate.ts';
import { harness } from '../run/package.ts';
import { builtInConfig, configFile, servedConfig } from '../run/place.ts';
import type { Resumable } from '../run/resume.ts';
import type { Narrowing } from '../run/selection.ts';
import { completion, type Shell, shells } from './completion.ts';
import { addRunCommands } from './run-commands.ts';
import { exitCodeOf, keepExitCodes } from './terminal/ending.ts';
import { processOutput } from './terminal/output.ts';

const output = processOutput(process.env);
const formats = Object.values(formatList);
// Every request in flight listens for the end of the run.
setMaxListeners(0);
keepExitCodes(process, output);
const stop = new AbortController();
let interrupts = 0;
const interrupt = (exitCode: number) => (): void => {
  interrupts += 1;
  if (interrupts > 1) process.exit(exitCode);
  output.err('\nassay: stopping; the log and the report are being finished (once more to give up on them)\n');
  stop.abort();
};
process.on('SIGINT', interrupt(130));
process.on('SIGTERM', interrupt(143));

function whole(from: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < from)
      throw new InvalidArgumentError(`It must be a whole number of at least ${from}.`);
    return value;
  };
}

/** Printable ASCII alone: it is shown on terminals and pages, and compared letter by letter. */
function challengeText(text: string): string {
  if (!/^[!-~]{8,200}$/.test(text))
    throw new InvalidArgumentError('It must be 8 to 200 printable ASCII characters without blanks.');
  return text;
}

/** A folder's name, and nothing that leads out of the folder of the runs. */
function runName(text: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/.test(text))
    throw new InvalidArgumentError('It must be 1 to 100 letters, digits, dots, dashes or underscores.');
  return text;
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  ...value.split(',').map((name) => name.trim()),
];

async function guarded(work: () => Promise<number>): Promise<void> {
  process.exitCode = await exitCodeOf(work, output, process.env);
}

type RunOptions = {
  readonly config?: string;
  readonly baseUrl?: string;
  readonly suite?: readonly string[];
  readonly operation?: readonly string[];
  readonly seed?: number;
  readonly budget?: Budget;
  readonly maxRequests?: number;
  readonly maxSeconds?: number;
  readonly concurrency?: number;
  readonly output?: string;
  readonly allowProduction?: boolean;
  readonly key?: readonly string[];
  readonly against?: string;
  readonly challenge?: string;
  readonly failOn: FailOn;
  readonly unstable: 'fail' | 'pass';
  readonly format: 'text' | 'json';
  readonly runName?: string;
  readonly quiet?: boolean;
  readonly clause?: readonly string[];
  readonly tag?: readonly string[];
  readonly path?: readonly string[];
  readonly lastFailed?: boolean;
  readonly bail?: number | true;
  readonly watch?: boolean;
  readonly resume?: string;
};

/** What a run or a plan is narrowed to. */
function narrowing({ clause, operation, path, suite, tag }: RunOptions): Narrowing {
  return { suites: suite, operations: operation, clauses: clause, tags: tag, paths: path };
}

/** What a resumed run was begun with: the log says it, so that nothing else may. */
async function resumedRun(folder: string, options: RunOptions): Promise<Resumable> {
  const given = (
    [
      ['--config', options.config],
      ['--base-url', options.baseUrl],
      ['--seed', options.seed],
      ['--budget', options.budget],
      ['--max-requests', options.maxRequests],
      ['--max-seconds', options.maxSeconds],
      ['--challenge', options.challenge],
      ['--run-name', options.runName],
      ['--last-failed', options.lastFailed],
      ['--watch', options.watch],
      ...Object.entries(narrowing(options)).map(([name, value]) => [`the filter of ${name}`, value] as const),
    ] as const
  ).find(([, value]) => value !== undefined);
  if (given !== undefined)
    throw new InputError({
      file: '--resume',
      position: undefined,
      problem: `it does not go with ${given[0]}: a run goes on as it was begun`,
      remedy: 'leave one of them out',
    });
  return (await import('../run/resume.ts')).readResumable(folder);
}

function overridesOf({ header }: Resumable): Overrides {
  const { baseUrl } = header.target;
  return { baseUrl, seed: header.seed, budget: header.budget, ...header.limits };
}

/** The options that narrow a run. */
function withFilters(command: Command): Command {
  return command
    .option(
      '-s, --suite <names>',
      'only these suites (repeatable, or a list with commas); the verdict is then PARTIAL',
      collect,
    )
    .option('-o, --operation <ids>', 'only these operations (likewise)', collect)
    .option('--tag <names>', 'only operations with one of these tags in the contract (likewise)', collect)
    .option('--path <paths>', 'only operations at these paths, such as "/cases/*" (likewise)', collect)
    .option('--clause <codes>', 'only probes that are aimed at these clauses (likewise)', collect);
}

const program = new Command('assay')
  .description('Conformance test harness for implementations of the Governed Command API')
  .version(harness().version)
  .showHelpAfterError('(assay --help shows the commands and their options)')
  .configureOutput({
    writeErr: (text) => output.err(text),
    writeOut: (text) => output.out(text),
    outputError: (text, write) => write(text.replace(/^error: /, 'assay: ')),
  })
  // A command that is not understood has found no violation (1): it is a failed configuration.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

program
  .command('init')
  .description('write a configuration that runs as it is, from an OpenAPI document')
  .option('-u, --base-url <url>', 'target (asked for on a terminal)')
  .option('--contract <file>', 'OpenAPI document of the operations (default: a copy of that of POST /cases)')
  .option('--output <file>', 'file to write', 'harness.config.yaml')
  .option('--force', 'replace an existing file')
  .addHelpText('after', '\nExit codes: 0 written, 2 the contract or a flag is wrong, or the file exists.')
  .action(
    (options: {
      readonly baseUrl?: string;
      readonly contract?: string;
      readonly output: string;
      readonly force?: boolean;
    }) =>
      guarded(async () =>
        (await import('./init.ts')).init(
          {
            baseUrl: options.baseUrl,
            contract: options.contract,
            output: options.output,
            force: options.force === true,
          },
          output,
        ),
      ),
  );

program
  .command('doctor')
  .description('check configuration, contract, target and tokens with one request for each principal')
  .option('-c, --config <file>', 'configuration (default: ./harness.config.yaml)')
  .option('-u, --base-url <url>', 'target, in place of target.baseUrl')
  .option('--allow-production', 'allow a target whose environment is production')
  .addHelpText(
    'after',
    '\nExit codes: 0 ready, 2 something must be fixed first, 3 a run can begin and could test more.',
  )
  .action(
    (options: { readonly config?: string; readonly baseUrl?: string; readonly allowProduction?: boolean }) =>
      guarded(async () => {
        const { config: _config, ...overrides } = options;
        return (await import('./doctor.ts')).doctor(configFile(options), overrides, output, stop.signal);
      }),
  );

withFilters(
  program
    .command('run')
    .description('run the suites against a target and report every violation with its request IDs'),
)
  .option(
    '-c, --config <file>',
    'configuration (default: ./harness.config.yaml; with --base-url reference the built-in one)',
  )
  .option(
    '-u, --base-url <url>',
    'target, in place of target.baseUrl; `reference` starts the embedded service',
  )
  .option('--last-failed', 'only what the last run in the folder of the runs violated (likewise)')
  .option('--resume <run>', 'go on with a run that was cut short; its log says with what')
  .option('--bail [n]', 'end after so many violations (default: 1)', whole(1))
  .option('--watch', 'run again when a key is pressed (q ends)')
  .option('--seed <number>', 'seed of the plan (default: random, shown in the report)', whole(0))
  .addOption(
    new Option('-b, --budget <name>', 'depth of testing (default: standard)').choices([
      'quick',
      'standard',
      'thorough',
    ]),
  )
  .option('--max-requests <n>', 'most requests of the run', whole(1))
  .option('--max-seconds <n>', 'most seconds of the run', whole(1))
  .option('--concurrency <n>', 'most requests in flight', whole(1))
  .option('--output <folder>', 'where each run writes a folder of its own')
  .option('--allow-production', 'allow a target whose environment is production')
  .option('--against <run>', 'folder of an earlier run, to show in the reports what changed since')
  .option('-k, --key <files>', 'private keys (PEM, ed25519) to sign the run with (repeatable)', collect)
  .option(
    '--challenge <nonce>',
    'text from an auditor: it enters the evidence and every key, so the run cannot be older',
    challengeText,
  )
  .addOption(
    new Option(
      '--fail-on <policy>',
      'which violations end the run with 1: any; stated (of stated clauses); unwaived; new (absent from the run given with --against). Waived ones count for `any` alone; the verdict stays',
    )
      .choices(failOnPolicies)
      .default('any'),
  )
  .addOption(
    new Option('--unstable <policy>', 'whether a violation that no repeat showed again ends the run with 1')
      .choices(['fail', 'pass'])
      .default('fail'),
  )
  .addOption(
    new Option('--format <name>', 'what standard output shows').choices(['text', 'json']).default('text'),
  )
  .option('--run-name <name>', "name of the run's folder (default: its start and a random part)", runName)
  .option('-q, --quiet', 'no progress on standard error')
  .addHelpText(
    'after',
    '\nExit codes: 0 conformant, 1 violations, 2 the harness or its configuration failed, 3 not fully verified.\nTokens come from the environment, from files or from commands, as the configuration says.',
  )
  .action((options: RunOptions) =>
    guarded(async () => {
      const { run } = await import('./run.ts');
      const resumed = options.resume === undefined ? undefined : await resumedRun(options.resume, options);
      const file = resumed?.header.configuration.file ?? configFile(options);
      const {
        suite: _suite,
        operation: _operation,
        clause: _clause,
        tag: _tag,
        path: _path,
        lastFailed,
        bail,
        watch,
        resume: _resume,
        quiet,
        key,
        against,
        challenge,
        failOn,
        unstable,
        format,
        runName: name,
        config: _config,
        ...overrides
      } = options;
      const once = async (): Promise<number> =>
        (
          await run(
            file,
            {
              // The built-in configuration belongs to the package: its runs go to the working directory.
              overrides: {
                ...(file === builtInConfig() ? { output: 'reports' } : {}),
                ...overrides,
                ...(resumed === undefined ? {} : overridesOf(resumed)),
              },
              resume: resumed,
              ...narrowing(options),
              lastFailed: lastFailed === true,
              bail: bail === true ? 1 : bail,
              quiet: quiet === true,
              keys: key,
              against,
              challenge,
              json: format === 'json',
              runName: name,
              gate: failOn === 'any' && unstable === 'fail' ? undefined : { failOn, unstable },
            },
            output,
            stop.signal,
          )
        ).exitCode;
      if (watch !== true) return once();
      return (await import('./watch.ts')).watch(
        () => exitCodeOf(once, output, process.env),
        process.stdin,
        output,
        stop.signal,
      );
    }),
  );

program
  .command('judge')
  .description('rejudge the log of an earlier run with the clauses of this version; sends nothing')
  .argument('<run>', 'folder of a run, such as reports/<run>')
  .addHelpText('after', '\nExit codes: 0 conformant, 1 violations, 2 there is no log, 3 not fully verified.')
  .action((folder: string) => guarded(async () => (await import('./judge.ts')).judge(folder, output)));

program
  .command('verify')
  .description(
    'verify that a run is unaltered: log, report, renderings and signatures; recomputes every verdict; sends nothing',
  )
  .argument('<run>', 'folder of a run, such as reports/<run>')
  .option('-k, --key <files>', 'public keys (PEM) of signers that must have signed (repeatable)', collect)
  .option('--challenge <nonce>', 'text that you gave for the run: it must be in the evidence', challengeText)
  .addHelpText(
    'after',
    '\nExit codes: 0 everything holds, 1 something does not, 2 there is nothing to verify.',
  )
  .action((folder: string, options: { readonly key?: readonly string[]; readonly challenge?: string }) =>
    guarded(async () =>
      (await import('./verify.ts')).verify(folder, options.key ?? [], output, options.challenge),
    ),
  );

program
  .command('attest')
  .description('check a run and sign it, or add one more signature (in-toto statement, DSSE, ed25519)')
  .argument('<run>', 'folder of a run, such as reports/<run>')
  .requiredOption('-k, --key <files>', 'private keys (PEM) to sign with (repeatable)', collect)
  .option('--timestamp-file <file>', 'time-stamp (RFC 3161) of evidence.jsonl, as `openssl ts` writes it')
  .addOption(
    new Option('--timestamp-url <url>', 'authority to ask for a time-stamp').conflicts('timestampFile'),
  )
  .addHelpText(
    'after',
    '\nThe passphrase of an encrypted key is read from ASSAY_KEY_PASSPHRASE.\nExit codes: 0 signed, 2 the run does not hold or the key cannot be used.',
  )
  .action(
    (
      folder: string,
      options: {
        readonly key: readonly string[];
        readonly timestampFile?: string;
        readonly timestampUrl?: string;
      },
    ) =>
      guarded(async () => {
        const { key, timestampFile: file, timestampUrl: url } = options;
        const timestamp = file !== undefined ? { file } : url !== undefined ? { url } : undefined;
        return (await import('./attest.ts')).attest(folder, key, output, timestamp);
      }),
  );

program
  .command('diff')
  .description(
    'show what changed from one run to another: regressions, fixed, newly covered, coverage lost, not comparable',
  )
  .argument('<before>', 'folder of the earlier run')
  .argument('<after>', 'folder of the later run')
  .option('--json', 'as JSON, in the form of docs/comparison.schema.json')
  .addHelpText(
    'after',
    '\nExit codes: 0 nothing is worse, 1 something is violated that was not before, 2 a run cannot be read,\n3 coverage was lost, or the runs cannot be compared (another contract or profile).',
  )
  .action((before: string, after: string, options: { readonly json?: boolean }) =>
    guarded(async () =>
      (await import('./diff.ts')).diff(before, after, { json: options.json === true }, output),
    ),
  );

program
  .command('report')
  .description('render the report of a run again, from its report.json and evidence')
  .argument('<run>', 'folder of a run, such as reports/<run>')
  .option(
    '-f, --format <names>',
    `formats, repeatable or a list with commas (default: all): ${formats.map(({ name }) => name).join(', ')}`,
    collect,
  )
  .option('--output <folder>', 'where to write (default: the folder of the run)')
  .option('--against <run>', 'folder of an earlier run, to show what changed since')
  .option(
    '--support <finding>',
    'print what to send to the vendor about a finding, such as IDM-6/createCase; writes nothing',
  )
  .option('--finding <finding>', 'write a bundle of this finding alone into --output, to contest it')
  .addHelpText(
    'after',
    `\nFiles:\n${formats.map(({ file, describes }) => `  ${file.padEnd(14)} ${describes}`).join('\n')}\n\nExit codes: 0 rendered, 2 there is no such run, format or finding.`,
  )
  .action(
    (
      folder: string,
      options: {
        readonly format?: readonly string[];
        readonly output?: string;
        readonly against?: string;
        readonly support?: string;
        readonly finding?: string;
      },
    ) =>
      guarded(async () =>
        (await import('./report.ts')).report(
          folder,
          {
            formats: options.format,
            output: options.output,
            against: options.against,
            support: options.support,
            finding: options.finding,
          },
          output,
        ),
      ),
  );

program
  .command('view')
  .description(
    'show the runs of a folder as a local page: by vendor and product, with what changed over time',
  )
  .argument('[folder]', 'where the runs are', 'reports')
  .option('-p, --port <number>', 'port on 127.0.0.1 (0: any that is free)', whole(0), 0)
  .option('--write', 'write the page into the folder, as index.html, in place of serving it')
  .addHelpText(
    'after',
    '\nIt reads the folder alone, and is served to this machine alone.\nExit codes: 0 served or written, 2 there are no runs.',
  )
  .action((folder: string, options: { readonly port: number; readonly write?: boolean }) =>
    guarded(async () =>
      (await import('./view.ts')).view(
        folder,
        { port: options.port, write: options.write === true },
        output,
        stop.signal,
      ),
    ),
  );

program
  .command('serve')
  .description('serve the reference service, and print its URL and its test tokens')
  .option('-p, --port <number>', 'port on 127.0.0.1 (0: any that is free)', whole(0), 8787)
  .option(
    '-c, --config <file>',
    'configuration whose principals are known to it (default with --fault: the one of the extended catalogue)',
  )
  .option('--contract <file>', 'contract document to serve (default: that of the configuration)')
  .option('--fault <id>', 'with a seeded fault, such as I07')
  .addHelpText('after', '\nExit codes: 0 served until Ctrl-C, 2 the configuration or a flag is wrong.')
  .action(
    (options: {
      readonly port: number;
      readonly config?: string;
      readonly contract?: string;
      readonly fault?: string;
    }) =>
      guarded(async () => {
        const { config, contract, fault, port } = options;
        const file = servedConfig(config, fault);
        return (await import('./serve.ts')).serve(file, { port, contract, fault }, output, stop.signal);
      }),
  );

withFilters(
  program
    .command('plan')
    .description('show what a run would send, and what cannot be tested and why; sends nothing'),
)
  .option('-c, --config <file>', 'configuration (default: as for run)')
  .option('-u, --base-url <url>', 'target, in place of target.baseUrl')
  .option('--seed <number>', 'seed of the plan', whole(0))
  .addOption(
    new Option('-b, --budget <name>', 'depth of testing (default: standard)').choices([
      'quick',
      'standard',
      'thorough',
    ]),
  )
  .addHelpText('after', '\nExit codes: 0 shown, 2 the configuration or a flag is wrong.')
  .action((options: RunOptions) =>
    guarded(async () => {
      const { plan } = await import('./plan.ts');
      const {
        suite: _suite,
        operation: _operation,
        clause: _clause,
        tag: _tag,
        path: _path,
        config: _config,
        ...overrides
      } = options;
      return plan(configFile(options), { overrides, ...narrowing(options) }, output);
    }),
  );

program
  .command('selftest')
  .description(
    'run the suites against seeded faults and legal choices: each fault must be caught, and no choice accused',
  )
  .option('--fault <id>', 'only these faults (repeatable, or a list with commas)', collect)
  .option('--variant <id>', 'only these legal choices (repeatable, or a list with commas)', collect)
  .option(
    '--class <letter>',
    'only faults whose id begins so: R, A, P, V, I, C, S, T, G, M, E (repeatable, or a list with commas)',
    collect,
  )
  .option('--seeds <n>', 'try each fault with the seeds 1 to n', whole(1), 1)
  .addOption(
    new Option('-b, --budget <name>', 'depth of testing (default: standard)').choices([
      'quick',
      'standard',
      'thorough',
    ]),
  )
  .option('--combinations <n>', 'how many combinations of legal choices to draw', whole(0), 0)
  .option('--contracts <n>', 'in place of all that: random contracts with random legal choices', whole(1))
  .option(
    '--contract-faults <n>',
    'with --contracts: trials of a seeded fault on a random contract',
    whole(0),
    0,
  )
  .option('--seed <number>', 'with --contracts: what the contracts are drawn with', whole(0), 1)
  .option('--skip <n>', 'with --contracts: how many of the seed an earlier run tried', whole(0), 0)
  .option('--jobs <n>', 'worker threads (default: one for each processor)', whole(1))
  .option(
    '--from <file>',
    'no trials: write an earlier result again (--json, --write), with the consequences that faults name now',
  )
  .option('--keep <folder>', 'keep the evidence of the trials of faults there')
  .option(
    '--rejudge <folder>',
    'no traffic: judge kept evidence again without each clause in turn; each must be missed',
  )
  .option(
    '--without <code>',
    'with --rejudge: only these clauses (repeatable, or a list with commas)',
    collect,
  )
  .option('--json <file>', 'write the results as JSON')
  .option('--write <file>', 'write the page of figures and tables, such as docs/accuracy.md')
  .addHelpText(
    'after',
    '\nExit codes: 0 every fault is caught and no choice accused, 1 not so, 2 a flag is wrong.',
  )
  .action(
    (options: {
      readonly fault?: readonly string[];
      readonly variant?: readonly string[];
      readonly class?: readonly string[];
      readonly seeds: number;
      readonly budget?: 'quick' | 'standard' | 'thorough';
      readonly combinations: number;
      readonly jobs?: number;
      readonly json?: string;
      readonly write?: string;
      readonly keep?: string;
      readonly rejudge?: string;
      readonly from?: string;
      readonly without?: readonly string[];
      readonly contracts?: number;
      readonly contractFaults: number;
      readonly skip: number;
      readonly seed: number;
    }) =>
      guarded(async () => {
        if (options.contracts !== undefined)
          return (await import('../selftest/contracts.ts')).contractsSelftest(
            {
              contracts: options.contracts,
              contractFaults: options.contractFaults,
              seed: options.seed,
              jobs: options.jobs,
              json: options.json,
              skip: options.skip,
            },
            output,
            stop.signal,
          );
        if (options.from !== undefined)
          return (await import('../selftest/selftest.ts')).reread(options.from, {
            json: options.json,
            write: options.write,
          });
        if (options.rejudge !== undefined)
          return (await import('../selftest/removal.ts')).removal(options.rejudge, options.without, output);
        return (await import('../selftest/selftest.ts')).selftest(
          {
            faults: options.fault,
            variants: options.variant,
            classes: options.class,
            seeds: options.seeds,
            budget: options.budget ?? 'quick',
            combinations: options.combinations,
            jobs: options.jobs,
            json: options.json,
            write: options.write,
            keep: options.keep,
          },
          output,
          stop.signal,
        );
      }),
  );

const listable = ['clauses', 'suites', 'operations', 'principals', 'open-points'] as const;
program
  .command('list')
  .description('list clauses, suites, operations, principals or the open points of the contract')
  .addArgument(new Argument('<what>').choices([...listable]))
  .option('-c, --config <file>', 'configuration (default: as for run)')
  .option('-u, --base-url <url>', 'target, in place of target.baseUrl')
  .addHelpText('after', '\nExit codes: 0 listed, 2 the configuration or a flag is wrong.')
  .action((what: (typeof listable)[number], options: Pick<RunOptions, 'config' | 'baseUrl'>) =>
    guarded(async () => (await import('./list.ts')).list(what, () => configFile(options), output)),
  );

program
  .command('explain')
  .description('show what a clause requires, how it is tested, what a violation looks like and how to fix it')
  .argument('[code]', 'code of a clause or of an open point, such as IDM-8 or G1')
  .option('--spec', 'print the whole specification, each sentence with the clauses that test it')
  .option('--json', 'with --spec: as JSON')
  .addHelpText('after', '\nExit codes: 0 shown, 2 there is no such clause or open point.')
  .action((code: string | undefined, options: { readonly spec?: boolean; readonly json?: boolean }) =>
    guarded(async () => {
      const { explain, explainSpecification } = await import('./explain.ts');
      return options.spec === true || code === undefined
        ? explainSpecification(options.json === true, output)
        : explain(code, output);
    }),
  );

program
  .command('completion')
  .description('print a script that completes commands and options in a shell, or all of them as JSON')
  .addArgument(new Argument('<shell>').choices([...shells]))
  .addHelpText(
    'after',
    '\nbash and zsh: source <(assay completion bash); fish: assay completion fish | source\nExit codes: 0 printed, 2 there is no such shell.',
  )
  .action((shell: Shell) =>
    guarded(async () => {
      const { commandLineOf } = await import('./command-line.ts');
      output.out(completion(shell, commandLineOf(program)));
      return 0;
    }),
  );

addRunCommands(program, { guarded, output, signal: stop.signal });

await program.parseAsync();
