import { type ExecException, exec } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { type InputProblem, refuse } from '../model/input-error.ts';
import { isObject, parseJson, pointerOf } from '../model/json.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Config, TokenSource } from './config.ts';
import { folderOf } from './folder.ts';

/** A shorter token could be in any text by chance, and would not be redacted safely. */
const MIN_TOKEN_LENGTH = 8;
const COMMAND_TIMEOUT_MS = 30_000;

/** What is wrong with a token, in words that do not show it; undefined where nothing is. */
export function tokenTextProblem(
  token: string,
): { readonly problem: string; readonly remedy: string } | undefined {
  if (token === '') return { problem: 'is empty', remedy: 'give it a value' };
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return {
      problem: 'holds blanks or characters that a header cannot carry',
      remedy: 'provide the token alone, without the word Bearer',
    };
  }
  if (token.length >= MIN_TOKEN_LENGTH) return undefined;
  return {
    problem: `has fewer than ${MIN_TOKEN_LENGTH} characters, and could not be redacted safely`,
    remedy: 'issue a longer one',
  };
}

/**
 * Looks up the token of every principal: in the environment, in its file, or by its command, which runs in the folder
 * of the configuration for 30 s at most.
 *
 * @throws InputError where one cannot be had, cannot be sent, or is that of another caller; no message shows a token
 */
export async function resolveTokens(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  expires: (name: PrincipalName, seconds: number) => void = () => undefined,
): Promise<ReadonlyMap<PrincipalName, string>> {
  const problems: InputProblem[] = [];
  const tokens = new Map<PrincipalName, string>();
  const found = await Promise.all(
    [...config.tokens].map(async ([name, source]) => ({ name, answer: await tokenOf(source, config, env) })),
  );
  for (const { name, answer } of found) {
    const position = config.positions.get(pointerOf(['principals', name, 'token']));
    const blame = (problem: string, remedy: string): void => {
      problems.push({ file: config.file, position, problem: `the token of '${name}' ${problem}`, remedy });
    };
    if ('problem' in answer) {
      blame(answer.problem, answer.remedy);
      continue;
    }
    const wrong = tokenTextProblem(answer.token);
    const other = [...tokens].find(([, token]) => token === answer.token)?.[0];
    if (wrong !== undefined) blame(wrong.problem, wrong.remedy);
    else if (other !== undefined && identityOf(config, other) !== identityOf(config, name)) {
      blame(`is also that of '${other}'`, 'give each a token of its own, or both the same identity');
    }
    tokens.set(name, answer.token);
    if (answer.seconds !== undefined) expires(name, answer.seconds);
  }
  refuse(problems);
  return tokens;
}

function identityOf(config: Config, name: PrincipalName): string {
  return config.principals.find((principal) => principal.name === name)?.identity ?? name;
}

/** The token of a principal as its command gives it now; undefined where there is none, or it cannot be sent. */
export async function renewedToken(
  config: Config,
  name: PrincipalName,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly token: string; readonly seconds: number | undefined } | undefined> {
  const source = config.tokens.get(name);
  const answer = source === undefined ? undefined : await tokenOf(source, config, env);
  if (answer === undefined || 'problem' in answer || tokenTextProblem(answer.token) !== undefined)
    return undefined;
  return { token: answer.token, seconds: answer.seconds };
}

/** What a command printed: the token alone, or JSON with its lifetime, as OAuth 2.0 or plainly named. */
export function printedToken(text: string): { readonly token: string; readonly seconds?: number } {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return { token: trimmed };
  const value = parseJson(trimmed);
  if (!isObject(value)) return { token: trimmed };
  const token = value['token'] ?? value['access_token'];
  const seconds = Number(value['expiresIn'] ?? value['expires_in']);
  if (typeof token !== 'string') return { token: '' };
  return { token, ...(Number.isFinite(seconds) && seconds > 0 ? { seconds } : {}) };
}

type TokenAnswer =
  | { readonly token: string; readonly seconds?: number }
  | { readonly problem: string; readonly remedy: string };

async function tokenOf(
  source: TokenSource,
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TokenAnswer> {
  if ('value' in source) return { token: source.value };
  if ('env' in source) {
    const token = env[source.env]?.trim();
    if (token !== undefined && token !== '') return { token };
    const state = token === undefined ? 'not set' : 'empty';
    return {
      problem: `is missing: the environment variable ${source.env} is ${state}`,
      remedy: `set ${source.env}`,
    };
  }
  if ('file' in source) {
    try {
      // A pipe without a writer would never end.
      if (!(await stat(source.file)).isFile())
        return {
          problem: `cannot be read: ${source.file} is not a regular file`,
          remedy: "name a file, or write the token to standard output with 'command'",
        };
      return { token: (await readFile(source.file, 'utf8')).trim() };
    } catch {
      return {
        problem: `cannot be read from ${source.file}`,
        remedy: 'write the token, and nothing else, to that file',
      };
    }
  }
  return await outputOf(source.command, folderOf(config), env);
}

function outputOf(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TokenAnswer> {
  return new Promise((settle) => {
    const options = { cwd, env: { ...env }, timeout: COMMAND_TIMEOUT_MS, windowsHide: true };
    exec(command, options, (error, stdout) => {
      // What the command printed may hold the token even where it failed.
      if (error === null) settle(answered(stdout));
      else if (error.killed === true) {
        settle({
          problem: 'is missing: its command took longer than 30 s',
          remedy: 'make the command faster',
        });
      } else {
        const problem = `is missing: its command ${failureOf(error)}`;
        settle({ problem, remedy: 'run the command by itself to see why' });
      }
    });
  });
}

function answered(stdout: string): TokenAnswer {
  const printed = printedToken(stdout);
  if (printed.token !== '' || stdout.trim() === '') return printed;
  return {
    problem: "is missing: its command printed JSON without a text in 'token' or 'access_token'",
    remedy: 'print { "token": "..." }, or the token alone',
  };
}

function failureOf(error: ExecException): string {
  const code: unknown = error.code;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'printed more than a token';
  return typeof code === 'number' ? `failed with exit code ${code}` : 'was ended by a signal';
}
