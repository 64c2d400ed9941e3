import type { CommandLine } from '../cli/command-line.ts';

/** What is wrong with a call of the command line, by its words after the program; undefined where it is understood. */
export function usageProblem(line: CommandLine, words: readonly string[]): string | undefined {
  const [name = '', ...rest] = words;
  if (name === '' || name === '--help' || name === '--version') return undefined;
  const command = line.commands.find((one) => one.name === name);
  if (command === undefined) return `there is no command '${name}'`;
  const given: string[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const [word = '', inline] = (rest[index] ?? '').split(/=(.*)/s);
    if (!word.startsWith('-')) {
      given.push(word);
      continue;
    }
    if (word === '--help') return undefined;
    const option = command.options.find(({ long, short }) => long === word || short === word);
    if (option === undefined) return `'${name}' has no option '${word}'`;
    if (!option.takesValue) continue;
    const value = inline ?? rest[index + 1];
    if (inline === undefined) index += 1;
    if (value === undefined) return `'${word}' needs a value`;
    if (option.choices.length > 0 && !option.choices.includes(value))
      return `'${value}' is no value of '${word}': ${option.choices.join(', ')}`;
  }
  for (const option of command.options)
    if (option.required && !rest.some((word) => word === option.long || word === option.short))
      return `'${name}' needs '${option.long}'`;
  const needed = command.arguments.filter(({ required }) => required).length;
  const most = command.arguments.at(-1)?.variadic === true ? given.length : command.arguments.length;
  if (given.length < needed || given.length > most)
    return `'${name}' takes ${command.arguments.length} arguments, and got ${given.length}`;
  const wrong = command.arguments.find(
    ({ choices }, index) =>
      choices.length > 0 &&
      given[index] !== undefined &&
      !given[index].startsWith('<') &&
      !choices.includes(given[index]),
  );
  return wrong === undefined ? undefined : `'${given.join(' ')}' is none of ${wrong.choices.join(', ')}`;
}
