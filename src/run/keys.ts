import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { trouble } from '../model/input-error.ts';

export type NamedKey = { readonly file: string; readonly key: KeyObject };

/** Variable with the passphrase of encrypted private keys. */
const passphraseVariable = 'ASSAY_KEY_PASSPHRASE';

/** Private ed25519 keys (PEM) to sign with. @throws InputError where one is none */
export function signingKeys(
  files: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly NamedKey[]> {
  return Promise.all(
    files.map(async (file) => {
      const pem = await pemOf(file);
      const passphrase = env[passphraseVariable];
      if (/ENCRYPTED/.test(pem) && passphrase === undefined)
        throw trouble(file, 'the key is encrypted', `set ${passphraseVariable} to its passphrase`);
      return checked(file, () => createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase }));
    }),
  );
}

/** Public ed25519 keys (PEM) to verify with; of a private key its public part is taken. @throws InputError where one is none */
export function verifyingKeys(files: readonly string[]): Promise<readonly NamedKey[]> {
  return Promise.all(
    files.map(async (file) => {
      const pem = await pemOf(file);
      return checked(file, () => createPublicKey(pem));
    }),
  );
}

async function pemOf(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch(() => undefined);
  if (pem === undefined) throw trouble(file, 'the key cannot be read', 'check the path given with --key');
  return pem;
}

function checked(file: string, read: () => KeyObject): NamedKey {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw trouble(
      file,
      'it is not a PEM key',
      'make one with `openssl genpkey -algorithm ed25519 -out vendor.pem`, and its public part with `openssl pkey -in vendor.pem -pubout -out vendor.pub.pem`',
    );
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw trouble(
      file,
      `it is a key of another type (${key.asymmetricKeyType ?? 'unknown'})`,
      'use an ed25519 key',
    );
  return { file, key };
}
