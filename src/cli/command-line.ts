import type { Argument, Command, Option } from 'commander';

/** The command line as data: for completion, and for the reference in the documentation. */
export type CommandLine = { readonly name: string; readonly commands: readonly CommandData[] };
export type CommandData = {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentData[];
  readonly options: readonly OptionData[];
  /** What its help says after the options: exit codes, files. */
  readonly notes: string;
};
export type ArgumentData = {
  readonly name: string;
  readonly required: boolean;
  readonly choices: readonly string[];
  /** Whether it may be given several times; it is the last one then. */
  readonly variadic?: boolean;
};
export type OptionData = {
  /** As the help shows it, such as `-c, --config <file>`. */
  readonly flags: string;
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly value: string;
  readonly choices: readonly string[];
  readonly default: string | undefined;
  readonly required: boolean;
};

export function commandLineOf(program: Command): CommandLine {
  return { name: program.name(), commands: program.commands.map(commandOf) };
}

function commandOf(command: Command): CommandData {
  return {
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map(argumentOf),
    options: command.options.map(optionOf),
    notes: notesOf(command),
  };
}

/** Help texts added after the options come as events alone: they are what the whole help has at its end. */
function notesOf(command: Command): string {
  let whole = '';
  const { writeOut } = command.configureOutput();
  command.configureOutput({
    writeOut: (text) => {
      whole += text;
    },
  });
  command.outputHelp();
  if (writeOut !== undefined) command.configureOutput({ writeOut });
  return whole.slice(command.helpInformation().length).trim();
}

function argumentOf(argument: Argument): ArgumentData {
  return {
    name: argument.name(),
    required: argument.required,
    choices: argument.argChoices ?? [],
    ...(argument.variadic ? { variadic: true } : {}),
  };
}

function optionOf(option: Option): OptionData {
  const given: unknown = option.defaultValue;
  return {
    flags: option.flags,
    long: option.long ?? option.flags,
    short: option.short,
    description: option.description,
    takesValue: option.required || option.optional,
    value: /<([^>]+)>/.exec(option.flags)?.[1] ?? '',
    choices: option.argChoices ?? [],
    default: given === undefined || given === false ? undefined : String(given),
    required: option.mandatory,
  };
}
