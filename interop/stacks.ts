import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Setting, Stack } from './stack.ts';

const shared = { file: 'contract.yaml' };
/** All of these show a write at once; said, so that no run waits five seconds for what could still appear. */
const prompt = { G15: { seconds: 0.5 } };

function settings({ port, folder, callers, jwtSecret }: Setting): Readonly<Record<string, string>> {
  return {
    PORT: String(port),
    CALLERS: callers,
    DATABASE: join(folder, 'cases.db'),
    JWT_SECRET: jwtSecret,
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

function go(family: string, configuration: string): Stack {
  return {
    name: `${family}/${configuration}`,
    contract: shared,
    tokens: 'opaque',
    declares: prompt,
    needs: ['go'],
    installedFrom: [`${family}/go.mod`, `${family}/go.sum`, `${family}/${configuration}/main.go`],
    install: (source, cache) => [
      {
        program: 'go',
        args: ['build', '-o', join(cache, `${family}-${configuration}`), `./${configuration}`],
        env: { GOMODCACHE: join(cache, 'go/mod'), GOFLAGS: '-modcacherw' },
        folder: join(source, family),
      },
    ],
    start: (_source, cache, setting) => ({
      program: join(cache, `${family}-${configuration}`),
      args: [],
      env: settings(setting),
    }),
  };
}

/** Commands that make a virtual environment with the requirements of a stack. */
function python(name: string): Stack['install'] {
  return (source, cache) => [
    { program: 'python3', args: ['-m', 'venv', join(cache, name)] },
    {
      program: join(cache, name, 'bin/pip'),
      args: ['install', '--quiet', '--requirement', join(source, name, 'requirements.txt')],
    },
  ];
}

function fastapi(configuration: 'plain' | 'conforming'): Stack {
  const application = configuration === 'plain' ? 'plain:app' : 'conforming:service';
  return {
    name: `fastapi/${configuration}`,
    // The plain one publishes what FastAPI generates.
    contract: configuration === 'plain' ? { path: '/openapi.json' } : shared,
    tokens: 'jwt',
    declares: prompt,
    needs: ['python3'],
    installedFrom: ['fastapi/requirements.txt'],
    install: python('fastapi'),
    start: (source, cache, setting) => ({
      program: join(cache, 'fastapi/bin/uvicorn'),
      args: [application, '--port', String(setting.port), '--log-level', 'warning'],
      env: settings(setting),
      folder: join(source, 'fastapi'),
    }),
  };
}

function django(configuration: 'plain' | 'conforming'): Stack {
  return {
    name: `django/${configuration}`,
    contract: { file: 'django/contract.yaml' },
    tokens: 'opaque',
    declares: configuration === 'plain' ? prompt : { ...prompt, G1: 'replay', G7: 'ignore' },
    needs: ['python3'],
    installedFrom: ['django/requirements.txt'],
    install: python('django'),
    start: (source, cache, setting) => ({
      program: join(cache, 'django/bin/gunicorn'),
      args: [
        ...[`${configuration}:application`, '--bind', `127.0.0.1:${setting.port}`, '--threads', '8'],
        ...['--log-level', 'warning'],
      ],
      env: settings(setting),
      folder: join(source, 'django'),
    }),
  };
}

function spring(configuration: 'plain' | 'conforming'): Stack {
  return {
    name: `spring/${configuration}`,
    contract: { file: 'spring/contract.yaml' },
    tokens: 'jwt',
    declares: { ...prompt, G8: 'unthrottled' },
    needs: ['java', 'mvn'],
    installedFrom: ['spring/pom.xml', ...springSources],
    install: (source, cache) => [
      {
        program: 'mvn',
        args: [
          ...['-q', '-B', '-ntp', '-DskipTests', `-Dmaven.repo.local=${join(cache, 'm2')}`],
          ...[`-Dfolder=${join(cache, 'spring')}`, 'package'],
        ],
        folder: join(source, 'spring'),
      },
    ],
    start: (_source, cache, setting) => ({
      program: 'java',
      args: [
        '-Xmx256m',
        '-jar',
        join(cache, 'spring/cases.jar'),
        `--spring.profiles.active=${configuration}`,
      ],
      env: settings(setting),
    }),
  };
}

const springSources = [
  ...['Application', 'Case', 'Cases'],
  ...['plain/CaseController', 'plain/Security'],
  ...['conforming/CaseController', 'conforming/Problem', 'conforming/Problems', 'conforming/Security'],
].map((name) => `spring/src/main/java/cases/${name}.java`);

const prism: Stack = {
  name: 'prism/mock',
  contract: shared,
  tokens: 'opaque',
  declares: prompt,
  needs: ['npm'],
  installedFrom: [],
  install: (_source, cache) => [
    {
      program: 'npm',
      args: [
        ...['install', '--silent', '--no-audit', '--no-fund', '--prefix', join(cache, 'prism')],
        '@stoplight/prism-cli@5.16.0',
      ],
    },
  ],
  start: (source, cache, { port }) => ({
    program: join(cache, 'prism/node_modules/.bin/prism'),
    args: ['mock', '--port', String(port), '--host', '127.0.0.1', join(source, 'contract.yaml')],
  }),
};

function nginx(configuration: 'plain' | 'conforming'): Stack {
  return {
    name: `nginx/${configuration}`,
    contract: shared,
    tokens: 'jwt',
    declares: prompt,
    needs: ['apt-get', 'dpkg-deb', 'python3'],
    installedFrom: [],
    install: (_source, cache) => [
      {
        program: 'sh',
        args: [
          '-c',
          'mkdir -p nginx && cd nginx && apt-get download -qq nginx && dpkg-deb -x nginx_*.deb . && ./usr/sbin/nginx -v',
        ],
        folder: cache,
      },
    ],
    start: (source, cache, setting) => ({
      program: join(cache, 'nginx/usr/sbin/nginx'),
      args: ['-c', configured(join(source, `nginx/${configuration}.conf`), setting), '-p', setting.folder],
    }),
    upstream: 'fastapi/conforming',
  };
}

/** The configuration of nginx with the values of this run filled in. */
function configured(file: string, { port, folder, upstream }: Setting): string {
  const values: Record<string, string> = {
    PORT: String(port),
    FOLDER: folder,
    UPSTREAM: String(upstream ?? 0),
  };
  const text = readFileSync(file, 'utf8').replaceAll(
    /\$\{([A-Z]+)\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
  mkdirSync(folder, { recursive: true });
  const made = join(folder, 'nginx.conf');
  writeFileSync(made, text);
  return made;
}

export const stacks: readonly Stack[] = [
  go('fiber', 'plain'),
  go('fiber', 'conforming'),
  go('gosqlite', 'plain'),
  go('gosqlite', 'conforming'),
  fastapi('plain'),
  fastapi('conforming'),
  spring('plain'),
  spring('conforming'),
  django('plain'),
  django('conforming'),
  prism,
  nginx('plain'),
  nginx('conforming'),
];
