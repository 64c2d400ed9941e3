import type { Config } from '../config/config.ts';
import { type NamedSecret, shortestSecret } from '../evidence/gate.ts';
import { type InputProblem, refuse } from '../model/input-error.ts';

/** Names of headers, cookies and parameters that carry credentials. */
const sensitive = /auth|cookie|cred|key|passw|pwd|secret|sess|sign|token/i;
/** Parameters of structured credentials that are public. */
const open =
  /^(?:alg(?:orithm)?|charset|created|domain|expires?|headers|key-?id|max-age|method|nc|path|qop|realm|scope|type|uri|user(?:name)?|v|version)$/i;

/**
 * What is secret in configured headers, such as `X-Api-Key` of a gateway: the whole value, each cookie, the decoded pair
 * of Basic and its password, and the parts of structured values. A service may echo any of them alone.
 *
 * @throws InputError where one is too short to be redacted
 */
export function headerSecrets(config: Config): readonly NamedSecret[] {
  const problems: InputProblem[] = [];
  const found = [
    ...Object.entries(config.target.headers).map(([name, value]) => ({
      name,
      value,
      at: `/target/headers/${name}`,
    })),
    ...[...config.principalHeaders].flatMap(([principal, headers]) =>
      Object.entries(headers).map(([name, value]) => ({
        name,
        value,
        at: `/principals/${principal}/headers/${name}`,
      })),
    ),
    ...[...config.hooks].flatMap(([hook, given]) =>
      given.kind === 'http'
        ? Object.entries(given.headers).map(([name, value]) => ({
            name,
            value,
            at: `/hooks/${hook}/http/headers/${name}`,
          }))
        : [],
    ),
  ].flatMap(({ name, value, at }) =>
    sensitive.test(name)
      ? partsOf(name, value).filter((part) => {
          if (part.value.length >= shortestSecret) return true;
          if (part.must)
            problems.push({
              file: config.file,
              position: config.positions.get(at),
              problem: `${part.what} has fewer than ${shortestSecret} characters, and could not be redacted safely`,
              remedy: 'use a longer one',
            });
          return false;
        })
      : [],
  );
  refuse(problems);
  return found.map(({ name, value }) => ({ name, value }));
}

/** What is secret in one header; undefined where its name does not say that it carries a credential. */
export function credentialParts(name: string, value: string): readonly string[] | undefined {
  return sensitive.test(name) ? partsOf(name, value).map((part) => part.value) : undefined;
}

type SecretPart = NamedSecret & {
  readonly what: string;
  /** True if a short value must be refused; otherwise it may be an ordinary word. */
  readonly must: boolean;
};

function partsOf(header: string, value: string): readonly SecretPart[] {
  const name = `header ${header}`;
  const whole = `the credential in the header '${header}'`;
  if (/^cookie$/i.test(header))
    return value.split(';').flatMap((pair): readonly SecretPart[] => {
      const [cookie = '', ...rest] = pair.trim().split('=');
      const given = unquoted(rest.join('='));
      const must = sensitive.test(cookie) && given !== '';
      return variants({ name: `cookie ${cookie}`, value: given, what: `the cookie '${cookie}'`, must });
    });
  const [, scheme = '', rest = value] = /^([A-Za-z][\w-]*) +(.+)$/.exec(value.trim()) ?? [];
  if (/^basic$/i.test(scheme)) {
    const pair = Buffer.from(rest, 'base64').toString();
    const password = pair.slice(pair.indexOf(':') + 1);
    return [
      { name, value: rest, what: whole, must: true },
      { name: `${name} pair`, value: pair, what: whole, must: false },
      {
        name: `${name} password`,
        value: password,
        what: `the password in the header '${header}'`,
        must: password !== '',
      },
    ];
  }
  const parameters = [...rest.matchAll(/([\w.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s",;]+)/g)];
  const structured = parameters.length > 0 && /^[\w.-]+\s*=\s*["\w]/.test(rest) && /[",;]/.test(rest);
  return [
    { name, value: rest, what: whole, must: !structured },
    ...(structured
      ? parameters
          .filter(([, parameter = '']) => !open.test(parameter))
          .flatMap(([, parameter = '', given = '']) =>
            variants({
              name: `${name} ${parameter}`,
              value: unquoted(given),
              what: `'${parameter}' in the header '${header}'`,
              must: sensitive.test(parameter),
            }),
          )
      : // `id:secret` and the parts of a list.
        rest
          .split(/[:,;\s]+/)
          .filter((part) => part !== rest && /\d|[A-Z].*[a-z]|[a-z].*[A-Z]/.test(part))
          .map((part, index) => ({
            name: `${name} part ${index + 1}`,
            value: part,
            what: whole,
            must: false,
          }))),
  ];
}

/** A value, and the same value percent-decoded. */
function variants(part: SecretPart): readonly SecretPart[] {
  try {
    const decoded = decodeURIComponent(part.value);
    return decoded === part.value ? [part] : [part, { ...part, value: decoded, must: false }];
  } catch {
    return [part];
  }
}

function unquoted(value: string): string {
  return value.replace(/^"(.*)"$/s, '$1').replaceAll(/\\(.)/gs, '$1');
}
