import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options of a script of this project; `--help` lists them, and an unknown one ends it with exit code 2. */
export function optionsOf<const Given extends Options>(
  script: string,
  options: Given,
): ReturnType<typeof parseArgs<{ readonly options: Given }>>['values'] {
  const usage = [
    `npm run ${script} -- [options]`,
    ...Object.entries(options).map(([name, option]) => {
      const value = option.type === 'boolean' ? '' : ' <value>';
      const usual = typeof option.default === 'string' ? ` (default: ${option.default})` : '';
      return `  --${name}${value}${option.multiple === true ? ' (repeatable)' : ''}${usual}`;
    }),
  ];
  if (process.argv.slice(2).some((each) => each === '--help' || each === '-h')) {
    process.stdout.write(`${usage.join('\n')}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${script}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.stderr.write(`${usage.join('\n')}\n`);
    process.exit(2);
  }
}
