import type { CommandData, CommandLine, OptionData } from './command-line.ts';

export const shells = ['bash', 'zsh', 'fish', 'json'] as const;
export type Shell = (typeof shells)[number];

/** A script that completes commands, options, choices, files and folders; or all of it as JSON. */
export function completion(shell: Shell, line: CommandLine): string {
  if (shell === 'json') return `${JSON.stringify(line, undefined, 2)}\n`;
  return shell === 'bash' ? bash(line) : shell === 'zsh' ? zsh(line) : fish(line);
}

const namesFiles = /^(file|files|path)$/;
const namesFolders = /^(folder|run)$/;
const wordsOf = ({ options }: CommandData): string =>
  options.flatMap(({ long, short }) => (short === undefined ? [long] : [short, long])).join(' ');
const patternOf = ({ long, short }: OptionData): string => (short === undefined ? long : `${short}|${long}`);
/** Inside single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(line: CommandLine): string {
  const values = (command: CommandData): readonly string[] =>
    command.options.flatMap((option) => {
      if (!option.takesValue) return [];
      const words =
        option.choices.length > 0
          ? `COMPREPLY=($(compgen -W ${quoted(option.choices.join(' '))} -- "$current"))`
          : namesFiles.test(option.value)
            ? 'COMPREPLY=($(compgen -f -- "$current"))'
            : namesFolders.test(option.value)
              ? 'COMPREPLY=($(compgen -d -- "$current"))'
              : 'COMPREPLY=()';
      return [`        ${patternOf(option)}) ${words}; return ;;`];
    });
  const free = (command: CommandData): string => {
    const choices = command.arguments.flatMap((argument) => argument.choices);
    if (choices.length > 0) return `COMPREPLY+=($(compgen -W ${quoted(choices.join(' '))} -- "$current"))`;
    return command.arguments.length > 0 ? 'COMPREPLY+=($(compgen -d -- "$current"))' : ':';
  };
  return [
    `# Completion of ${line.name} for bash: source <(${line.name} completion bash)`,
    `_${line.name}() {`,
    `  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"`,
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W ${quoted(line.commands.map(({ name }) => name).join(' '))} -- "$current"))`,
    '    return',
    '  fi',
    `  case "\${COMP_WORDS[1]}" in`,
    ...line.commands.flatMap((command) => [
      `    ${command.name})`,
      '      case "$previous" in',
      ...values(command),
      '      esac',
      `      COMPREPLY=($(compgen -W ${quoted(wordsOf(command))} -- "$current"))`,
      `      [[ "$current" == -* ]] || ${free(command)}`,
      '      ;;',
    ]),
    '  esac',
    '}',
    `complete -o filenames -F _${line.name} ${line.name}`,
    '',
  ].join('\n');
}

function zsh(line: CommandLine): string {
  const plain = (text: string): string => text.replaceAll(/[[\]]/g, ' ').replaceAll(':', '\\:');
  const action = (value: string, choices: readonly string[]): string =>
    choices.length > 0
      ? `(${choices.join(' ')})`
      : namesFiles.test(value)
        ? '_files'
        : namesFolders.test(value)
          ? '_files -/'
          : ' ';
  const specs = (command: CommandData): readonly string[] => [
    ...command.options.flatMap((option) =>
      [option.short, option.long].flatMap((flag) =>
        flag === undefined
          ? []
          : [
              quoted(
                `*${flag}[${plain(option.description)}]${option.takesValue ? `:${plain(option.value)}:${action(option.value, option.choices)}` : ''}`,
              ),
            ],
      ),
    ),
    ...command.arguments.map(({ name, choices }) => quoted(`:${name}:${action('run', choices)}`)),
  ];
  return [
    `#compdef ${line.name}`,
    `# Completion of ${line.name} for zsh: source <(${line.name} completion zsh)`,
    `_${line.name}() {`,
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...line.commands.map(({ name, description }) => `      ${quoted(`${name}:${plain(description)}`)}`),
    '    )',
    '    _describe command commands',
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...line.commands.map(
      (command) => `    ${command.name}) _arguments ${specs(command).join(' ') || ':'} ;;`,
    ),
    '  esac',
    '}',
    `if [ "$funcstack[1]" = _${line.name} ]; then _${line.name} "$@"; else compdef _${line.name} ${line.name}; fi`,
    '',
  ].join('\n');
}

function fish(line: CommandLine): string {
  const { name } = line;
  return [
    `# Completion of ${name} for fish: ${name} completion fish | source`,
    `complete -c ${name} -f`,
    ...line.commands.flatMap((command) => {
      const inside = `-n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`;
      const folders = command.arguments.some(({ choices }) => choices.length === 0);
      return [
        `complete -c ${name} -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.description)}`,
        ...command.options.map((option) =>
          [
            `complete -c ${name} ${inside} -l ${option.long.replace(/^--/, '')}`,
            ...(option.short === undefined ? [] : [`-s ${option.short.slice(1)}`]),
            ...(option.takesValue ? ['-r'] : []),
            ...(option.choices.length > 0 ? [`-a ${quoted(option.choices.join(' '))}`] : []),
            ...(namesFiles.test(option.value) || namesFolders.test(option.value) ? ['-F'] : []),
            `-d ${quoted(option.description)}`,
          ].join(' '),
        ),
        ...command.arguments
          .filter(({ choices }) => choices.length > 0)
          .map(({ choices }) => `complete -c ${name} ${inside} -a ${quoted(choices.join(' '))}`),
        ...(folders ? [`complete -c ${name} ${inside} -a '(__fish_complete_directories)'`] : []),
      ];
    }),
    '',
  ].join('\n');
}
