import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HeaderList } from '../model/exchange.ts';
import { curl } from '../report/curl.ts';
import { exchange } from '../testing/literal-run.ts';
import { type ScriptedServer, startScripted } from '../testing/scripted-server.ts';

const shells: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['sh', []],
  ['dash', []],
  ['bash', ['--norc']],
  // History is expanded there.
  ['bash', ['--norc', '-i']],
  ['zsh', ['-f']],
  ['zsh', ['-f', '-i']],
];

/** What a target must get, byte for byte: Latin-1 in headers, UTF-8 in bodies but for the one that is none. */
const requests: [what: string, headers: HeaderList, body: string, bytes: string | undefined][] = [
  ['history', [['X-A', 'a!b !! !$']], '{"a":"wow! !! !1 !?x?"}', undefined],
  ['quotes', [['X-A', `it's "x" \\ \`id\` $HOME`]], `{"a":"it's $(id) \`id\` \\\\ 'x'"}`, undefined],
  ['braces', [['X-A', '{a,b}[1-3]*?~']], '[{1,2}, *, ~, =ls, #x]', undefined],
  ['a name of a file', [['X-A', '@/etc/passwd']], '@/etc/passwd', undefined],
  ['percent', [['X-A', '100% %s %d']], '%s %d %% 100%', undefined],
  ['controls', [['X-A', 'a\tb']], 'a\0b\tc\r\nd\n\n\x1b[2J\x7f', undefined],
  ['Latin-1 and beyond', [['X-A', 'caf\xe9']], '{"a":"\u00e9\u20ac\ud83d\ude00\ufeff"}', undefined],
  ['no UTF-8', [], '{"a":"\ufffdb"}', '{"a":"\xffb"}'],
];

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScripted((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
});
afterAll(() => server.close());

function typed(name: string, args: readonly string[], text: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(name, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...process.env, HISTFILE: '/dev/null', KEY_1: 'key-1', LC_ALL: 'C.UTF-8' },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('close', () => resolve(said));
    child.stdin.end(text);
  });
}

for (const [name, args] of shells) {
  const shell = [name, ...args].join(' ');
  const installed = spawnSync(name, ['-c', 'exit 0']).status === 0;
  describe.skipIf(!installed)(`typed into ${shell}${installed ? '' : ' (not installed)'}`, () => {
    test.each(requests)('%s arrives as it was sent', async (_, headers, body, bytes) => {
      const one = exchange({
        request: {
          method: 'POST',
          path: '/a?b[]=c&d={e}',
          headers: [...headers, ['Idempotency-Key', 'KEY-VALUE']],
          body,
        },
      });
      const before = server.arrived.length;
      const command = curl(one, server.origin, new Map([['KEY-VALUE', 'KEY_1']]));
      const said = await typed(name, args, `${command}\n`);
      const [arrived] = server.arrived.slice(before);
      const text = arrived?.text ?? `nothing arrived: ${said}`;
      expect(text).toMatch(/^POST \/a\?b\[\]=c&d=\{e\} HTTP\/1\.1\r\n/);
      for (const [field, value] of headers) expect(text).toContain(`\r\n${field}: ${value}\r\n`);
      expect(text).toContain('\r\nIdempotency-Key: key-1\r\n');
      expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe(bytes ?? Buffer.from(body).toString('latin1'));
    });
  });
}
