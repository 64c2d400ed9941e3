import { type Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { collect } from '../options.ts';

export function addAttest(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('attest')
    .description('verify a run and sign it, or add a signature (in-toto statement, DSSE, ed25519)')
    .usage('[options] --key <files> <run>')
    .argument('<run>', 'folder of a run, such as reports/<run>')
    .requiredOption('-k, --key <files>', 'private keys (PEM) to sign with (repeatable)', collect)
    .option('--timestamp-file <file>', 'time-stamp (RFC 3161) of evidence.jsonl, as `openssl ts` writes it')
    .addOption(
      new Option('--timestamp-url <url>', 'authority to ask for a time-stamp').conflicts('timestampFile'),
    )
    .addHelpText(
      'after',
      '\nThe passphrase of an encrypted key is read from ASSAY_KEY_PASSPHRASE.\nExit codes: 0 signed, 2 the run does not verify, or the key cannot be used.',
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
          return (await import('../attest.ts')).attest(folder, key, output, timestamp);
        }),
    );
}
